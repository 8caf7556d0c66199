import type { Interval } from '../model/distribution.ts';
import type { CurveRise, Knee } from '../model/analysis.ts';
import type { CurvePoint } from './curve.ts';

/** One-sided 95 % of a normal distribution. */
const ONE_SIDED = 1.64;
/** A marginal slope below this share of the light-load slope has left the line. */
const BENT_SLOPE_RATIO = 0.9;
const DEGRADATION_RATIO = 0.03;
/** Points within this share of the highest throughput make the plateau. */
const PLATEAU_RATIO = 0.97;
/** One step alone must have lost as much, and be as many standard errors of the difference below the peak. */
const COLLAPSE_RATIO = 0.1;
const COLLAPSE_ERRORS = 4;
/** Steps from this share of the last load on tell whether X still rises; a knee that is seen lies before them. */
const TAIL_RATIO = 0.8;

/** dX/dN between neighbouring steps over the light-load slope, with its standard error. */
export interface MarginalSlope {
  readonly between: Interval;
  readonly ratio: number;
  readonly standardError: number;
}

/** The marginal slopes of a curve, in units of the light-load slope a. `deviations` are those of X. */
export function marginalSlopes(
  points: readonly CurvePoint[],
  deviations: readonly number[],
  slopePerSecond: number,
): MarginalSlope[] {
  return points.slice(1).map((after, i) => {
    const before = points[i]!;
    const unit = (after.load - before.load) * slopePerSecond;
    return {
      between: [before.load, after.load],
      ratio: (after.throughputPerSecond - before.throughputPerSecond) / unit,
      standardError: Math.hypot(deviations[i]!, deviations[i + 1]!) / unit,
    };
  });
}

/**
 * The bend: the first pair of steps from which every marginal slope stays below 0.9 of the light-load slope,
 * the last of them below it by 1.64 standard errors. Missing while the curve is straight within its noise.
 */
export function bendOf(slopes: readonly MarginalSlope[]): Interval | undefined {
  const last = slopes.at(-1);
  if (last === undefined || last.ratio + ONE_SIDED * last.standardError >= 1) return undefined;
  const straight = slopes.findLastIndex((slope) => slope.ratio >= BENT_SLOPE_RATIO);
  return slopes[straight + 1]?.between;
}

/** The index of the step with the highest throughput. */
export const peakIndexOf = (points: readonly CurvePoint[]): number =>
  points.reduce((best, p, i) => (p.throughputPerSecond > points[best]!.throughputPerSecond ? i : best), 0);

/**
 * How X still rises at the last step: by a weighted line through the steps from 0.8 of the last load on (two at
 * least), more than 3 % and beyond 1.64 standard errors of the slope. Undefined where X is level within its error, or
 * the last step is not the highest.
 */
export function riseAtEnd(
  points: readonly CurvePoint[],
  deviations: readonly number[],
): CurveRise | undefined {
  const last = points.at(-1);
  if (points.length < 2 || last === undefined || peakIndexOf(points) < points.length - 1) return undefined;
  const inTail = points.findIndex(({ load }) => load >= TAIL_RATIO * last.load);
  const from = Math.min(inTail, points.length - 2);
  const tail = points.slice(from).map((point, i) => ({ ...point, weight: deviations[from + i]! ** -2 }));
  const over = (of: (point: (typeof tail)[number]) => number): number =>
    tail.reduce((sum, point) => sum + point.weight * of(point), 0);
  const middle = over(({ load }) => load) / over(() => 1);
  const spread = over(({ load }) => (load - middle) ** 2);
  const slope = over((point) => (point.load - middle) * point.throughputPerSecond) / spread;
  const fromLoad = tail[0]!.load;
  const gainRatio = (slope * (last.load - fromLoad)) / last.throughputPerSecond;
  const isBeyondError = slope > ONE_SIDED / Math.sqrt(spread);
  if (!isBeyondError || gainRatio <= 1 - PLATEAU_RATIO) return undefined;
  return { fromLoad, toLoad: last.load, gainRatio };
}

/** Steps beyond the peak that lie below it by more than noise, and what that amounts to. */
export interface Degradation {
  readonly indexes: ReadonlySet<number>;
  readonly summary: NonNullable<Knee['degradation']>;
}

/**
 * Degradation: steps after the peak more than 2 standard errors of the difference and 3 % below it, at least
 * two in a row, or the last step alone where it lies 4 standard errors and 10 % below. `lossRatio` is the loss of the
 * last step against the peak. Missing when the curve only levels off.
 */
export function degradationOf(
  points: readonly CurvePoint[],
  deviations: readonly number[],
): Degradation | undefined {
  const peak = peakIndexOf(points);
  const top = points[peak]!.throughputPerSecond;
  const isBelow = (i: number, ratio: number, errors: number): boolean => {
    const loss = top - points[i]!.throughputPerSecond;
    const noise = errors * Math.hypot(deviations[i]!, deviations[peak]!);
    return i > peak && loss > Math.max(noise, ratio * top);
  };
  const fallen = points.map((_, i) => isBelow(i, DEGRADATION_RATIO, 2));
  const first = fallen.findIndex((isFallen, i) => isFallen && fallen[i + 1] === true);
  if (first < 0)
    return isBelow(points.length - 1, COLLAPSE_RATIO, COLLAPSE_ERRORS)
      ? lastStepOnly(points, top)
      : undefined;
  const indexes = new Set(fallen.flatMap((isFallen, i) => (isFallen ? [i] : [])));
  const lossRatio = 1 - points.at(-1)!.throughputPerSecond / top;
  return { indexes, summary: { fromLoad: points[first]!.load, lossRatio } };
}

function lastStepOnly(points: readonly CurvePoint[], top: number): Degradation {
  const { load, throughputPerSecond } = points.at(-1)!;
  const summary = { fromLoad: load, lossRatio: 1 - throughputPerSecond / top, isLastStepOnly: true } as const;
  return { indexes: new Set([points.length - 1]), summary };
}

/** The steps within 3 % of the highest throughput. */
export function plateauIndexes(points: readonly CurvePoint[]): number[] {
  const top = points[peakIndexOf(points)]!.throughputPerSecond;
  return points.flatMap((p, i) => (p.throughputPerSecond >= PLATEAU_RATIO * top ? [i] : []));
}

/** Mean throughput of the steps within 3 % of the highest. */
export function plateauOf(points: readonly CurvePoint[]): number {
  const level = plateauIndexes(points);
  return level.reduce((sum, i) => sum + points[i]!.throughputPerSecond, 0) / level.length;
}
