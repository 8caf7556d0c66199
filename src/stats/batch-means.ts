/** Mean of a correlated series with its standard error from means of batches. */
export interface BatchMeans {
  readonly mean: number;
  readonly standardError: number;
  /** Batches b: the 95 % interval is mean ± t(0.975, b − 1)·standard error. */
  readonly batchCount: number;
}

/** Sum of numbers. */
export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Arithmetic mean; NaN when empty. */
export const mean = (values: readonly number[]): number => sumOf(values) / values.length;

/** Unbiased sample variance Σ(x − x̄)²/(n − 1); NaN below two values. */
export function variance(values: readonly number[]): number {
  const centre = mean(values);
  return values.length < 2 ? NaN : sumOf(values.map((x) => (x - centre) ** 2)) / (values.length - 1);
}

/**
 * Rate of events over consecutive stretches of time, by at most `batchCount` batches of equal numbers of
 * stretches (what is left over at the front belongs to the first batch). se = √(Σ wᵦ²(rᵦ − r)² · b/(b − 1))
 * with wᵦ = Tᵦ/T, which is s/√b for equal batches (Law, Simulation Modeling and Analysis, 9.5.3).
 * Batches absorb the correlation that makes the plain standard error too small. Missing with fewer than
 * two stretches or no time.
 */
export function rateByBatchMeans(
  counts: readonly number[],
  durationSeconds: readonly number[],
  batchCount = 10,
): BatchMeans | undefined {
  const batches = Math.min(batchCount, counts.length);
  const total = sumOf(durationSeconds);
  if (batches < 2 || !(total > 0)) return undefined;
  const size = Math.floor(counts.length / batches);
  const lead = counts.length - size * batches;
  const rate = sumOf(counts) / total;
  let squares = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const from = batch === 0 ? 0 : lead + batch * size;
    const to = lead + (batch + 1) * size;
    const time = sumOf(durationSeconds.slice(from, to));
    squares += ((sumOf(counts.slice(from, to)) - rate * time) / total) ** 2;
  }
  const standardError = Math.sqrt((squares * batches) / (batches - 1));
  return { mean: rate, standardError, batchCount: batches };
}
