import type { StepRow } from '../model/analysis.ts';
import type { HistogramData } from '../model/histogram.ts';
import type { Slice, StepMeasurement } from '../model/measurement.ts';
import type { Target } from '../model/verdict.ts';
import { variance } from '../stats/batch-means.ts';
import { normalUpperTail } from '../stats/distributions.ts';
import { binsOf, mergeHistograms } from '../stats/histogram.ts';
import { neededWithMargin } from '../stats/margin.ts';
import { observe } from './observe.ts';
import { resolveRoute } from './target-routes.ts';

/** Standard errors that stand for certainty. */
const CERTAIN = 6;
/** 95 % intervals reach this many standard errors to either side. */
const Z_95 = 1.96;
const BATCHES = 10;

/**
 * Probability that a target holds with its margin at a step, by what the step measured. A percentile limit is a
 * share: with F the share of requests within the limit, z = (F − p)/√(p(1 − p)/n'), n' = n/δ, where the design
 * effect δ (Kish, Survey Sampling, 8.2) is what the correlation of neighbouring requests makes of n, from the means
 * of ten batches. Other quantities: their distance from the limit in standard errors, certainty where they have
 * none. A string: why the target cannot be observed.
 */
export function passProbability(
  target: Target,
  row: StepRow,
  measurement: StepMeasurement,
  marginRatio: number,
): number | string {
  const needed = neededWithMargin(target.comparison, target.limit, marginRatio);
  const order = /^p(\d+(?:\.\d+)?)$/.exec(target.metric)?.[1];
  if (order !== undefined && target.comparison === '<=') {
    const histogram = histogramOf(target, measurement);
    if (histogram.totalCount > 0) {
      const standardErrors = standardErrorsWithin(histogram, needed, Number(order) / 100, measurement.slices);
      return 1 - normalUpperTail(standardErrors);
    }
  }
  const seen = observe(target, row, measurement);
  if (seen.kind === 'broken') return 0;
  if (seen.kind === 'missing') return row.completionCount === 0 ? 0 : seen.why;
  const [low, high] = seen.interval ?? [seen.value, seen.value];
  const standardError = (high - low) / 2 / Z_95;
  const room = target.comparison === '>=' ? seen.value - needed : needed - seen.value;
  if (target.comparison === '=') return room === 0 ? 1 : 0;
  return 1 - normalUpperTail(standardError > 0 ? room / standardError : room >= 0 ? CERTAIN : -CERTAIN);
}

function histogramOf(target: Target, measurement: StepMeasurement): HistogramData {
  if (target.route === undefined) return measurement.responseTime;
  return mergeHistograms(
    measurement.byRoute
      .filter(({ route, requestClassId }) => resolveRoute(target.route!, [route, requestClassId]))
      .map(({ responseTime }) => responseTime),
  );
}

/** z of the share within `limitSeconds` against `share`. */
function standardErrorsWithin(
  histogram: HistogramData,
  limitSeconds: number,
  share: number,
  slices: readonly Slice[],
): number {
  let within = 0;
  for (const { lowSeconds, highSeconds, count } of binsOf(histogram))
    if ((lowSeconds + highSeconds) / 2 <= limitSeconds) within += count;
  const n = histogram.totalCount;
  const effective = n / designEffect(histogram, slices);
  return (within / n - share) / Math.sqrt((share * (1 - share)) / effective);
}

/**
 * How many correlated requests tell as much as one independent request: the variance of batch means against that
 * of as many independent requests; at least 1, and 1 where there are too few batches to tell.
 */
function designEffect(histogram: HistogramData, slices: readonly Slice[]): number {
  const size = Math.floor(slices.length / BATCHES);
  if (size < 1) return 1;
  const means: number[] = [];
  let timed = 0;
  for (let from = 0; from + size <= slices.length; from += size) {
    const batch = slices.slice(from, from + size);
    const counts = batch.map((slice) => slice.okCount + slice.timeoutCount);
    const count = counts.reduce((sum, c) => sum + c, 0);
    if (count === 0) continue;
    timed += count;
    means.push(
      batch.reduce((sum, slice, i) => sum + counts[i]! * (slice.meanResponseTimeSeconds ?? 0), 0) / count,
    );
  }
  if (means.length < BATCHES) return 1;
  const spread = varianceOf(histogram);
  return spread > 0 ? Math.max(1, (variance(means) * (timed / means.length)) / spread) : 1;
}

function varianceOf(histogram: HistogramData): number {
  const centre = histogram.sumSeconds / histogram.totalCount;
  let squares = 0;
  for (const { lowSeconds, highSeconds, count } of binsOf(histogram))
    squares += count * ((lowSeconds + highSeconds) / 2 - centre) ** 2;
  return squares / histogram.totalCount;
}
