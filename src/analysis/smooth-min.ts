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

/** Fits one set of throughputs measured at the fitter's loads, with the standard deviation of each. */
export type SmoothMinFitter = (throughputs: readonly number[], deviations: readonly number[]) => SmoothMin;

const SHARPNESSES = [1.5, 2, 2.5, 3, 4, 6, 9, 14, 40];
const KNEE_CANDIDATES = 160;
/** The knee is sought up to this many times the highest load. */
const REACH = 4;
const KNEE_TOLERANCE = 1e-4;

const shapeAt = (load: number, knee: number, p: number): number => {
  const ratio = load / knee;
  // Beyond p·ln(ratio) of about 700 the power overflows; the curve has long been flat.
  return ratio > 1 ? knee / (1 + ratio ** -p) ** (1 / p) : load / (1 + ratio ** p) ** (1 / p);
};

/** X̂(N) of a fit. */
export const throughputAt = (fit: SmoothMin, load: number): number =>
  fit.slopePerSecond * shapeAt(load, fit.kneeLoad, fit.sharpness);

/** The load at which a fit reaches a throughput; infinite at or above its plateau. */
export function loadFor(fit: SmoothMin, throughputPerSecond: number): number {
  const { slopePerSecond, kneeLoad, sharpness: p } = fit;
  const share = throughputPerSecond / (slopePerSecond * kneeLoad);
  return share < 1 ? throughputPerSecond / slopePerSecond / (1 - share ** p) ** (1 / p) : Infinity;
}

/** What a fit of one data set needs again and again: w = 1/sd², w·X and Σ w·X². */
interface Weighted {
  readonly weights: Float64Array;
  readonly weighted: Float64Array;
  readonly total: number;
}

function weigh(throughputs: readonly number[], deviations: readonly number[]): Weighted {
  const weights = new Float64Array(deviations.map((sd) => 1 / (sd * sd)));
  const weighted = weights.map((w, i) => w * throughputs[i]!);
  return { weights, weighted, total: weighted.reduce((sum, wx, i) => sum + wx * throughputs[i]!, 0) };
}

/** Weighted RSS of the best multiple of the shape stored from `offset` on: Σ wX² − (Σ w·X·s)²/Σ w·s². */
function residualOf(shapes: Float64Array, offset: number, { weights, weighted, total }: Weighted): number {
  let xy = 0;
  let xx = 0;
  for (let i = 0; i < weights.length; i += 1) {
    const value = shapes[offset + i]!;
    xy += value * weighted[i]!;
    xx += value * value * weights[i]!;
  }
  return Math.max(0, total - (xy * xy) / xx);
}

/** That multiple: Σ w·X·s/Σ w·s². */
function multipleOf(shape: Float64Array, { weights, weighted }: Weighted): number {
  const xy = shape.reduce((sum, value, i) => sum + value * weighted[i]!, 0);
  return xy / shape.reduce((sum, value, i) => sum + value * value * weights[i]!, 0);
}

/** The straight line X = a·N through the origin: what the curve is while nothing saturates. */
export function fitLine(
  loads: readonly number[],
  throughputs: readonly number[],
  deviations: readonly number[],
): { readonly slope: number; readonly residualSumOfSquares: number } {
  const data = weigh(throughputs, deviations);
  const shape = new Float64Array(loads);
  return { slope: multipleOf(shape, data), residualSumOfSquares: residualOf(shape, 0, data) };
}

/**
 * Makes the fitter for a set of loads (rising, above 0): a grid of knees, geometric from the lowest load to
 * four times the highest, by nine sharpnesses, a in closed form, then golden section on the knee. The shapes
 * of the grid are computed once, so that a bootstrap can fit hundreds of times.
 */
export function smoothMinFitter(loads: readonly number[]): SmoothMinFitter {
  const lowest = loads[0]!;
  const ratio = ((REACH * loads.at(-1)!) / lowest) ** (1 / (KNEE_CANDIDATES - 1));
  const knees = Array.from({ length: KNEE_CANDIDATES }, (_, i) => lowest * ratio ** i);
  const candidates = SHARPNESSES.flatMap((p) => knees.map((knee) => ({ p, knee })));
  const shapes = new Float64Array(
    candidates.flatMap(({ p, knee }) => loads.map((load) => shapeAt(load, knee, p))),
  );
  return (throughputs, deviations) => {
    const data = weigh(throughputs, deviations);
    let bestIndex = 0;
    let bestRss = Infinity;
    for (let index = 0; index < candidates.length; index += 1) {
      const rss = residualOf(shapes, index * loads.length, data);
      if (rss >= bestRss) continue;
      bestIndex = index;
      bestRss = rss;
    }
    const { p, knee } = candidates[bestIndex]!;
    const shapeOf = (candidate: number): Float64Array =>
      new Float64Array(loads.map((load) => shapeAt(load, candidate, p)));
    const from = Math.max(lowest, knee / ratio);
    const kneeLoad = minimise((k) => residualOf(shapeOf(k), 0, data), from, knee * ratio, KNEE_TOLERANCE);
    const shape = shapeOf(kneeLoad);
    return {
      slopePerSecond: multipleOf(shape, data),
      kneeLoad,
      sharpness: p,
      residualSumOfSquares: residualOf(shape, 0, data),
    };
  };
}
