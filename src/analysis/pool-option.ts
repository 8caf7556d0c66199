import type { Analysis, RemedyOption, StepRow } from '../model/analysis.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import type { Verdict } from '../model/verdict.ts';
import { countText, figure, percentText } from '../stats/wording.ts';
import { basisOfLowestStep } from './demand-basis.ts';
import { withPoolOfRun, withVariationOfRun } from './run-basis.ts';
import { type SimulatedBasis, simulatedBasis } from './simulated-basis.ts';

export interface PoolOptionInput {
  readonly analysis: Analysis;
  readonly measurements: readonly StepMeasurement[];
  /** The step at the peak, and its users or workers. */
  readonly peak: StepRow;
  readonly users: number;
  readonly thinkTimeSeconds: number;
  readonly simulate: (basis: SimulatedBasis, users: number) => StepRow;
  readonly judge: (row: StepRow) => Verdict;
}

/**
 * What twice the places would bring where a pool is full: X and p95 by simulation of the CPU and the doubled pool,
 * U = X·D/m, N* = (D + Z)·min(m/D). That what stands behind the pool (a database, say) carries twice as much at once is
 * assumed and said. Undefined where no pool is full, or the run shows no demands.
 */
export function poolOption(input: PoolOptionInput): RemedyOption | undefined {
  const { analysis, measurements, peak, users, thinkTimeSeconds } = input;
  const hasDemand = analysis.steps.some(
    (row) => row.valid && row.serviceDemandSeconds['cpu'] && row.responseTimeSeconds,
  );
  if (!hasDemand) return undefined;
  const lowest = withVariationOfRun(basisOfLowestStep(analysis.steps), analysis, measurements);
  const basis = withPoolOfRun(lowest, analysis, measurements);
  if (basis.poolSize === undefined) return undefined;
  const doubled = { ...basis, poolSize: 2 * basis.poolSize };
  const row = input.simulate(simulatedBasis(doubled), users);
  const [{ cpuSeconds, elsewhereSeconds, route }] = doubled.routes as [(typeof doubled.routes)[number]];
  const limit = Math.min(doubled.coreCount / cpuSeconds, doubled.poolSize / elsewhereSeconds);
  const utilizationRatio = (row.throughputPerSecond * cpuSeconds) / doubled.coreCount;
  const p95Seconds = row.overall.p95Seconds;
  const judged = input.judge({
    ...row,
    utilizationRatio: { ...row.utilizationRatio, cpu: utilizationRatio },
  });
  const verdict = judged.decision === 'pass' ? 'chosen' : judged.decision === 'not-judged' ? 'partial' : 'no';
  return {
    id: 'double-the-pool',
    option: `twice the places: a pool of ${doubled.poolSize} instead of ${basis.poolSize}`,
    effect: `${countText(doubled.poolSize, 'request')} served at once; assumes that what the pool leads to carries them as fast`,
    predicted: {
      users,
      throughputPerSecond: row.throughputPerSecond,
      utilizationRatio,
      saturationUsers: (cpuSeconds + elsewhereSeconds + thinkTimeSeconds) * limit,
      p95ByRoute: p95Seconds === undefined ? {} : { [route]: p95Seconds },
    },
    verdict,
    reason: `${judged.decision === 'not-judged' ? 'no targets to judge by' : judged.reason}: ${figure(peak.throughputPerSecond)}/s → ${figure(row.throughputPerSecond)}/s, CPU ${percentText(utilizationRatio)}`,
  };
}
