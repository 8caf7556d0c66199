import { predictCurve, type PredictOptions } from '../analysis/predict.ts';
import { basisOfRun } from '../analysis/run-basis.ts';
import { stepTable } from '../analysis/step-table.ts';
import type { Distribution } from '../model/distribution.ts';
import type { Prediction } from '../model/prediction.ts';
import type { RunRecord } from '../model/record.ts';
import { simulateStep } from './simulate-step.ts';

/** So many requests give X within a per cent and a p95 within a few. */
const SIMULATED_REQUESTS = 20_000;
const LONGEST_SIMULATED_SECONDS = 3600;
const SEED = 7;

/** The stations of a prediction on the virtual clock, long enough for a p95. */
export function simulateOn(thinkTime: Distribution | undefined): NonNullable<PredictOptions['simulate']> {
  return ({ service, requests }, users, expectedPerSecond) => {
    const seconds = Math.min(LONGEST_SIMULATED_SECONDS, SIMULATED_REQUESTS / expectedPerSecond);
    const step = simulateStep(service, users, requests, thinkTime, 1, SEED, seconds);
    return stepTable([step], { serverCount: 1 })[0]!;
  };
}

/**
 * What a run's service would do under changes, at the loads of the run: as `shipload predict RUN --what-if` says it.
 * Throws what `basisOfRun` and `applyWhatIf` throw.
 */
export function predictRun(
  { analysis, measurements, isolation, manifest }: RunRecord,
  whatIf: readonly string[],
): Prediction {
  const thinkTime = manifest.plan.thinkTimeSeconds;
  return predictCurve(basisOfRun(analysis, measurements, isolation), {
    thinkTimeSeconds: thinkTime?.meanSeconds ?? 0,
    whatIf,
    measured: analysis.steps,
    simulate: simulateOn(thinkTime),
  });
}
