import { minimise } from '../stats/minimise.ts';

/**
 * X(N) = a·N/(1 + (N/k)^p)^(1/p): the light-load line aN, the plateau ak, and the knee N* = k where the two
 * cross. p is the sharpness of the corner: 9 and more for one bottleneck or pool, 2 and less for contention
 * or many balanced stations.
 */
export interface SmoothMin {
  /** a, requests per second a user. */
  readonly slopePerSecond: number;
  /** k = N*. */
  readonly kneeLoad: number;
  /** p. */
  readonly sharpness: number;
  /** Σ ((X − X̂)/sd)². */
  readonly residualSumOfSquares: number;
}

/** Loads, throughputs and their standard deviations, in columns. */
export interface FittedPoints {
  readonly loads: readonly number[];
  readonly throughputs: readonly number[];
  readonly deviations: readonly number[];
}

/** Fits one set of throughputs measured at the fitter's loads. */
export type SmoothMinFitter = (throughputs: readonly number[]) => SmoothMin;

/** The values of p that a fit tries. */
export const SHARPNESSES: readonly number[] = [1.5, 2, 2.5, 3, 4, 6, 9, 14, 40];
const KNEE_CANDIDATES = 80;
/** The knee is sought up to this many times the highest load. */
const REACH = 4;
const KNEE_TOLERANCE = 1e-4;

/**
 * N/(1 + (N/k)^p)^(1/p), the curve with a light-load slope of 1, from ln N and ln k: the smaller of the two less
 * ln(1 + ρ^p)/p, ρ = smaller/larger, which cannot overflow and costs no powers.
 */
function shapeOfLogs(logLoad: number, logKnee: number, p: number): number {
  const corner = Math.log1p(Math.exp(-p * Math.abs(logLoad - logKnee))) / p;
  return Math.exp(Math.min(logLoad, logKnee) - corner);
}

/** N/(1 + (N/k)^p)^(1/p). */
export const shapeAt = (load: number, knee: number, p: number): number =>
  shapeOfLogs(Math.log(load), Math.log(knee), p);

/** X̂(N) of a fit. */
export const throughputAt = (fit: SmoothMin, load: number): number =>
  fit.slopePerSecond * shapeAt(load, fit.kneeLoad, fit.sharpness);

/** The load at which a fit reaches a throughput; infinite at or above its plateau. */
export function loadFor(fit: SmoothMin, throughputPerSecond: number): number {
  const { slopePerSecond, kneeLoad, sharpness: p } = fit;
  const share = throughputPerSecond / (slopePerSecond * kneeLoad);
  return share < 1 ? throughputPerSecond / slopePerSecond / (1 - share ** p) ** (1 / p) : Infinity;
}

/** The best multiple of a curve, and what it leaves: Σ((y − slope·s)/sd)². */
export interface Multiple {
  readonly slope: number;
  readonly residualSumOfSquares: number;
}

/** The multiple of a curve s(N) nearest to throughputs: ‖y‖² − (y·s)²/‖s‖², all in units of their deviations. */
export function fitMultiple(
  shape: (load: number, index: number) => number,
  { loads, throughputs, deviations }: FittedPoints,
): Multiple {
  let along = 0;
  let size = 0;
  let total = 0;
  for (let i = 0; i < loads.length; i += 1) {
    const s = shape(loads[i]!, i) / deviations[i]!;
    const y = throughputs[i]! / deviations[i]!;
    along += y * s;
    size += s * s;
    total += y * y;
  }
  return { slope: along / size, residualSumOfSquares: Math.max(0, total - (along * along) / size) };
}

/** The straight line X = a·N through the origin: what the curve is while nothing saturates. */
export const fitLine = (points: FittedPoints): Multiple => fitMultiple((load) => load, points);

/** A grid of curves over a set of loads, one after the other: nine sharpnesses by eighty knees. */
export interface ShapeGrid {
  readonly candidates: readonly { readonly p: number; readonly knee: number }[];
  readonly shapes: Float64Array;
  /** Step of the knees, geometric. */
  readonly ratio: number;
}

/** The grid for loads (rising, above 0): knees from the lowest to four times the highest. Curves over the same loads share it. */
export function shapeGrid(loads: readonly number[]): ShapeGrid {
  const ratio = ((REACH * loads.at(-1)!) / loads[0]!) ** (1 / (KNEE_CANDIDATES - 1));
  const knees = Array.from({ length: KNEE_CANDIDATES }, (_, i) => loads[0]! * ratio ** i);
  const candidates = SHARPNESSES.flatMap((p) => knees.map((knee) => ({ p, knee })));
  const shapes = new Float64Array(candidates.length * loads.length);
  const logLoads = loads.map(Math.log);
  let at = 0;
  for (const { p, knee } of candidates) {
    const logKnee = Math.log(knee);
    for (const logLoad of logLoads) {
      shapes[at] = shapeOfLogs(logLoad, logKnee, p);
      at += 1;
    }
  }
  return { candidates, shapes, ratio };
}

/** The grid's curves as unit vectors in units of the deviations. */
function directionsOf({ shapes }: ShapeGrid, deviations: readonly number[]): Float64Array {
  const directions = new Float64Array(shapes.length);
  const count = deviations.length;
  for (let from = 0; from < shapes.length; from += count) {
    let size = 0;
    for (let i = 0; i < count; i += 1) size += (shapes[from + i]! / deviations[i]!) ** 2;
    const length = Math.sqrt(size);
    for (let i = 0; i < count; i += 1) directions[from + i] = shapes[from + i]! / deviations[i]! / length;
  }
  return directions;
}

/** The direction nearest to y: the curve with the least residual sum of squares. */
function nearest(directions: Float64Array, y: Float64Array): number {
  let best = 0;
  let highest = -Infinity;
  let at = 0;
  for (let index = 0; at < directions.length; index += 1) {
    let along = 0;
    for (let i = 0; i < y.length; i += 1) {
      along += directions[at]! * y[i]!;
      at += 1;
    }
    if (along <= highest) continue;
    best = index;
    highest = along;
  }
  return best;
}

/**
 * Makes the fitter for a set of loads (rising, above 0) and the standard deviations of X at them: the nearest curve
 * of the grid, a in closed form, then golden section on the knee. The grid is computed once, so that a bootstrap
 * can fit hundreds of times.
 */
export function smoothMinFitter(
  loads: readonly number[],
  deviations: readonly number[],
  grid = shapeGrid(loads),
): SmoothMinFitter {
  const directions = directionsOf(grid, deviations);
  const logLoads = loads.map(Math.log);
  return (throughputs) => {
    const points = { loads, throughputs, deviations };
    const whitened = Float64Array.from(throughputs, (x, i) => x / deviations[i]!);
    const { p, knee } = grid.candidates[nearest(directions, whitened)]!;
    const fitAt = (candidate: number): Multiple => {
      const logKnee = Math.log(candidate);
      return fitMultiple((_, i) => shapeOfLogs(logLoads[i]!, logKnee, p), points);
    };
    const from = Math.max(loads[0]!, knee / grid.ratio);
    const rssAt = (candidate: number): number => fitAt(candidate).residualSumOfSquares;
    const kneeLoad = minimise(rssAt, from, knee * grid.ratio, KNEE_TOLERANCE);
    const { slope, residualSumOfSquares } = fitAt(kneeLoad);
    return { slopePerSecond: slope, kneeLoad, sharpness: p, residualSumOfSquares };
  };
}
