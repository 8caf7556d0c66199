import { incompleteBeta, logFactorial } from './special-functions.ts';

/** Smallest x of [low, high] with f(x) ≥ target for a rising f, to the last bits of a double. */
function solveRising(f: (x: number) => number, target: number, low: number, high: number): number {
  let left = low;
  let right = high;
  for (let i = 0; i < 200; i += 1) {
    const middle = (left + right) / 2;
    if (middle === left || middle === right) break;
    if (f(middle) < target) left = middle;
    else right = middle;
  }
  return right;
}

/** P(T ≤ t) of Student's t with `degrees` > 0 degrees of freedom: I_x(ν/2, 1/2)/2 with x = ν/(ν + t²). */
export function studentTCdf(t: number, degrees: number): number {
  const tail = incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
  return t < 0 ? tail : 1 - tail;
}

/** Quantile of Student's t: the t with P(T ≤ t) = p, for 0 < p < 1; ±∞ at the ends. */
export function studentTQuantile(p: number, degrees: number): number {
  if (p <= 0) return -Infinity;
  if (p >= 1) return Infinity;
  if (p === 0.5) return 0;
  if (p < 0.5) return -studentTQuantile(1 - p, degrees);
  let high = 2;
  while (studentTCdf(high, degrees) < p) high *= 2;
  return solveRising((t) => studentTCdf(t, degrees), p, 0, high);
}

/** P(B ≤ k) for B ~ Binomial(n, p): I_{1−p}(n − k, k + 1). */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return incompleteBeta(1 - p, n - Math.floor(k), Math.floor(k) + 1);
}

/** ln P(B = k) for B ~ Binomial(n, p), 0 < p < 1. */
const logBinomial = (k: number, n: number, p: number): number =>
  logFactorial(n) - logFactorial(k) - logFactorial(n - k) + k * Math.log(p) + (n - k) * Math.log1p(-p);

/**
 * Smallest whole k with P(B ≤ k) ≥ probability, for B ~ Binomial(n, p), 0 < p < 1: from the Cornish–Fisher estimate
 * by single steps, of which one or two are needed, each by P(B = k).
 */
export function binomialQuantile(probability: number, n: number, p: number): number {
  const z = normalQuantileEstimate(probability);
  const estimate = n * p + z * Math.sqrt(n * p * (1 - p)) + ((z * z - 1) * (1 - 2 * p)) / 6 - 0.5;
  let k = Math.min(n, Math.max(0, Math.round(estimate)));
  let below = binomialCdf(k, n, p);
  while (below < probability && k < n) {
    k += 1;
    below = k === n ? 1 : below + Math.exp(logBinomial(k, n, p));
  }
  while (k > 0) {
    below -= Math.exp(logBinomial(k, n, p));
    if (below < probability) break;
    k -= 1;
  }
  return k;
}

/** Φ⁻¹ within 4.5e−4, held to ±8 (Abramowitz & Stegun 26.2.23): good enough to start a search. */
function normalQuantileEstimate(probability: number): number {
  const tail = Math.max(Math.min(probability, 1 - probability), 1e-15);
  const t = Math.sqrt(-2 * Math.log(tail));
  const z =
    t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  return probability < 0.5 ? -z : z;
}

/** 1 − Φ(z) by the complementary error function of Numerical Recipes §6.2 (relative error below 1.2e−7). */
export function normalUpperTail(z: number): number {
  const u = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + u / 2);
  const c = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
    -0.82215223, 0.17087277,
  ];
  const erfc = t * Math.exp(-u * u + c.reduceRight((acc, coefficient) => acc * t + coefficient, 0));
  return z >= 0 ? erfc / 2 : 1 - erfc / 2;
}

/**
 * Clopper–Pearson interval of a proportion of which `hits` of `count` were seen: the proportions under which as many
 * or more, and as many or fewer, have (1 − confidence)/2 of the probability each. [0, 1] for a count of 0.
 */
export function proportionInterval(
  hits: number,
  count: number,
  confidence = 0.95,
): readonly [low: number, high: number] {
  const tail = (1 - confidence) / 2;
  const solve = (isBelow: (p: number) => boolean): number => {
    let [low, high] = [0, 1];
    for (let i = 0; i < 60; i += 1) {
      const middle = (low + high) / 2;
      if (isBelow(middle)) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  };
  return [
    hits === 0 ? 0 : solve((p) => 1 - binomialCdf(hits - 1, count, p) < tail),
    hits === count ? 1 : solve((p) => binomialCdf(hits, count, p) > tail),
  ];
}
