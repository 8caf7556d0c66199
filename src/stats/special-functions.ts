/** Coefficients of Lanczos' approximation with g = 7, n = 9 (P. Godfrey's set). */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
const LANCZOS_G = 7;
const TINY = 1e-300;

/** ln Γ(x) for x > 0 by Lanczos' approximation, relative error below 1e-14 of Γ. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const shifted = x - 1;
  let series = LANCZOS[0]!;
  for (let i = 1; i < LANCZOS.length; i += 1) series += LANCZOS[i]! / (shifted + i);
  const t = shifted + LANCZOS_G + 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(series);
}

/** ln n! for a whole n ≥ 0. */
export const logFactorial = (n: number): number => (n < 2 ? 0 : logGamma(n + 1));

/** Continued fraction of the incomplete beta function (DLMF 8.17.22), evaluated by Lentz's method. */
function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  d = 1 / (Math.abs(d) < TINY ? TINY : d);
  let fraction = d;
  const advance = (term: number): number => {
    d = 1 + term * d;
    d = 1 / (Math.abs(d) < TINY ? TINY : d);
    c = 1 + term / c;
    if (Math.abs(c) < TINY) c = TINY;
    return c * d;
  };
  for (let m = 1; m < 10_000; m += 1) {
    fraction *= advance((m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)));
    const change = advance((-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)));
    fraction *= change;
    if (Math.abs(change - 1) < 1e-16) break;
  }
  return fraction;
}

/**
 * Regularised incomplete beta function I_x(a, b) for a, b > 0 (DLMF 8.17): 0 for x ≤ 0, 1 for x ≥ 1.
 * The continued fraction is used on the side of the mean where it converges fast.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const logFront = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  const front = Math.exp(logFront);
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(a, b, x)) / a
    : 1 - (front * betaFraction(b, a, 1 - x)) / b;
}
