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

/** Values in units of their standard deviations. */
const whiten = (values: readonly number[], deviations: readonly number[]): number[] =>
  values.map((value, i) => value / deviations[i]!);

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** The multiple of a shape nearest to y (both whitened) and what it leaves: ‖y‖² − (y·s)²/‖s‖². */
function project(
  shape: readonly number[],
  y: readonly number[],
): { readonly slope: number; readonly residualSumOfSquares: number } {
  const along = dot(shape, y);
  const size = dot(shape, shape);
  return {
    slope: along / size,
    residualSumOfSquares: Math.max(0, dot(y, y) - (along * along) / size),
  };
}

/** The straight line X = a·N through the origin: what the curve is while nothing saturates. */
export const fitLine = (
  loads: readonly number[],
  throughputs: readonly number[],
  deviations: readonly number[],
): { readonly slope: number; readonly residualSumOfSquares: number } =>
  project(whiten(loads, deviations), whiten(throughputs, deviations));

/** A grid of curves as unit vectors in whitened space, one after the other. */
interface Grid {
  readonly candidates: readonly { readonly p: number; readonly knee: number }[];
  readonly directions: Float64Array;
  /** Step of the knees, geometric. */
  readonly ratio: number;
}

function normalise(vector: Float64Array): void {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  for (let i = 0; i < vector.length; i += 1) vector[i]! /= length;
}

function gridFor(loads: readonly number[], deviations: readonly number[]): Grid {
  const ratio = ((REACH * loads.at(-1)!) / loads[0]!) ** (1 / (KNEE_CANDIDATES - 1));
  const knees = Array.from({ length: KNEE_CANDIDATES }, (_, i) => loads[0]! * ratio ** i);
  const candidates = SHARPNESSES.flatMap((p) => knees.map((knee) => ({ p, knee })));
  const directions = new Float64Array(candidates.length * loads.length);
  const logLoads = loads.map(Math.log);
  for (const [index, { p, knee }] of candidates.entries()) {
    const logKnee = Math.log(knee);
    const direction = directions.subarray(index * loads.length, (index + 1) * loads.length);
    for (let i = 0; i < loads.length; i += 1)
      direction[i] = shapeOfLogs(logLoads[i]!, logKnee, p) / deviations[i]!;
    normalise(direction);
  }
  return { candidates, directions, ratio };
}

/** The candidate whose direction is nearest to y: the one with the least residual sum of squares. */
function nearest({ candidates, directions }: Grid, y: readonly number[]): Grid['candidates'][number] {
  let best = 0;
  let highest = -Infinity;
  let at = 0;
  for (let index = 0; index < candidates.length; index += 1) {
    let along = 0;
    for (let i = 0; i < y.length; i += 1) {
      along += directions[at]! * y[i]!;
      at += 1;
    }
    if (along <= highest) continue;
    best = index;
    highest = along;
  }
  return candidates[best]!;
}

/**
 * Makes the fitter for a set of loads (rising, above 0) and the standard deviations of X at them: a grid of
 * knees, geometric from the lowest load to four times the highest, by nine sharpnesses, a in closed form, then
 * golden section on the knee. The grid is computed once, so that a bootstrap can fit hundreds of times.
 */
export function smoothMinFitter(loads: readonly number[], deviations: readonly number[]): SmoothMinFitter {
  const grid = gridFor(loads, deviations);
  return (throughputs) => {
    const y = whiten(throughputs, deviations);
    const { p, knee } = nearest(grid, y);
    const fitAt = (candidate: number): ReturnType<typeof project> =>
      project(
        loads.map((load, i) => shapeAt(load, candidate, p) / deviations[i]!),
        y,
      );
    const from = Math.max(loads[0]!, knee / grid.ratio);
    const rssAt = (candidate: number): number => fitAt(candidate).residualSumOfSquares;
    const kneeLoad = minimise(rssAt, from, knee * grid.ratio, KNEE_TOLERANCE);
    const { slope, residualSumOfSquares } = fitAt(kneeLoad);
    return { slopePerSecond: slope, kneeLoad, sharpness: p, residualSumOfSquares };
  };
}
