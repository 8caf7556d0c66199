import { bootstrap } from '../stats/bootstrap.ts';
import { drawNormal } from '../stats/random.ts';
import type { CurvePoint } from './curve.ts';
import { degradationOf } from './curve-shape.ts';
import type { Degradation } from './curve-shape.ts';
import { fitLine, smoothMinFitter, throughputAt } from './smooth-min.ts';
import type { shapeGrid } from './smooth-min.ts';
import type { FittedPoints, SmoothMin } from './smooth-min.ts';

/** No throughput of a load test is known better than to 1 %. */
const FLOOR_RATIO = 0.01;
/** Parameters of the curve: a, k, p. */
const PARAMETERS = 3;
/** Steps up to this share of the fitted knee count as light load. */
const LIGHT_LOAD_RATIO = 0.4;

/** A throughput curve with its fit, its noise and the replicates of its knee. */
export interface CurveModel {
  readonly points: readonly CurvePoint[];
  /** Standard deviation of each X. */
  readonly deviations: readonly number[];
  /** What the curve was fitted to: the points without those that degrade. */
  readonly fitted: FittedPoints;
  readonly fit: SmoothMin;
  /** Light-load slope: X/N of the lowest steps = 1/(R₀ + Z), per second a user. */
  readonly lightSlopePerSecond: number;
  /** Its standard error, as a share of it. */
  readonly lightSlopeError: number;
  /** How much better the curve fits than the line through the origin: RSS(line) − RSS(curve), in variances. */
  readonly gainOverLine: number;
  readonly kneeReplicates: readonly number[];
  /** Z/(R₀ + Z): the share of their time that users think at light load. */
  readonly thinkRatio: number;
  readonly degradation?: Degradation;
}

/** Standard deviation of an X: the larger of its standard error and 1 % where known, else 1 %, times `inflation`. */
export const deviationOf = (
  { standardErrorPerSecond = 0, throughputPerSecond }: CurvePoint,
  inflation = 1,
): number => Math.max(standardErrorPerSecond, FLOOR_RATIO * inflation * throughputPerSecond);

const deviationsOf = (points: readonly CurvePoint[], inflation = 1): number[] =>
  points.map((point) => deviationOf(point, inflation));

/** How a curve is modelled. */
export interface CurveOptions {
  readonly replicates: number;
  readonly seed: number;
  /** Z/(R₀ + Z); 0, which excludes least, where it is not known. */
  readonly thinkRatio?: number;
  /** Gives the grid of curves over the loads; kept by who models many curves over the same loads. */
  readonly gridOver?: typeof shapeGrid;
}

/**
 * Fits the curve to the steps that do not degrade and repeats the fit on `replicates` parametric bootstrap
 * samples. Where a step does not tell its standard error, the scatter around the fit (n − 3 degrees of
 * freedom, at least 1 %) stands in. Needs two loads; below five the scatter cannot be told from the fit.
 */
export function modelCurve(points: readonly CurvePoint[], options: CurveOptions): CurveModel {
  const inflation = scatterInflation(points);
  const allDeviations = deviationsOf(points, inflation);
  const degradation = degradationOf(points, allDeviations);
  const kept = points.filter((_, i) => degradation?.indexes.has(i) !== true);
  const loads = kept.map((p) => p.load);
  const throughputs = kept.map((p) => p.throughputPerSecond);
  const deviations = deviationsOf(kept, inflation);
  const fitter = smoothMinFitter(loads, deviations, options.gridOver?.(loads));
  const fit = fitter(throughputs);
  const expected = loads.map((load) => throughputAt(fit, load));
  const kneeReplicates = bootstrap(
    (random) => expected.map((x, i) => Math.max(x * 1e-3, x + deviations[i]! * drawNormal(random))),
    (sample) => fitter(sample).kneeLoad,
    { count: options.replicates, seed: options.seed },
  );
  return {
    points,
    deviations: allDeviations,
    fitted: { loads, throughputs, deviations },
    fit,
    ...lightSlope(kept, deviations, fit.kneeLoad),
    gainOverLine: fitLine({ loads, throughputs, deviations }).residualSumOfSquares - fit.residualSumOfSquares,
    kneeReplicates,
    thinkRatio: options.thinkRatio ?? 0,
    ...(degradation && { degradation }),
  };
}

/** Scatter around the fit in units of 1 %, at least 1, without the steps that look degraded at 1 %. */
function scatterInflation(all: readonly CurvePoint[]): number {
  if (all.every((p) => p.standardErrorPerSecond !== undefined)) return 1;
  const suspect = degradationOf(all, deviationsOf(all))?.indexes;
  const points = all.filter((_, i) => suspect?.has(i) !== true);
  if (points.length <= PARAMETERS + 1) return 1;
  const fit = smoothMinFitter(
    points.map((p) => p.load),
    deviationsOf(points),
  );
  const { residualSumOfSquares } = fit(points.map((p) => p.throughputPerSecond));
  return Math.max(1, Math.sqrt(residualSumOfSquares / (points.length - PARAMETERS)));
}

/** A weighted line through the origin and the light steps: its slope, and 1/√Σ(N/sd)² of it. */
function lightSlope(
  points: readonly CurvePoint[],
  deviations: readonly number[],
  knee: number,
): Pick<CurveModel, 'lightSlopePerSecond' | 'lightSlopeError'> {
  const count = Math.max(1, points.filter((p) => p.load <= LIGHT_LOAD_RATIO * knee).length);
  const light = points.slice(0, count);
  const lightSlopePerSecond = fitLine({
    loads: light.map((p) => p.load),
    throughputs: light.map((p) => p.throughputPerSecond),
    deviations: deviations.slice(0, count),
  }).slope;
  const weight = Math.hypot(...light.map((p, i) => p.load / deviations[i]!));
  return { lightSlopePerSecond, lightSlopeError: 1 / weight / lightSlopePerSecond };
}
