import { mean, sumOf } from './batch-means.ts';

/** Autocorrelations r₀ … r_maxLag: Σ(xₜ − x̄)(xₜ₊ₖ − x̄) / Σ(xₜ − x̄)². All 0 beyond r₀ for a constant series. */
export function autocorrelation(values: readonly number[], maxLag: number): number[] {
  const centre = mean(values);
  const deviations = values.map((x) => x - centre);
  const total = sumOf(deviations.map((d) => d * d));
  return Array.from({ length: maxLag + 1 }, (_, lag) => {
    if (lag === 0) return 1;
    const shared = sumOf(deviations.slice(lag).map((d, t) => d * deviations[t]!));
    return total > 0 ? shared / total : 0;
  });
}

/** An autoregressive fit and the spectral density it has at frequency zero. */
export interface AutoregressiveFit {
  readonly order: number;
  readonly coefficients: readonly number[];
  /** σ²/(1 − Σφ)²: n times the variance of the mean of a long series. */
  readonly spectrumAtZero: number;
}

/**
 * Yule–Walker fit by Levinson's recursion, with the order of least AIC = n·ln σ²ₖ + 2k up to 10·log₁₀ n
 * (Brockwell & Davis 1991, 8.1–8.2). The variance has n − k − 1 degrees of freedom.
 */
export function fitAutoregressive(values: readonly number[]): AutoregressiveFit {
  const n = values.length;
  const maxOrder = Math.max(0, Math.min(n - 1, Math.floor(10 * Math.log10(n))));
  const r = autocorrelation(values, maxOrder);
  const centre = mean(values);
  const populationVariance = sumOf(values.map((x) => (x - centre) ** 2)) / n;
  let coefficients: number[] = [];
  let remaining = populationVariance;
  let best = { order: 0, coefficients, variance: remaining, criterion: n * Math.log(remaining) };
  for (let k = 1; k <= maxOrder && remaining > 0; k += 1) {
    const explained = sumOf(coefficients.map((phi, j) => phi * r[k - 1 - j]!));
    const reflection = ((r[k]! - explained) * populationVariance) / remaining;
    const before = coefficients;
    coefficients = [...before.map((phi, j) => phi - reflection * before[k - 2 - j]!), reflection];
    remaining *= 1 - reflection ** 2;
    const criterion = n * Math.log(remaining) + 2 * k;
    if (criterion < best.criterion) best = { order: k, coefficients, variance: remaining, criterion };
  }
  const unbiased = (best.variance * n) / (n - best.order - 1);
  const gain = 1 - sumOf(best.coefficients);
  return { order: best.order, coefficients: best.coefficients, spectrumAtZero: unbiased / gain ** 2 };
}

/**
 * Geweke's z: the means of the first tenth and the last half, in units of the error that their spectral densities
 * at zero give (Geweke 1992). |z| < 2 where the series is stationary. NaN where a part does not vary.
 */
export function gewekeZ(values: readonly number[]): number {
  const n = values.length;
  const first = values.slice(0, Math.ceil(1 + 0.1 * (n - 1)));
  const last = values.slice(Math.floor(n - 0.5 * (n - 1)) - 1);
  const error = (part: readonly number[]): number => fitAutoregressive(part).spectrumAtZero / part.length;
  return (mean(first) - mean(last)) / Math.sqrt(error(first) + error(last));
}
