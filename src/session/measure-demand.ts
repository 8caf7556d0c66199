import { stepTable } from '../analysis/step-table.ts';
import { ShiploadError } from '../errors.ts';
import type { LoadPlan } from '../model/load.ts';
import { loadOnce } from './load-once.ts';
import type { OpenService } from './open-service.ts';

/** Part of the time that goes by unmeasured. */
const WARMUP_SHARE = 0.25;

/**
 * CPU seconds of the service per request of one route: one worker without think time, D = busy / completions.
 * Throws `run-invalid` when nothing was answered or the process is not watched.
 */
export async function measureDemand(
  service: OpenService,
  route: string,
  targets: readonly string[],
  options: { readonly seconds: number; readonly seed: number },
): Promise<number> {
  const warmupSeconds = options.seconds * WARMUP_SHARE;
  const plan: LoadPlan = {
    seed: options.seed,
    shape: 'steps',
    requests: [
      {
        id: `GET ${route}`,
        method: 'GET',
        route,
        shareRatio: 1,
        targets: { draw: 'uniform', targets, distinctCount: targets.length },
      },
    ],
    requestTimeoutSeconds: 30,
    steps: [
      {
        index: 0,
        label: '1 worker',
        driver: { kind: 'closed', users: 1 },
        warmupSeconds,
        measureSeconds: options.seconds - warmupSeconds,
      },
    ],
  };
  const { measurements } = await loadOnce(plan, service, {});
  const row = stepTable(measurements, { serverCount: 1 })[0];
  const demandSeconds = row?.serviceDemandSeconds['cpu'];
  if (demandSeconds === undefined || !(demandSeconds > 0)) {
    throw new ShiploadError('run-invalid', `the demand of ${route} could not be measured`, {
      hint: 'Nothing was answered, or the CPU of the process cannot be read.',
    });
  }
  return demandSeconds;
}
