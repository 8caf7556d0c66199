import { analyze } from './analysis/analyze.ts';
import { spikeResult } from './analysis/spike-result.ts';
import { writeCost } from './analysis/write-cost.ts';
import { stepTable } from './analysis/step-table.ts';
import { poolByLoad } from './drive/pool-steps.ts';
import type { StepSource } from './drive/run-plan.ts';
import { grownStep, loadKindOf, loadOfDriver } from './load/growth/grown-step.ts';
import { nextSearchLoad, searchResult, type SearchState } from './load/growth/search-load.ts';
import { stepUp } from './load/growth/step-up.ts';
import { nextStressLoad, stressResult } from './load/growth/stress-load.ts';
import type { StepRow } from './model/analysis.ts';
import type { LoadPlan } from './model/load.ts';
import type { StepMeasurement } from './model/measurement.ts';
import type { LoadTrial, ShapeResult } from './model/shape-result.ts';
import type { Target } from './model/verdict.ts';
import { loadTrial } from './verdict/load-trial.ts';

/** What a growing plan is judged by. */
export interface GrowthContext {
  readonly plan: LoadPlan;
  readonly targets: readonly Target[];
  readonly marginRatio: number;
  /** m, where it was given. */
  readonly serverCount?: number;
}

/**
 * The steps that the rows of a run stand for: as measured, and of a search joined by load, because it repeats loads
 * and goes up and down.
 */
export const measuredLoads = (
  { growth }: Pick<LoadPlan, 'growth'>,
  measurements: readonly StepMeasurement[],
): readonly StepMeasurement[] => (growth?.kind === 'search' ? poolByLoad(measurements) : measurements);

/** Trials that later steps do not change: those of loads not run again since. */
type TrialCache = Map<number, LoadTrial>;

/** What a search knows after these steps. */
export function searchStateOf(
  context: GrowthContext,
  measurements: readonly StepMeasurement[],
  cache: TrialCache = new Map(),
): SearchState {
  const byLoad = new Map<number, StepMeasurement[]>();
  for (const measurement of measurements) {
    const load = loadOfDriver(measurement.step);
    byLoad.set(load, [...(byLoad.get(load) ?? []), measurement]);
  }
  for (const [load, steps] of byLoad) {
    if (cache.get(load)?.stepCount !== steps.length) cache.set(load, trialOf(context, load, steps));
  }
  return {
    trials: [...byLoad.keys()].map((load) => cache.get(load)!),
    stepCount: measurements.length,
    isCount: isCountOf(context.plan),
  };
}

function trialOf(context: GrowthContext, load: number, steps: readonly StepMeasurement[]): LoadTrial {
  const [pooled] = poolByLoad(steps);
  const [row] = rowsOf([pooled!], context);
  return loadTrial(row!, pooled!, context, { load, stepCount: steps.length });
}

/** How the plan goes on, by its growth; undefined for a plan that ends with its steps. */
export function stepSourceOf(context: GrowthContext): StepSource | undefined {
  const { plan } = context;
  if (plan.growth === undefined) return undefined;
  const cache: TrialCache = new Map();
  return (measurements) => {
    const last = measurements.at(-1);
    const load = last === undefined ? undefined : nextLoad(context, measurements, cache);
    return last === undefined || load === undefined ? undefined : grownStep(plan, load, last);
  };
}

function nextLoad(
  context: GrowthContext,
  measurements: readonly StepMeasurement[],
  cache: TrialCache,
): number | undefined {
  const { growth } = context.plan;
  if (growth?.kind === 'search') return nextSearchLoad(searchStateOf(context, measurements, cache), growth);
  const rows = rowsOf(measurements, context);
  const isCount = isCountOf(context.plan);
  if (growth?.kind === 'stress') return nextStressLoad(rows, isCount, growth);
  if (growth === undefined || !mayBendLater(rows)) return undefined;
  const load = stepUp(loadOfDriver(measurements.at(-1)!.step), isCount);
  return load <= growth.highestLoad ? load : undefined;
}

/**
 * The curve has not bent, nor had before its first step, which more load would not mend; and the last step still says
 * something about the service.
 */
function mayBendLater(rows: readonly StepRow[]): boolean {
  if (!rows.at(-1)!.valid) return false;
  const { seen, upperBound, rise } = analyze(rows, { replicates: EXTEND_REPLICATES }).knee;
  return !seen && (upperBound === undefined || rise !== undefined);
}

/** Enough for yes or no between two steps; the report draws more. */
const EXTEND_REPLICATES = 100;

const isCountOf = (plan: LoadPlan): boolean => loadKindOf(plan) !== 'arrivalRatePerSecond';

const rowsOf = (
  measurements: readonly StepMeasurement[],
  { serverCount }: GrowthContext,
): readonly StepRow[] => stepTable(measurements, serverCount === undefined ? {} : { serverCount });

/** What the shape set out to find; undefined for a shape that only measures. */
export function shapeResultOf(
  context: GrowthContext,
  measurements: readonly StepMeasurement[],
  rows: readonly StepRow[],
): ShapeResult | undefined {
  const { growth, shape, writeId } = context.plan;
  if (writeId !== undefined) return writeCost(context.plan, rows, measurements);
  if (shape === 'spike') return spikeResult(measurements);
  if (growth?.kind === 'search') return searchResult(searchStateOf(context, measurements), growth);
  return growth?.kind === 'stress' ? stressResult(rows, growth) : undefined;
}
