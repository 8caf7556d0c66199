import type { Distribution } from '../model/distribution.ts';
import type { TimeSummary } from '../model/workload.ts';

const QUANTILE_COUNT = 201;

/** The sum of sorted values, so that the order of a log's lines changes no digit. */
const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** Nearest rank: the smallest value with at least p % of the values at or below it. */
const percentileAt = (sorted: Float64Array, percent: number): number =>
  sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]!;

/** Mean, percentiles (nearest rank) and maximum of durations in seconds; undefined without any. */
export function timeSummaryOf(values: Float64Array): TimeSummary | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted();
  return {
    mean: sumOf(sorted) / sorted.length,
    p50: percentileAt(sorted, 50),
    p95: percentileAt(sorted, 95),
    p99: percentileAt(sorted, 99),
    max: sorted.at(-1)!,
    count: sorted.length,
  };
}

/**
 * The same of values that stand for so many each: the mean is Σwx ⁄ Σw, a percentile the smallest value with at least
 * p % of the weight at or below it, `count` the number of values.
 */
export function weightedSummaryOf(values: Float64Array, weights: Float64Array): TimeSummary | undefined {
  if (values.length === 0) return undefined;
  const order = Uint32Array.from(values, (_, index) => index).sort(
    (a, b) => values[a]! - values[b]! || weights[a]! - weights[b]!,
  );
  const upTo = new Float64Array(order.length);
  let [weight, sum] = [0, 0];
  order.forEach((index, place) => {
    weight += weights[index]!;
    sum += weights[index]! * values[index]!;
    upTo[place] = weight;
  });
  const percentile = (percent: number): number => {
    const place = upTo.findIndex((one) => one >= (percent / 100) * weight * (1 - 1e-12));
    return values[order[place]!]!;
  };
  return {
    mean: sum / weight,
    p50: percentile(50),
    p95: percentile(95),
    p99: percentile(99),
    max: values[order.at(-1)!]!,
    count: values.length,
  };
}

/**
 * The inverse distribution of values at 201 even orders, linear between neighbours. Negative values (overlap
 * by the stamps' resolution) are drawn as 0; the mean stays that of all values.
 */
export function empiricalDistribution(values: Float64Array): Distribution {
  const sorted = values.toSorted();
  const meanSeconds = Math.max(0, sumOf(sorted) / sorted.length);
  const quantileSeconds = Array.from({ length: QUANTILE_COUNT }, (_, index) => {
    const place = (index / (QUANTILE_COUNT - 1)) * (sorted.length - 1);
    const low = Math.floor(place);
    const high = Math.min(low + 1, sorted.length - 1);
    return Math.max(0, sorted[low]! + (place - low) * (sorted[high]! - sorted[low]!));
  });
  return { kind: 'empirical', meanSeconds, quantileSeconds };
}
