import { join } from 'node:path';
import { ShiploadError } from '../errors.ts';
import { basisOfUrl, basisOfWorkload, type LoadBasis } from '../load/load-basis.ts';
import type { SafetyRequest } from '../load/safety.ts';
import { planLoad, type PlannedLoad } from '../load/plan-load.ts';
import type { WriteMixOptions } from '../load/write-mix.ts';
import type { Target } from '../model/verdict.ts';
import type { WorkloadModel } from '../model/workload.ts';
import type { ServiceRequest } from '../session/open-service.ts';
import type { LogOptions } from '../session/open-workload.ts';
import { parseTarget } from '../verdict/parse-target.ts';
import { checkTargetRoutes } from '../verdict/target-routes.ts';
import { askedLoad } from './asked-load.ts';
import type { OptionValues } from './options/index.ts';
import { headersOf, resolutionsOf, tlsOf, transportNotices, transportOf } from './transport-request.ts';

/** How the log is read. */
export function logOptions(options: OptionValues): LogOptions {
  return {
    ...(options.format !== undefined && { format: options.format }),
    ...(options.window !== undefined && { window: options.window }),
    ...(options.sessionTimeout !== undefined && { sessionTimeoutSeconds: options.sessionTimeout }),
    ...(options.routes !== undefined && { routesPath: options.routes }),
    ...(options.keepValues === true && { keepValues: true }),
  };
}

/** Whether `--format` says that the file is a log. */
export const isLogFormatAsked = ({ format = 'auto' }: OptionValues): boolean => format !== 'auto';

/** How the service is reached. Throws `option-invalid` without a url, or when two ways to name the process meet. */
export function serviceRequest(options: OptionValues): ServiceRequest {
  if (options.url === undefined) {
    throw new ShiploadError('option-invalid', 'where should the load go?', {
      where: '--url',
      hint: 'For example --url http://127.0.0.1:8080',
    });
  }
  const ways = [options.start, options.pid, options.port, options.container].filter(
    (way) => way !== undefined,
  );
  if (ways.length > 1) {
    throw new ShiploadError(
      'option-invalid',
      '--start, --pid, --port and --container name the watched process in several ways; give one',
      {
        where: '--start, --pid, --port, --container',
      },
    );
  }
  const pages = [options.metrics, options.stats].filter((page) => page !== undefined);
  const { url } = options;
  const [transport, tls, resolutions] = [
    transportOf(options),
    tlsOf(url, options),
    resolutionsOf(url, options),
  ];
  return {
    url,
    ...(pages.length > 0 && { pages }),
    ...(transport !== undefined && { transport }),
    ...(tls !== undefined && { tls }),
    ...(resolutions.length > 0 && { resolutions }),
    ...(options.unixSocket !== undefined && { socketPath: options.unixSocket }),
    ...(options.start !== undefined && { startCommand: options.start }),
    readyPath: options.ready ?? '/',
    readyTimeoutSeconds: options.readyTimeout ?? 30,
    ...(options.pid !== undefined && { pid: options.pid }),
    ...(options.port !== undefined && { port: options.port }),
    ...(options.container !== undefined && { containerName: options.container }),
    ...(options.cores !== undefined && { cores: options.cores }),
  };
}

/** The ceilings asked for; what is missing the place decides. */
export function safetyRequest(options: OptionValues): SafetyRequest {
  return {
    ...(options.maxUsers !== undefined && { maxUsers: options.maxUsers }),
    ...(options.maxRate !== undefined && { maxRatePerSecond: options.maxRate }),
    ...(options.stopOnErrors !== undefined && { stopOnErrors: options.stopOnErrors }),
  };
}

export function parseTargets(options: OptionValues): readonly Target[] {
  return (options.target ?? []).map(parseTarget);
}

/** The plan of a workload under these options, every target's route known and its load a step. */
export function plannedLoad(
  workload: WorkloadModel,
  targets: readonly Target[],
  options: OptionValues,
  writes?: WriteMixOptions,
): PlannedLoad {
  const routes = workload.requestClasses.map((requestClass) => requestClass.route);
  checkTargetRoutes(targets, [...routes, ...routesOf(writes)]);
  return planOn(basisOfWorkload(workload), 'steps', targets, options, writes);
}

/** The plan of a URL's one request: a sweep, unless the options ask for another shape. */
export function plannedUrl(
  url: URL,
  body: string | undefined,
  targets: readonly Target[],
  options: OptionValues,
  writes?: WriteMixOptions,
): PlannedLoad {
  checkTargetRoutes(targets, [url.pathname, ...routesOf(writes)]);
  const method = options.method ?? (body === undefined ? 'GET' : 'POST');
  const basis = basisOfUrl(url, { method, ...(body !== undefined && { body }) });
  return planOn(basis, 'sweep', targets, options, writes);
}

/** The plan of a list of requests: a sweep, unless the options ask for another shape. */
export function plannedMix(
  basis: LoadBasis,
  targets: readonly Target[],
  options: OptionValues,
  writes?: WriteMixOptions,
): PlannedLoad {
  checkTargetRoutes(targets, [...basis.requests.map(({ route }) => route), ...routesOf(writes)]);
  return planOn(basis, 'sweep', targets, options, writes);
}

const routesOf = (writes: WriteMixOptions | undefined): readonly string[] =>
  writes === undefined ? [] : [writes.request.route];

/** The plan of a basis under these options. */
export function planOn(
  basis: LoadBasis,
  usualShape: string,
  targets: readonly Target[],
  options: OptionValues,
  writes?: WriteMixOptions,
): PlannedLoad {
  const { shape, loadKind, loads } = askedLoad(options, usualShape);
  const headers = headersOf(options);
  const load = planLoad(basis, {
    shape,
    // Without loads the shape varies what it usually does.
    ...(loads !== undefined && loadKind !== undefined && { loadKind, loads }),
    targets,
    ...(options.think !== undefined && { thinkTime: options.think }),
    ...(options.usersPerSecond !== undefined && { usersPerSecond: options.usersPerSecond }),
    ...(options.arrivals !== undefined && { arrivals: options.arrivals }),
    ...(options.maxInFlight !== undefined && { maxInFlight: options.maxInFlight }),
    ...stepTimes(options),
    requestTimeoutSeconds: options.timeout ?? 30,
    seed: options.seed ?? 7,
    ...(headers !== undefined && { headers }),
    peakOnly: options.smoke === true,
    extend: options.extend === true,
    ...(writes !== undefined && { writes }),
    growth: {
      ...(options.maxLoad !== undefined && { highestLoad: options.maxLoad }),
      ...(options.precision !== undefined && { precisionRatio: options.precision }),
      ...(options.maxErrors !== undefined && { errorLimitRatio: options.maxErrors }),
      ...(options.maxResponse !== undefined && { responseLimitSeconds: options.maxResponse }),
    },
  });
  return withTransport(load, options);
}

/** The load with the way it takes, where the options choose one. */
export function withTransport(load: PlannedLoad, options: OptionValues): PlannedLoad {
  const transport = transportOf(options);
  if (transport === undefined) return load;
  return {
    ...load,
    plan: { ...load.plan, transport },
    notices: [...load.notices, ...transportNotices(transport)],
  };
}

const SHORT_WARMUP_SHARE = 0.2;
const SHORT_WARMUP_LIMIT_SECONDS = 5;

/** `--step` holds the warm-up, `-z` does not. Throws `option-invalid` when both are given. */
function stepTimes(options: OptionValues): { readonly stepSeconds: number; readonly warmupSeconds: number } {
  const { step, duration, warmup } = options;
  if (duration === undefined) return { stepSeconds: step ?? 60, warmupSeconds: warmup ?? 20 };
  if (step !== undefined) {
    throw new ShiploadError(
      'option-invalid',
      '--step and -z give the length of a step in two ways; give one',
      {
        where: '--step, -z',
      },
    );
  }
  const warmupSeconds = warmup ?? Math.min(SHORT_WARMUP_SHARE * duration, SHORT_WARMUP_LIMIT_SECONDS);
  return { stepSeconds: warmupSeconds + duration, warmupSeconds };
}

/** Where a run is written, and what it is called. */
export function runPlace(
  options: OptionValues,
  now: Date,
): { readonly label: string; readonly path: string } {
  if (options.label !== undefined && /[/\\\0]|^\.{0,2}$/.test(options.label)) {
    throw new ShiploadError('option-invalid', `--label: "${options.label}" is no name for a folder`, {
      where: '--label',
    });
  }
  const stamp = now.toISOString().replace(/\..*$/, '').replaceAll(':', '');
  const path = options.out ?? join('runs', options.label ?? stamp);
  return { label: options.label ?? path.split('/').findLast((part) => part !== '') ?? stamp, path };
}
