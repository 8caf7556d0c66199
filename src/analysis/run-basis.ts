import type { Analysis, Isolation } from '../model/analysis.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { mergeHistograms } from '../stats/histogram.ts';
import { loadOf, percentText } from '../stats/wording.ts';
import { measurementOfStep, serviceCounter } from './counter-window.ts';
import { basisOfIsolation, basisOfLowestStep, type DemandBasis, type RouteDemand } from './demand-basis.ts';
import { quantilesOf, variationBeyond } from './hold-variation.ts';
import { plateauPerSecond } from './knee.ts';

/**
 * What a run shows of its service: the demands of its isolated routes, else those of its lowest step as it varied, and
 * the pool that is full. Throws what `basisOfLowestStep` throws.
 */
export function basisOfRun(
  analysis: Analysis,
  measurements: readonly StepMeasurement[],
  isolation?: Isolation,
): DemandBasis {
  const basis =
    isolation === undefined
      ? withVariationOfRun(basisOfLowestStep(analysis.steps), analysis, measurements)
      : basisOfIsolation(isolation);
  return withPoolOfPlateau(withPoolOfRun(basis, analysis, measurements), analysis);
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
  const varied = only.quantileSeconds === undefined ? { ...only, squaredVariation: 0 } : only;
  const route = { ...varied, cpuSeconds, elsewhereSeconds: told / plateau };
  return { ...basis, poolSize, routes: [route] };
}

/**
 * The basis of a mix as one class with the time outside the CPU varying as one user or worker saw it; unchanged where
 * the lowest step had more, or routes were isolated.
 */
export function withVariationOfRun(
  basis: DemandBasis,
  { steps }: Pick<Analysis, 'steps'>,
  measurements: readonly StepMeasurement[],
): DemandBasis {
  const [only, ...others] = basis.routes;
  const row = steps.find((one) => one.valid && loadOf(one)?.value === 1);
  const measurement = row && measurementOfStep(measurements, row.index);
  if (only === undefined || others.length > 0 || measurement === undefined) return basis;
  const times = measurement.byRoute.map(({ responseTime }) => responseTime);
  const quantiles = times.length === 0 ? undefined : quantilesOf(mergeHistograms(times));
  if (quantiles === undefined) return basis;
  return { ...basis, routes: [{ ...only, ...variationBeyond(quantiles, only.cpuSeconds) }] };
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
