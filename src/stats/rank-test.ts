import { normalUpperTail } from './distributions.ts';

/** The outcome of a Wilcoxon–Mann–Whitney test of two samples. */
export interface RankSumTest {
  /** Mann–Whitney U of the first sample: pairs x > y, ties counted half (R's W). */
  readonly statistic: number;
  /** Two-sided: probability of a U at least as far from nm/2. */
  readonly pValue: number;
  readonly pLess: number;
  readonly pGreater: number;
  readonly method: 'exact' | 'normal';
}

/** Beyond this many values the exact distribution costs more than it adds over the normal one. */
const EXACT_LIMIT = 60;

/**
 * Wilcoxon–Mann–Whitney test of x against y: the exact permutation distribution of the rank sum over midranks
 * (ties included) up to 60 values, beyond it the normal approximation with tie and continuity corrections.
 * Throws a RangeError when a sample is empty. Source: Lehmann, Nonparametrics (1975), ch. 1.
 */
export function rankSumTest(x: readonly number[], y: readonly number[]): RankSumTest {
  const n = x.length;
  const m = y.length;
  if (n === 0 || m === 0) throw new RangeError('a rank test needs values on both sides');
  const doubled = doubledMidranks([...x, ...y]);
  const rankSum = sum(doubled.slice(0, n));
  const statistic = (rankSum - n * (n + 1)) / 2;
  return n + m <= EXACT_LIMIT
    ? { statistic, ...exactTails(doubled, n, rankSum), method: 'exact' }
    : { statistic, ...normalTails(doubled, n, statistic), method: 'normal' };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Twice the midrank of every value, so that ranks of ties stay whole. */
function doubledMidranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const ranks = Array.from<number>({ length: values.length });
  for (let start = 0; start < order.length;) {
    let end = start;
    while (end + 1 < order.length && values[order[end + 1]!] === values[order[start]!]) end += 1;
    for (let k = start; k <= end; k += 1) ranks[order[k]!] = start + end + 2;
    start = end + 1;
  }
  return ranks;
}

/** Number of ways to choose `size` of the ranks with each sum: the permutation distribution, unnormalised. */
function subsetSumCounts(ranks: readonly number[], size: number): Float64Array {
  const width = sum(ranks) + 1;
  const counts = Array.from({ length: size + 1 }, () => new Float64Array(width));
  counts[0]![0] = 1;
  for (const rank of ranks) {
    for (let k = size; k >= 1; k -= 1) {
      const from = counts[k - 1]!;
      const to = counts[k]!;
      for (let s = rank; s < width; s += 1) to[s]! += from[s - rank]!;
    }
  }
  return counts[size]!;
}

type Tails = Pick<RankSumTest, 'pValue' | 'pLess' | 'pGreater'>;

function exactTails(doubled: readonly number[], n: number, observed: number): Tails {
  const counts = subsetSumCounts(doubled, n);
  const total = sum([...counts]);
  const centre = (sum(doubled) * n) / doubled.length;
  const distance = Math.abs(observed - centre);
  const share = (holds: (s: number) => boolean): number =>
    counts.reduce((all, count, s) => (count > 0 && holds(s) ? all + count : all), 0) / total;
  return {
    pValue: share((s) => Math.abs(s - centre) >= distance - 1e-9),
    pLess: share((s) => s <= observed),
    pGreater: share((s) => s >= observed),
  };
}

function normalTails(doubled: readonly number[], n: number, statistic: number): Tails {
  const total = doubled.length;
  const m = total - n;
  const tieSizes = new Map<number, number>();
  for (const rank of doubled) tieSizes.set(rank, (tieSizes.get(rank) ?? 0) + 1);
  const ties = sum([...tieSizes.values()].map((t) => t ** 3 - t));
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
  const z = statistic - (n * m) / 2;
  if (deviation === 0) return { pValue: 1, pLess: 1, pGreater: 1 };
  const tail = (distance: number): number => normalUpperTail((distance - 0.5) / deviation);
  return {
    pValue: z === 0 ? 1 : Math.min(1, 2 * tail(Math.abs(z))),
    pLess: tail(-z),
    pGreater: tail(z),
  };
}

/** The shift of x against y. `interval` is missing where the samples are too few for 95 % (below 4 + 4). */
export interface ShiftEstimate {
  readonly shift: number;
  readonly interval?: readonly [low: number, high: number];
}

/**
 * Hodges–Lehmann estimate: the median of all differences x − y, with the 95 % interval that the exact rank-sum
 * test inverts to, [D(k), D(nm + 1 − k)] of the sorted differences, k the 2.5 % quantile of U without ties (at
 * least 1). Missing interval: even the widest covers less than 95 %. Throws a RangeError when a sample is
 * empty. Source: Hollander, Wolfe & Chicken, Nonparametric Statistical Methods, 3rd ed., §4.3.
 */
export function hodgesLehmann(x: readonly number[], y: readonly number[]): ShiftEstimate {
  if (x.length === 0 || y.length === 0) throw new RangeError('a shift needs values on both sides');
  const differences = x.flatMap((a) => y.map((b) => a - b)).sort((a, b) => a - b);
  const shift = median(differences);
  const k = lowerQuantileOfU(x.length, y.length, 0.025);
  if (k === undefined) return { shift };
  return { shift, interval: [differences[k - 1]!, differences[differences.length - k]!] };
}

/** Median of sorted or unsorted values: the mean of the middle two for an even count; NaN when empty. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Smallest u ≥ 1 with P(U ≤ u) ≥ p without ties; missing when P(U ≤ 0) alone is above p. */
function lowerQuantileOfU(n: number, m: number, p: number): number | undefined {
  const counts = subsetSumCounts(
    Array.from({ length: n + m }, (_, i) => i + 1),
    n,
  );
  const total = sum([...counts]);
  const offset = (n * (n + 1)) / 2;
  if (counts[offset]! / total > p) return undefined;
  let below = 0;
  for (let u = 0; u <= n * m; u += 1) {
    below += counts[offset + u]!;
    if (below / total >= p) return Math.max(1, u);
  }
  return undefined;
}
