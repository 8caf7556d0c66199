import { leastSquares } from '../stats/least-squares.ts';

/** Two lines that meet: y = a + slopeBefore·x + (slopeAfter − slopeBefore)·(x − breakpoint)₊. */
export interface SegmentedFit {
  readonly breakpoint: number;
  readonly breakpointStandardError: number;
  readonly slopeBefore: number;
  readonly slopeAfter: number;
  readonly residualSumOfSquares: number;
}

const FEWEST_POINTS = 5;
/** Residuals below this share of the values are rounding, and tell no error. */
const ROUNDING = 1e-12;
const designAt = (x: readonly number[], breakpoint: number): number[][] =>
  x.map((value) => [1, value, Math.max(0, value - breakpoint)]);

/**
 * Broken-line regression with one free break point (Muggeo 2003): the break point with the least residual sum
 * of squares, and its standard error from the derivatives of the model at the optimum with s² = RSS/(n − 4): NaN where
 * the lines go through every point, and nothing scatters. Missing below five points.
 */
export function fitSegmented(x: readonly number[], y: readonly number[]): SegmentedFit | undefined {
  if (x.length < FEWEST_POINTS) return undefined;
  let best = { breakpoint: NaN, rss: Infinity };
  for (const breakpoint of candidates(x, y)) {
    const rss = leastSquares(designAt(x, breakpoint), y)?.residualSumOfSquares ?? Infinity;
    if (rss < best.rss) best = { breakpoint, rss };
  }
  return Number.isFinite(best.rss) ? describe(x, y, best.breakpoint) : undefined;
}

/**
 * Where the break point can be: between two x it is where the lines through the points on either side meet, if that
 * is between them, else at one of the two (Hudson 1966).
 */
function candidates(x: readonly number[], y: readonly number[]): number[] {
  const meetings = x.slice(0, -1).flatMap((from, i) => {
    const before = lineThrough(x.slice(0, i + 1), y.slice(0, i + 1));
    const after = lineThrough(x.slice(i + 1), y.slice(i + 1));
    if (before === undefined || after === undefined) return [];
    const meeting = (before[0] - after[0]) / (after[1] - before[1]);
    return meeting > from && meeting < x[i + 1]! ? [meeting] : [];
  });
  return [...x.slice(1, -1), ...meetings];
}

function lineThrough(x: readonly number[], y: readonly number[]): [number, number] | undefined {
  const fit = leastSquares(
    x.map((value) => [1, value]),
    y,
  );
  return fit && [fit.coefficients[0]!, fit.coefficients[1]!];
}

function describe(x: readonly number[], y: readonly number[], breakpoint: number): SegmentedFit | undefined {
  const fit = leastSquares(designAt(x, breakpoint), y);
  if (fit === undefined) return undefined;
  const [, slopeBefore = NaN, change = NaN] = fit.coefficients;
  const derivatives = designAt(x, breakpoint).map((row, i) => [...row, x[i]! > breakpoint ? -change : 0]);
  const errors = leastSquares(derivatives, y)?.standardErrors;
  const isExact = Math.sqrt(fit.residualSumOfSquares) <= ROUNDING * Math.hypot(...y);
  return {
    breakpoint,
    breakpointStandardError: isExact ? NaN : (errors?.[3] ?? NaN),
    slopeBefore,
    slopeAfter: slopeBefore + change,
    residualSumOfSquares: fit.residualSumOfSquares,
  };
}
