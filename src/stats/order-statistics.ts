import { binomialCdf, binomialQuantile } from './distributions.ts';

/** Ranks (1 … n) whose values bracket a quantile; `upperRank` missing: no finite upper limit at this count. */
export interface RankInterval {
  readonly lowerRank?: number;
  readonly upperRank?: number;
  /** Exact probability that the interval holds the quantile. */
  readonly coverageRatio: number;
}

/**
 * Distribution-free interval of the p-quantile (0 < p < 1) from n independent samples: order statistics
 * x_(l) … x_(u) with l = B⁻¹(τ), u = B⁻¹(1 − τ) + 1, B ~ Binomial(n, p), τ = (1 − confidence)/2.
 * Coverage is P(l ≤ B ≤ u − 1). A rank outside 1 … n is missing (Conover, Practical Nonparametric
 * Statistics, 3.2).
 */
export function quantileRankInterval(n: number, p: number, confidence = 0.95): RankInterval {
  const [lower, upper] = bracketingRanks(n, p, confidence);
  const coverageRatio = binomialCdf(upper - 1, n, p) - binomialCdf(lower - 1, n, p);
  return {
    ...(lower >= 1 && { lowerRank: lower }),
    ...(upper <= n && { upperRank: upper }),
    coverageRatio,
  };
}

/** l and u as they come, 0 and n + 1 included. */
function bracketingRanks(n: number, p: number, confidence: number): readonly [lower: number, upper: number] {
  const tail = (1 - confidence) / 2;
  return [binomialQuantile(tail, n, p), binomialQuantile(1 - tail, n, p) + 1];
}

/**
 * Ranks whose values are the 95 % interval of a percentile (0–100) of n ≥ 1 samples; the lower is at least 1, the
 * upper missing where there is no finite upper limit.
 */
export function percentileIntervalRanks(
  n: number,
  percentile: number,
): readonly [lower: number, upper: number | undefined] {
  const [lower, upper] = bracketingRanks(n, percentile / 100, 0.95);
  return [Math.max(1, lower), upper > n ? undefined : upper];
}

/** Sample values at the rank ⌈p·n⌉, p in 0–1 (the inverse of the empirical distribution function; Hyndman–Fan type 1). */
export function sampleQuantile(values: readonly number[], p: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.ceil(p * sorted.length * (1 - Number.EPSILON));
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1];
}

/** The middle value, or the mean of the two middle values; missing when empty. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle];
  return sorted.length % 2 === 1 || high === undefined ? high : (sorted[middle - 1]! + high) / 2;
}

/** A percentile with fewer samples beyond it is neither judged nor printed without a mark. */
export const SAMPLES_BEYOND = 10;

/** How many of `count` samples lie beyond the rank ⌈p·count⌉ of a percentile p (0–100): count − ⌈p·count/100⌉. */
export function samplesBeyond(count: number, percentile: number): number {
  return count - Math.ceil((percentile / 100) * count * (1 - Number.EPSILON));
}
