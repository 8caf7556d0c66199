import { ShiploadError } from '../errors.ts';
import { hostNameOf } from '../host/address-book.ts';
import { openService, type ServiceRequest } from '../session/open-service.ts';
import { proveService } from '../session/prove-service.ts';
import { type RunRequest, underLimits } from '../session/run-request.ts';
import type { OptionValues } from './options/index.ts';
import { serviceRequest } from './run-request.ts';

/**
 * The service of `--against`: asked in the same way as the first, but it runs already, its process is found by its own
 * url, and pages are read at its own address.
 */
export function secondService(against: URL, options: OptionValues): ServiceRequest {
  const { start: _, pid: __, port: ___, container: ____, unixSocket: _____, ...same } = options;
  const { metrics, stats, resolve = [], ...rest } = same;
  const resolutions = resolve.filter(({ host }) => host === hostNameOf(against));
  return naming(() =>
    serviceRequest({
      ...rest,
      url: against,
      ...(metrics?.startsWith('/') === true && { metrics }),
      ...(stats?.startsWith('/') === true && { stats }),
      ...(resolutions.length > 0 && { resolve: resolutions }),
    }),
  );
}

/**
 * Makes sure, before any load goes anywhere, that the second service is the user's to load, may carry this plan and
 * answers. Throws what opening a service throws, in the name of `--against`.
 */
export async function requireSecondService(request: RunRequest, service: ServiceRequest): Promise<void> {
  await namingLater(async () => {
    const proven = await proveService(service);
    underLimits(request, proven.grant, Date.now());
    const open = await openService(service, proven);
    await open.stop();
  });
}

/** Errors of the second service, in its name. */
export const namingLater = <Result>(work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: unknown) => {
    throw inItsName(error);
  });

function naming<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw inItsName(error);
  }
}

function inItsName(error: unknown): unknown {
  if (!(error instanceof ShiploadError)) return error;
  const { code, message, hint, where } = error;
  // A folder or a file that is in the way is nobody's service.
  const isOfService = where === undefined || where === '--url' || /^https?:/.test(where);
  if (!isOfService) return error;
  return new ShiploadError(code, `the second service: ${message.replace(/^--url: /, '')}`, {
    where: '--against',
    hint:
      code === 'service-unreachable'
        ? 'start it first: what --against names must be running already'
        : (hint ?? 'see the url of --against'),
    cause: error,
  });
}
