import { leastSquares } from '../stats/least-squares.ts';
import { minimise } from '../stats/minimise.ts';

/** Two lines that meet: y = a + slopeBefore·x + (slopeAfter − slopeBefore)·(x − breakpoint)₊. */
export interface SegmentedFit {
  readonly breakpoint: number;
  readonly breakpointStandardError: number;
  readonly slopeBefore: number;
  readonly slopeAfter: number;
  readonly residualSumOfSquares: number;
}

const FEWEST_POINTS = 5;
const designAt = (x: readonly number[], breakpoint: number): number[][] =>
  x.map((value) => [1, value, Math.max(0, value - breakpoint)]);

/**
 * Broken-line regression with one free break point (Muggeo 2003): the break point with the least residual sum
 * of squares, and its standard error from the derivatives of the model at the optimum with s² = RSS/(n − 4).
 * Missing below five points.
 */
export function fitSegmented(x: readonly number[], y: readonly number[]): SegmentedFit | undefined {
  if (x.length < FEWEST_POINTS) return undefined;
  const rssAt = (breakpoint: number): number =>
    leastSquares(designAt(x, breakpoint), y)?.residualSumOfSquares ?? Infinity;
  let best = { breakpoint: NaN, rss: Infinity };
  // Between two x the residual sum of squares has one valley, so each gap is searched by itself.
  for (let i = 0; i < x.length - 1; i += 1) {
    const breakpoint = minimise(rssAt, x[i]!, x[i + 1]!, 1e-7);
    const rss = rssAt(breakpoint);
    if (rss < best.rss) best = { breakpoint, rss };
  }
  return Number.isFinite(best.rss) ? describe(x, y, best.breakpoint) : undefined;
}

function describe(x: readonly number[], y: readonly number[], breakpoint: number): SegmentedFit | undefined {
  const fit = leastSquares(designAt(x, breakpoint), y);
  if (fit === undefined) return undefined;
  const [, slopeBefore = NaN, change = NaN] = fit.coefficients;
  const derivatives = designAt(x, breakpoint).map((row, i) => [...row, x[i]! > breakpoint ? -change : 0]);
  const errors = leastSquares(derivatives, y)?.standardErrors;
  return {
    breakpoint,
    breakpointStandardError: errors?.[3] ?? NaN,
    slopeBefore,
    slopeAfter: slopeBefore + change,
    residualSumOfSquares: fit.residualSumOfSquares,
  };
}
