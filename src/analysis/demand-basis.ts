import { ShiploadError } from '../errors.ts';
import type { Isolation, StepRow } from '../model/analysis.ts';
import type { Notice } from '../model/notice.ts';
import { loadText } from '../stats/wording.ts';
import { elsewhereSeconds } from './remedies.ts';

/** What one route asks of the service. */
export interface RouteDemand {
  readonly route: string;
  readonly shareRatio: number;
  readonly cpuSeconds: number;
  /** Outside the CPU: a delay, or the time a slot of the pool is held. */
  readonly elsewhereSeconds: number;
  readonly squaredVariation: number;
}

/** The demands and sizes that a curve is predicted from. */
export interface DemandBasis {
  readonly basis: string;
  readonly routes: readonly RouteDemand[];
  readonly coreCount: number;
  /** Size of the pool that the time elsewhere is spent in; missing: it does not queue. */
  readonly poolSize?: number;
  readonly notices: readonly Notice[];
}

const WHOLE_MIX = 'all routes';

/**
 * The demands of routes that were run alone; each is taken as constant within its route. `shares` (by route) takes
 * the place of the isolation's own mix. Throws `workload-invalid` when none of its routes was isolated.
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
  return {
    basis: 'isolated routes',
    routes: isolation.routes.map((route) => ({
      route: route.route,
      shareRatio: shareOf(route.route, route.shareRatio) / total,
      cpuSeconds: route.serviceDemandSeconds,
      elsewhereSeconds: elsewhereSeconds(route),
      squaredVariation: 0,
    })),
    coreCount: isolation.serverCount,
    notices: missing.length === 0 ? [] : [{ code: 'route-not-isolated', severity: 'warning', message }],
  };
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
      hint: 'Isolate the routes first: shipload isolate, then shipload predict isolation.json',
    });
  }
  const message = `routes were not isolated: demands are those of the mix at ${loadText(row)}, and what one route does to another cannot be seen`;
  return {
    basis: 'the lowest step of the run',
    routes: [
      {
        route: WHOLE_MIX,
        shareRatio: 1,
        cpuSeconds,
        elsewhereSeconds: Math.max(0, row.responseTimeSeconds - cpuSeconds),
        squaredVariation: 1,
      },
    ],
    coreCount: row.serverCount['cpu'] ?? 1,
    notices: [{ code: 'mix-as-one-route', severity: 'warning', message }],
  };
}
