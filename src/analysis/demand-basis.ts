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
  readonly cpuSeconds: number;
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
  readonly notices: readonly Notice[];
}

const WHOLE_MIX = 'all routes';
const ISOLATE =
  'isolate the routes: shipload isolate <workload> --url URL -o isolation.json, then shipload predict isolation.json <workload>';

/**
 * The demands of routes that were run alone; the CPU's are taken as constant within a route, the time outside it as one
 * user saw it vary. Where the service counts how long its lock is held, the lock is one server, and the rest a delay.
 * `shares` (by route) takes the place of the isolation's own mix. Throws `workload-invalid` when none of its routes was isolated.
 */
export function basisOfIsolation(isolation: Isolation, shares?: ReadonlyMap<string, number>): DemandBasis {
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
      cpuSeconds: route.serviceDemandSeconds,
      ...outsideCpu(route, isLocked),
    })),
    coreCount: isolation.serverCount,
    ...(isLocked && { poolSize: 1, isLock: true }),
    notices: missing.length === 0 ? [] : [{ code: 'route-not-isolated', severity: 'warning', message }],
  };
}

/** What a route spends outside the CPU: held and waited for, or a delay. What varies in it is taken to be the larger. */
function outsideCpu(
  route: IsolatedRoute,
  isLocked: boolean,
): Pick<RouteDemand, 'elsewhereSeconds' | 'delaySeconds' | 'delayVariation'> & Variation {
  const outsideSeconds = elsewhereSeconds(route);
  const heldSeconds = isLocked ? (route.lockHeldSeconds ?? 0) : outsideSeconds;
  const delaySeconds = Math.max(0, outsideSeconds - heldSeconds);
  const { quantileSeconds, serviceDemandSeconds } = route;
  const beyond = (fixedSeconds: number): Variation =>
    variationBeyond(quantileSeconds, serviceDemandSeconds + fixedSeconds);
  if (delaySeconds > heldSeconds)
    return { elsewhereSeconds: heldSeconds, delaySeconds, delayVariation: beyond(heldSeconds), ...CONSTANT };
  return {
    elsewhereSeconds: heldSeconds,
    ...(delaySeconds > 0 && { delaySeconds }),
    ...beyond(delaySeconds),
  };
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
