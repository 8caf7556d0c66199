import type { Interval } from '../model/distribution.ts';
import { sampleQuantile } from './order-statistics.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';

/**
 * Replicates of an estimate, each from a data set drawn anew by `resample` (Efron 1979; parametric when it
 * draws from a fitted model). Estimates that do not exist are left out. The seed fixes the outcome.
 */
export function bootstrap<Data>(
  resample: (random: Random) => Data,
  estimate: (data: Data) => number | undefined,
  options: { readonly count: number; readonly seed: number },
): number[] {
  const random = createRandom(options.seed);
  const replicates: number[] = [];
  for (let i = 0; i < options.count; i += 1) {
    const value = estimate(resample(random));
    if (value !== undefined && Number.isFinite(value)) replicates.push(value);
  }
  return replicates;
}

/** As many draws with replacement as there are values. */
export function resampleValues<Value>(values: readonly Value[], random: Random): Value[] {
  return values.map(() => values[Math.floor(random.next() * values.length)]!);
}

/** The percentile interval of bootstrap replicates (Efron & Tibshirani 1993, ch. 13); missing when there are none. */
export function percentileBootstrapInterval(
  replicates: readonly number[],
  confidence = 0.95,
): Interval | undefined {
  const tail = (1 - confidence) / 2;
  const low = sampleQuantile(replicates, tail);
  const high = sampleQuantile(replicates, 1 - tail);
  return low === undefined || high === undefined ? undefined : [low, high];
}
