import { ShiploadError } from '../errors.ts';
import type { Analysis, Isolation, StepRow } from '../model/analysis.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { loadText, percentText } from '../stats/wording.ts';
import { serviceCounter } from './counter-window.ts';
import { plateauPerSecond } from './knee.ts';
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
const ISOLATE =
  'isolate the routes: shipload isolate <workload> --url URL -o isolation.json, then shipload predict isolation.json <workload>';

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

/** The route's own name where there is only one. */
function nameOf({ byRoute }: StepRow): string {
  const [only, ...others] = Object.keys(byRoute);
  return only === undefined || others.length > 0 ? WHOLE_MIX : only;
}

/**
 * The basis with the pool that the run showed: its size as the service tells it, else the requests served at once by
 * the curve. A full pool tells the time that a place is held exactly, m / X of the plateau: it takes the place of what
 * the light load showed of it where the mix is one route, as does the CPU demand there, which holds no idle costs.
 * Unchanged where no finding says that a pool is full.
 */
export function withPoolOfRun(
  basis: DemandBasis,
  { steps, findings, knee, useTable }: Analysis,
  measurements: readonly StepMeasurement[],
): DemandBasis {
  const isFull =
    findings.some(({ resource, confidence }) => resource === 'pool' && confidence !== 'low') ||
    useTable?.rows.some(({ resource, verdict }) => resource === 'pool' && verdict === 'full') === true;
  const plateau = plateauPerSecond(knee);
  if (!isFull || plateau === undefined) return basis;
  const held = basis.routes.reduce((sum, one) => sum + one.shareRatio * one.elsewhereSeconds, 0);
  const told = measurements
    .map((measurement) => serviceCounter(measurement, 'poolInUse')?.capacity)
    .find((size) => size !== undefined);
  const poolSize = told ?? Math.max(1, Math.round(plateau * held));
  const [only, ...others] = basis.routes;
  if (told === undefined || only === undefined || others.length > 0) return { ...basis, poolSize };
  const cpuSeconds = steps.findLast((row) => row.valid)?.serviceDemandSeconds['cpu'] ?? only.cpuSeconds;
  const route = { ...only, cpuSeconds, elsewhereSeconds: told / plateau, squaredVariation: 0 };
  return { ...basis, poolSize, routes: [route] };
}

/** A plateau at less of m/D than this is not the CPU's. */
const CPU_SHARE = 0.8;
const MACHINE_FULL = 0.9;

/**
 * The basis with as many places as the plateau of a run keeps busy, X·hold time, and a notice that says so: where no
 * pool is known and neither the service's CPU nor the machine's is what ends the rise of X. Else unchanged.
 */
export function withPoolOfPlateau(
  basis: DemandBasis,
  { knee, steps }: Pick<Analysis, 'knee' | 'steps'>,
): DemandBasis {
  const plateau = plateauPerSecond(knee);
  if (basis.poolSize !== undefined || plateau === undefined) return basis;
  // On a machine without a free core the time outside the CPU is the wait for it.
  if (steps.some(({ machineCpuRatio = 0 }) => machineCpuRatio >= MACHINE_FULL)) return basis;
  const over = (of: (route: RouteDemand) => number): number =>
    basis.routes.reduce((sum, route) => sum + route.shareRatio * of(route), 0);
  const busyRatio = (plateau * over(({ cpuSeconds }) => cpuSeconds)) / basis.coreCount;
  const poolSize = Math.round(plateau * over((route) => route.elsewhereSeconds));
  if (busyRatio >= CPU_SHARE || poolSize < 1) return basis;
  const notice: Notice = {
    code: 'pool-from-plateau',
    severity: 'warning',
    message: `X levels off with the CPU at ${percentText(busyRatio)} of its limit, so the time outside the CPU is taken as held in a pool of ${poolSize}, as many as were busy there (X·hold time)`,
    advice: 'where the size is known, give it: --what-if pool=<size>',
  };
  return { ...basis, poolSize, notices: [...basis.notices, notice] };
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
