/**
 * A log-linear histogram as plain data. Values are whole multiples of `unitSeconds`.
 * Values below 2^(bits+1) have bins of their own; above, each octave has 2^bits bins, so the relative
 * width of a bin is at most 2^−bits. Merging is adding counts, and only histograms of equal `bits` and
 * `unitSeconds` merge.
 */
export interface HistogramData {
  readonly unitSeconds: number;
  readonly bits: number;
  readonly totalCount: number;
  /** Exact sum of the recorded values, in seconds (before binning). */
  readonly sumSeconds: number;
  /** Exact extremes, in seconds; missing when nothing was recorded. */
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
  /** Flat pairs: bin index, count, bin index, count … in rising order of index. */
  readonly bins: readonly number[];
}
