import { ShiploadError } from '../errors.ts';
import type { IsolatedRoute, Isolation, StepRow } from '../model/analysis.ts';
import type { Notice } from '../model/notice.ts';
import { loadText } from '../stats/wording.ts';
import { CONSTANT, variationBeyond, type Variation } from './hold-variation.ts';
import { elsewhereSeconds } from './outside-cpu.ts';

/** What one route asks of the service. */
export interface RouteDemand {
  readonly route: string;
  readonly shareRatio: number;
  /** Not counting what is used while the lock is held. */
  readonly cpuSeconds: number;
  /** CPU used while the lock is held: part of its time, and of the load of the cores. */
  readonly heldCpuSeconds?: number;
  /** Outside the CPU: a delay, or the time a slot of the pool, or the lock, is held. */
  readonly elsewhereSeconds: number;
  /** Outside the CPU, the pool and the lock: never waited for. */
  readonly delaySeconds?: number;
  /** How the delay varies, where it is the larger part; constant otherwise. */
  readonly delayVariation?: Variation;
  readonly squaredVariation: number;
  /** The shape in which the time elsewhere varies, where it was measured. */
  readonly quantileSeconds?: readonly number[];
}

/** The demands and sizes that a curve is predicted from. */
export interface DemandBasis {
  readonly basis: string;
  readonly routes: readonly RouteDemand[];
  readonly coreCount: number;
  /** Size of the pool that the time elsewhere is spent in; missing: it does not queue. */
  readonly poolSize?: number;
  /** The pool of one is a lock, by the service's own count. */
  readonly isLock?: true;
  /** Threads that answer, where they are known to be fewer than the cores: they are what requests wait for. */
  readonly laneCount?: number;
  readonly notices: readonly Notice[];
}

const WHOLE_MIX = 'all routes';
const ISOLATE =
  'isolate the routes: shipload isolate <workload> --url URL -o isolation.json, then shipload predict isolation.json <workload>';

/**
 * The demands of routes that were run alone; the CPU's are taken as constant within a route, the time outside it as one
 * user saw it vary. Where the service counts how long its lock is held, the lock is one server, and the rest a delay.
 * `shares` (by route) takes the place of the isolation's own mix; with one lane its CPU is that of the busiest thread, and
 * what other threads use of it is part of the time that the lock is held. Throws `workload-invalid` when none of its routes was isolated.
 */
export function basisOfIsolation(
  isolation: Isolation,
  shares?: ReadonlyMap<string, number>,
  laneCount?: number,
): DemandBasis {
  const shareOf = (route: string, own: number): number =>
    shares === undefined ? own : (shares.get(route) ?? 0);
  const total = isolation.routes.reduce((sum, { route, shareRatio }) => sum + shareOf(route, shareRatio), 0);
  if (!(total > 0)) {
    throw new ShiploadError('workload-invalid', 'no route of the workload was isolated', {
      hint: `Isolated: ${isolation.routes.map(({ route }) => route).join(', ')}`,
    });
  }
  const missing = [...(shares?.keys() ?? [])].filter(
    (route) => !isolation.routes.some((one) => one.route === route),
  );
  const message = `not isolated, so not in the prediction: ${missing.join(', ')}`;
  const isLocked = isolation.routes.some(({ lockHeldSeconds = 0 }) => lockHeldSeconds > 0);
  return {
    basis: 'isolated routes',
    routes: isolation.routes.map((route) => ({
      route: route.route,
      shareRatio: shareOf(route.route, route.shareRatio) / total,
      ...(isLocked ? besideLock(route, laneCount) : outsideCpu(route)),
    })),
    coreCount: isolation.serverCount,
    ...(laneCount !== undefined && { laneCount }),
    ...(isLocked && { poolSize: 1, isLock: true }),
    notices: missing.length === 0 ? [] : [{ code: 'route-not-isolated', severity: 'warning', message }],
  };
}

/** A route whose time outside the CPU is held, where a pool is known, or is a delay. */
function outsideCpu(route: IsolatedRoute): Pick<RouteDemand, 'cpuSeconds' | 'elsewhereSeconds'> & Variation {
  const { serviceDemandSeconds: cpuSeconds, quantileSeconds } = route;
  return {
    cpuSeconds,
    elsewhereSeconds: elsewhereSeconds(route),
    ...variationBeyond(quantileSeconds, cpuSeconds),
  };
}

/**
 * A route behind a lock: the time it is held, by the service's own count, and the rest of R0, which is CPU as far as the
 * demand reaches, else a delay. CPU beyond that was used while the lock was held. What varies is taken to be the larger
 * of the time held and the delay.
 */
function besideLock(
  route: IsolatedRoute,
  laneCount: number | undefined,
): Omit<RouteDemand, 'route' | 'shareRatio'> {
  const { serviceDemandSeconds, lockHeldSeconds: heldSeconds = 0, quantileSeconds } = route;
  const laneSeconds =
    laneCount === 1 ? (route.threadDemandSeconds ?? serviceDemandSeconds) : serviceDemandSeconds;
  const restSeconds = Math.max(0, (route.meanSeconds ?? route.p50Seconds) - heldSeconds);
  const cpuSeconds = Math.min(laneSeconds, restSeconds);
  const delaySeconds = restSeconds - cpuSeconds;
  const parts = {
    cpuSeconds,
    heldCpuSeconds: serviceDemandSeconds - cpuSeconds,
    elsewhereSeconds: heldSeconds,
    ...(delaySeconds > 0 && { delaySeconds }),
  };
  if (delaySeconds <= heldSeconds) return { ...parts, ...variationBeyond(quantileSeconds, restSeconds) };
  const delayVariation = variationBeyond(quantileSeconds, cpuSeconds + heldSeconds);
  return { ...parts, delayVariation, ...CONSTANT };
}

/** The route's own name where there is only one. */
function nameOf({ byRoute }: StepRow): string {
  const [only, ...others] = Object.keys(byRoute);
  return only === undefined || others.length > 0 ? WHOLE_MIX : only;
}

/**
 * The mix as one class, from the lowest valid step: D of the CPU, and R − D elsewhere; service times are taken as
 * exponential. Throws `run-invalid` when no step has both the CPU and the response time.
 */
export function basisOfLowestStep(rows: readonly StepRow[]): DemandBasis {
  const row = rows.find((one) => one.valid && one.serviceDemandSeconds['cpu'] !== undefined);
  const cpuSeconds = row?.serviceDemandSeconds['cpu'];
  if (row?.responseTimeSeconds === undefined || cpuSeconds === undefined || !(cpuSeconds > 0)) {
    throw new ShiploadError('run-invalid', 'no valid step has the CPU of the service and response times', {
      hint: ISOLATE,
    });
  }
  const message = `routes were not isolated: demands are those of the mix at ${loadText(row)}, and what one route does to another cannot be seen`;
  return {
    basis: 'the lowest step of the run',
    routes: [
      {
        route: nameOf(row),
        shareRatio: 1,
        cpuSeconds,
        elsewhereSeconds: Math.max(0, row.responseTimeSeconds - cpuSeconds),
        squaredVariation: 1,
      },
    ],
    coreCount: row.serverCount['cpu'] ?? 1,
    notices: [{ code: 'mix-as-one-route', severity: 'warning', message, advice: ISOLATE }],
  };
}
