import { autocorrelation } from './autocorrelation.ts';
import { sumOf } from './batch-means.ts';
import { normalUpperTail } from './distributions.ts';
import { median } from './rank-test.ts';

/** Two-sided test for a monotone trend. */
export interface TrendTest {
  /** S = Σ sign(xⱼ − xᵢ) over i < j. */
  readonly statistic: number;
  /** Of S without a trend, with ties, and inflated where asked for. */
  readonly variance: number;
  readonly tau: number;
  readonly pValue: number;
}

const EXACT_LIMIT = 12;
const Z_975 = 1.959963984540054;

/**
 * Mann–Kendall test (Mann 1945, Kendall 1975). Up to twelve values without ties the p-value is exact, else normal
 * with a continuity correction. `varianceFactor` allows for correlated values: see `trendVarianceFactor`; with one
 * above 1 the normal approximation is always used.
 */
export function mannKendall(values: readonly number[], varianceFactor = 1): TrendTest {
  const n = values.length;
  let statistic = 0;
  for (let i = 0; i < n; i += 1) {
    for (let j = i + 1; j < n; j += 1) statistic += Math.sign(values[j]! - values[i]!);
  }
  const ties = tieSizes(values);
  const pairs = (n * (n - 1)) / 2;
  const untied = pairs - sumOf(ties.map((t) => (t * (t - 1)) / 2));
  const spread = (k: number): number => k * (k - 1) * (2 * k + 5);
  const variance = ((spread(n) - sumOf(ties.map(spread))) / 18) * varianceFactor;
  const tau = untied > 0 ? statistic / Math.sqrt(untied * pairs) : 0;
  const isExact = n <= EXACT_LIMIT && untied === pairs && varianceFactor === 1;
  const pValue = isExact ? exactP(n, statistic) : normalP(statistic, variance);
  return { statistic, variance, tau, pValue };
}

function tieSizes(values: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].filter((count) => count > 1);
}

function normalP(statistic: number, variance: number): number {
  if (statistic === 0 || !(variance > 0)) return 1;
  return Math.min(1, 2 * normalUpperTail((Math.abs(statistic) - 1) / Math.sqrt(variance)));
}

/** Twice the smaller tail of S over all n! orders: the number of orders by their concordant pairs. */
function exactP(n: number, statistic: number): number {
  let counts = [1];
  for (let size = 2; size <= n; size += 1) {
    const next = Array.from({ length: counts.length + size - 1 }, () => 0);
    counts.forEach((count, pairs) => {
      for (let more = 0; more < size; more += 1) next[pairs + more]! += count;
    });
    counts = next;
  }
  const concordant = ((n * (n - 1)) / 2 + statistic) / 2;
  const total = sumOf(counts);
  const below = sumOf(counts.slice(0, concordant + 1)) / total;
  const above = sumOf(counts.slice(concordant)) / total;
  return Math.min(1, 2 * Math.min(below, above));
}

/** A slope by the time unit of `at`. */
export interface SlopeEstimate {
  readonly slope: number;
  /** 95 % interval by the ranks of the pairwise slopes (Sen 1968). */
  readonly interval: readonly [low: number, high: number];
  /** median(value) − slope·median(at). */
  readonly intercept: number;
}

/**
 * Theil–Sen slope: the median of all pairwise slopes, with Sen's interval, the slopes of rank (M ± z·√Var S)/2.
 * Pairs of equal time are left out. Throws a RangeError below three values.
 */
export function theilSen(
  at: readonly number[],
  values: readonly number[],
  varianceFactor = 1,
): SlopeEstimate {
  if (values.length < 3) throw new RangeError('a slope needs three values at least');
  const slopes = pairwiseSlopes(at, values);
  const half = Z_975 * Math.sqrt(mannKendall(values, varianceFactor).variance);
  const rank = (r: number): number => slopes[Math.min(slopes.length, Math.max(1, Math.round(r))) - 1]!;
  const slope = middleOf(slopes);
  return {
    slope,
    interval: [rank((slopes.length - half) / 2), rank((slopes.length + half) / 2 + 1)],
    intercept: median(values) - slope * median(at),
  };
}

/** Slopes of all pairs of different times, in rising order. */
function pairwiseSlopes(at: readonly number[], values: readonly number[]): Float64Array {
  const slopes = new Float64Array((values.length * (values.length - 1)) / 2);
  let count = 0;
  for (let i = 0; i < values.length; i += 1) {
    for (let j = i + 1; j < values.length; j += 1) {
      const run = at[j]! - at[i]!;
      if (run !== 0) slopes[count++] = (values[j]! - values[i]!) / run;
    }
  }
  return slopes.subarray(0, count).sort();
}

/** The middle of sorted values, or the mean of the two in the middle. */
const middleOf = (sorted: Float64Array): number =>
  (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2;

/**
 * How much an AR(1) series inflates the variance of S: (1 + φ)/(1 − φ), with φ the r₁ of the residuals about the
 * trend, less the bias that a fitted line gives it, (n·r₁ + 2)/(n − 4), in [0, 0.95] (von Storch 1995; Hamed & Rao
 * 1998 for lag 1). Later lags are not used: on periodic data they shrink the variance and make up a trend.
 */
export function trendVarianceFactor(residuals: readonly number[]): number {
  const n = residuals.length;
  const [, plain = 0] = autocorrelation(residuals, 1);
  const phi = Math.min(0.95, Math.max(0, (n * plain + 2) / (n - 4)));
  return (1 + phi) / (1 - phi);
}

/** What a Theil–Sen line leaves. */
export function residualsAbout(
  at: readonly number[],
  values: readonly number[],
  { slope, intercept }: SlopeEstimate,
): number[] {
  return values.map((value, i) => value - intercept - slope * at[i]!);
}

/** Where the level of a series changed, if it changed once. */
export interface LevelShift {
  /** Values before the change. */
  readonly position: number;
  readonly statistic: number;
  readonly pValue: number;
}

/** Pettitt's test (1979): U = max |2Σrᵢ − t(n + 1)|, p ≈ 2·exp(−6U²/(n³ + n²)). */
export function pettitt(values: readonly number[]): LevelShift {
  const n = values.length;
  let sum = 0;
  let best = { position: 0, statistic: 0 };
  values.forEach((value, i) => {
    sum += sumOf(values.map((other) => (other < value ? 1 : other === value ? 0.5 : 0))) + 0.5;
    const statistic = Math.abs(2 * sum - (i + 1) * (n + 1));
    if (statistic > best.statistic) best = { position: i + 1, statistic };
  });
  return { ...best, pValue: Math.min(1, 2 * Math.exp((-6 * best.statistic ** 2) / (n ** 3 + n ** 2))) };
}
