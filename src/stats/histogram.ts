import type { HistogramData } from '../model/histogram.ts';

/** 2^10 bins per octave: a bin is at most 0.1 % wide, three significant digits from 1 µs to over an hour. */
export const FINE_BITS = 10;
/** 2^5 bins per octave, 3 % wide and 7 KB: for the many histograms that only need the order of size. */
export const COARSE_BITS = 5;
const UNIT_SECONDS = 1e-6;
const UNITS_PER_SECOND = 1e6;
const MAX_UNITS = 2 ** 32 - 1;

/** Bin of a whole, non-negative, 32-bit value. Values below 2^(bits+1) have a bin each. */
function binOf(units: number, bits: number): number {
  if (units < 2 << bits) return units;
  const shift = 31 - Math.clz32(units) - bits;
  return (shift << bits) + (units >>> shift);
}

/** Lowest and highest value that share a bin. */
function edgesOf(bin: number, bits: number): readonly [low: number, high: number] {
  if (bin < 2 << bits) return [bin, bin];
  const half = 1 << bits;
  const shift = (bin >>> bits) - 1;
  const low = ((bin & (half - 1)) + half) * 2 ** shift;
  return [low, low + 2 ** shift - 1];
}

/**
 * A recorder of durations: log-linear bins on a typed array, a few nanoseconds a record, no allocation.
 * Durations are rounded to whole microseconds; negative ones count as 0, those beyond 71 minutes as the
 * last bin (the maximum and the sum stay exact).
 */
export class Histogram {
  readonly #bits: number;
  /** Small elements, because a run of requests touches many bins: fewer lines of the processor's caches. */
  readonly #counts: Uint32Array;
  #lowestBin = Infinity;
  #highestBin = -1;
  #totalCount = 0;
  #sumSeconds = 0;
  #minSeconds = Infinity;
  #maxSeconds = -Infinity;

  constructor(bits = FINE_BITS) {
    this.#bits = bits;
    // Values are unsigned 32-bit: 2^(bits+1) linear bins, then 31 − bits octaves.
    this.#counts = new Uint32Array((33 - bits) << bits);
  }

  get totalCount(): number {
    return this.#totalCount;
  }

  record(seconds: number): void {
    const value = seconds > 0 ? seconds : 0;
    const units = value * UNITS_PER_SECOND + 0.5;
    const bin = binOf(units < MAX_UNITS ? Math.floor(units) : MAX_UNITS, this.#bits);
    this.#counts[bin]! += 1;
    if (bin < this.#lowestBin) this.#lowestBin = bin;
    if (bin > this.#highestBin) this.#highestBin = bin;
    this.#totalCount += 1;
    this.#sumSeconds += value;
    if (value < this.#minSeconds) this.#minSeconds = value;
    if (value > this.#maxSeconds) this.#maxSeconds = value;
  }

  /** What was recorded so far as plain data. */
  toData(): HistogramData {
    const base = {
      unitSeconds: UNIT_SECONDS,
      bits: this.#bits,
      totalCount: this.#totalCount,
      sumSeconds: this.#sumSeconds,
      bins: filledBins(this.#counts, 0, this.#lowestBin, this.#highestBin),
    };
    return this.#totalCount === 0
      ? base
      : { ...base, minSeconds: this.#minSeconds, maxSeconds: this.#maxSeconds };
  }

  reset(): void {
    if (this.#highestBin >= 0) this.#counts.fill(0, this.#lowestBin, this.#highestBin + 1);
    this.#lowestBin = Infinity;
    this.#highestBin = -1;
    this.#totalCount = 0;
    this.#sumSeconds = 0;
    this.#minSeconds = Infinity;
    this.#maxSeconds = -Infinity;
  }
}

export const EMPTY_HISTOGRAM: HistogramData = {
  unitSeconds: UNIT_SECONDS,
  bits: FINE_BITS,
  totalCount: 0,
  sumSeconds: 0,
  bins: [],
};

/**
 * Sum of histograms: counts add, so percentiles of the sum are those of all samples together.
 * Throws a RangeError when `bits` or `unitSeconds` differ: such counts do not add.
 */
export function mergeHistograms(parts: readonly HistogramData[]): HistogramData {
  const filled = parts.filter((part) => part.totalCount > 0);
  const first = filled[0];
  if (first === undefined) return parts[0] ?? EMPTY_HISTOGRAM;
  if (filled.length === 1) return first;
  let totalCount = 0;
  let sumSeconds = 0;
  let minSeconds = Infinity;
  let maxSeconds = -Infinity;
  for (const part of filled) {
    if (part.bits !== first.bits || part.unitSeconds !== first.unitSeconds) {
      throw new RangeError(`histograms of ${part.bits} and ${first.bits} bits do not merge`);
    }
    totalCount += part.totalCount;
    sumSeconds += part.sumSeconds;
    minSeconds = Math.min(minSeconds, part.minSeconds ?? Infinity);
    maxSeconds = Math.max(maxSeconds, part.maxSeconds ?? -Infinity);
  }
  return {
    unitSeconds: first.unitSeconds,
    bits: first.bits,
    totalCount,
    sumSeconds,
    minSeconds,
    maxSeconds,
    bins: mergeBins(filled.map((part) => part.bins)),
  };
}

/** Adds flat pairs of bin and count, in one array over the bins from the lowest to the highest. */
function mergeBins(parts: readonly HistogramData['bins'][]): readonly number[] {
  const lowest = parts.reduce((low, bins) => Math.min(low, bins[0] ?? Infinity), Infinity);
  const highest = parts.reduce((high, bins) => Math.max(high, bins.at(-2) ?? -1), -1);
  const counts = new Float64Array(Math.max(0, highest - lowest + 1));
  for (const bins of parts) {
    for (let i = 0; i < bins.length; i += 2) counts[bins[i]! - lowest]! += bins[i + 1]!;
  }
  return filledBins(counts, lowest, 0, counts.length - 1);
}

/** Flat pairs of bin and count of `counts[from … to]` that are not zero; the bin of index i is `offset` + i. */
function filledBins(counts: Float64Array | Uint32Array, offset: number, from: number, to: number): number[] {
  const bins: number[] = [];
  for (let i = from; i <= to; i += 1) {
    const count = counts[i]!;
    if (count > 0) bins.push(offset + i, count);
  }
  return bins;
}

/**
 * Value of the `rank`-th smallest sample (1 … n), seconds: the highest value of its bin, never above the
 * recorded maximum nor below the minimum. Missing for a rank outside 1 … n.
 */
export const valueAtRank = (histogram: HistogramData, rank: number): number | undefined =>
  valuesAtRanks(histogram, [rank])[0];

/** The values at several ranks, in the order of the ranks, from one walk over the bins. */
export function valuesAtRanks(
  { bins, bits, unitSeconds, totalCount, minSeconds = 0, maxSeconds = Infinity }: HistogramData,
  ranks: readonly number[],
): (number | undefined)[] {
  const values = ranks.map((): number | undefined => undefined);
  const rising = ranks.map((_, i) => i).sort((a, b) => ranks[a]! - ranks[b]!);
  let seen = 0;
  let at = -2;
  for (const i of rising) {
    const rank = ranks[i]!;
    if (rank < 1 || rank > totalCount) continue;
    while (seen < rank && at + 2 < bins.length) {
      at += 2;
      seen += bins[at + 1]!;
    }
    const high = edgesOf(bins[at]!, bits)[1] * unitSeconds;
    values[i] = Math.max(Math.min(high, maxSeconds), minSeconds);
  }
  return values;
}

/** Nearest rank of the percentile p in n samples: max(1, ⌈p/100·n⌉), p nudged down one ulp against rounding. */
export function percentileRank(percentile: number, count: number): number {
  const nudged = (percentile / 100) * count * (1 - Number.EPSILON);
  return Math.min(count, Math.max(1, Math.ceil(nudged)));
}

/** Percentile p (0–100) by nearest rank; missing when empty. */
export function percentileOf(histogram: HistogramData, percentile: number): number | undefined {
  return valueAtRank(histogram, percentileRank(percentile, histogram.totalCount));
}

/** Mean of the recorded values (exact, not binned); missing when empty. */
export function meanOf(histogram: HistogramData): number | undefined {
  return histogram.totalCount === 0 ? undefined : histogram.sumSeconds / histogram.totalCount;
}

/** Lowest and highest value in seconds of every filled bin, with its count, rising. */
export function* binsOf(
  histogram: HistogramData,
): Generator<{ lowSeconds: number; highSeconds: number; count: number }> {
  for (let i = 0; i < histogram.bins.length; i += 2) {
    const [low, high] = edgesOf(histogram.bins[i]!, histogram.bits);
    yield {
      lowSeconds: low * histogram.unitSeconds,
      highSeconds: high * histogram.unitSeconds,
      count: histogram.bins[i + 1]!,
    };
  }
}
