import { leastSquares } from '../stats/least-squares.ts';

/** Which way a curve bends and runs; kneedle looks for its point of largest distance from the chord. */
export interface KneedleOptions {
  readonly curve: 'concave' | 'convex';
  readonly direction: 'increasing' | 'decreasing';
  /** S: how far below a local maximum the difference curve must fall before it counts. 1 by default. */
  readonly sensitivity?: number;
  /** Take the last knee of the data instead of the first. */
  readonly online?: boolean;
  /** Degree of a polynomial that is fitted to y and takes its place. Without it the points stay as they are. */
  readonly polynomialDegree?: number;
}

const unitScale = (values: readonly number[]): number[] => {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values.map((value) => (value - low) / span);
};

/** The curve turned so that its knee is a maximum of y − x on the unit square (figure 2 of the paper). */
function differenceCurve(
  x: readonly number[],
  y: readonly number[],
  { curve, direction }: KneedleOptions,
): number[] {
  const unitX = unitScale(x);
  let unitY = unitScale(y);
  if (curve === 'convex') {
    const top = Math.max(...unitY);
    unitY = unitY.map((value) => top - value);
  }
  if ((curve === 'concave') === (direction === 'decreasing')) unitY = [...unitY].reverse();
  return unitY.map((value, i) => value - unitX[i]!);
}

/** y by the polynomial of least squares over x; y itself where there are too few points for its degree. */
function polynomialThrough(x: readonly number[], y: readonly number[], degree: number): readonly number[] {
  // On [−1, 1], where high powers stay apart from one another.
  const rows = unitScale(x).map((u) =>
    Array.from({ length: degree + 1 }, (_, power) => (2 * u - 1) ** power),
  );
  const fit = leastSquares(rows, y);
  if (fit === undefined) return y;
  return rows.map((row) => row.reduce((sum, value, j) => sum + value * fit.coefficients[j]!, 0));
}

/**
 * Kneedle (Satopää, Albrecht, Irwin & Raghavan 2011) on the points as they are, or on a polynomial through them: the x
 * of the knee, or undefined. x must rise; below three points, or on a constant curve, there is no knee.
 */
export function kneedle(
  x: readonly number[],
  y: readonly number[],
  options: KneedleOptions = { curve: 'concave', direction: 'increasing' },
): number | undefined {
  const { polynomialDegree: degree } = options;
  const smooth = degree === undefined ? y : polynomialThrough(x, y, degree);
  const difference = differenceCurve(x, smooth, options);
  if (x.length < 3 || !difference.every(Number.isFinite)) return undefined;
  const unitX = unitScale(x);
  const meanStep = (unitX.at(-1)! - unitX[0]!) / (x.length - 1);
  // A point level with a neighbour counts as an extremum. The first point lies on the chord: it is no knee.
  const is = (i: number, beats: (a: number, b: number) => boolean): boolean =>
    beats(difference[i]!, difference[i - 1]!) && beats(difference[i]!, difference[i + 1]!);
  let threshold: number | undefined;
  let candidate = 0;
  let knee: number | undefined;
  for (let i = 1; i < x.length - 1; i += 1) {
    // A maximum below the chord bends the other way.
    if (difference[i]! > 0 && is(i, (a, b) => a >= b)) {
      threshold = difference[i]! - (options.sensitivity ?? 1) * meanStep;
      candidate = i;
    }
    if (threshold === undefined) continue;
    if (is(i, (a, b) => a <= b)) threshold = 0;
    if (difference[i + 1]! < threshold) {
      const turned = (options.curve === 'concave') === (options.direction === 'decreasing');
      knee = x[turned ? x.length - 1 - candidate : candidate];
      if (options.online !== true) return knee;
    }
  }
  return knee;
}
