import { mean, sumOf } from '../stats/batch-means.ts';
import { median } from '../stats/rank-test.ts';
import { mannKendall, residualsAbout, theilSen, trendVarianceFactor } from '../stats/trend.ts';
import type { SlopeEstimate } from '../stats/trend.ts';

/** A quantity over a soak; `lowest` reads the envelope that is left after a collection, `median` the level. */
export interface SoakSeries {
  readonly quantity: string;
  readonly read: 'median' | 'lowest';
  readonly points: readonly (readonly [atSeconds: number, value: number])[];
  /** A rise below this is none, however sure: 10 for descriptors. */
  readonly leastRise?: number;
  /** Where the quantity ends: descriptor limit, memory limit. */
  readonly limit?: number;
}

export interface Drift {
  readonly quantity: string;
  readonly drifts: boolean;
  /** p of the trend in the blocks, allowing for their correlation. */
  readonly pValue: number;
  /** Rose or fell from block to block, far beyond what the line leaves: a drift whatever p says. */
  readonly climbs?: true;
  readonly slopePerSecond: number;
  readonly slopeInterval: readonly [low: number, high: number];
  /** Rise over the whole soak, and the same against the first block. */
  readonly rise: number;
  readonly riseRatio: number;
  /** Of a rising quantity: grows on, fills up, or the soak is too short to tell. */
  readonly shape?: 'leak' | 'fill' | 'unclear';
  /** From the end of the soak to the limit, at the slope; the range by its interval (high missing: maybe never). */
  readonly secondsToLimit?: { readonly expected: number; readonly low: number; readonly high?: number };
}

const BLOCKS = 24;
const FEWEST_POINTS = 24;
const SIGNIFICANT = 0.01;
const LEAST_RISE_RATIO = 0.05;
/** τ of blocks that rise or fall all the way, and median deviations about the line that this amounts to. */
const CLIMB_TAU = 0.95;
const CLIMB_DEVIATIONS = 12;
/** Difference of AICc from which the other model is given up. */
const CLEARLY_BETTER = 10;

interface Blocks {
  readonly at: readonly number[];
  readonly values: readonly number[];
}

/**
 * Whether a quantity drifts over a soak: 24 equal blocks, their medians or lowest values, Theil–Sen slope,
 * Mann–Kendall with the variance of an AR(1) series. A drift has p < 0.01 and a rise above 5 %, three median
 * deviations of the blocks about the line, and `leastRise`. Where what the line leaves is much correlated no S of 24
 * blocks reaches that p: blocks with τ ≥ 0.95 that rise by 12 median deviations climb, which level series of
 * correlation up to 0.95 do in none of 7,500. Undefined below 24 points: too few to tell.
 */
export function driftOf(series: SoakSeries): Drift | undefined {
  if (series.points.length < FEWEST_POINTS) return undefined;
  const blocks = blocksOf(series);
  const { at, values } = blocks;
  const residuals = residualsAbout(at, values, theilSen(at, values));
  const curve = saturatingCurve(blocks);
  // What a line leaves of a curve is no correlation of the noise.
  const factor = trendVarianceFactor(curve?.residuals ?? residuals);
  const estimate = theilSen(at, values, factor);
  const { slope, interval } = estimate;
  const { pValue, tau } = mannKendall(values, factor);
  const span = at.at(-1)! - at[0]!;
  const rise = slope * span;
  const deviation = median((curve?.residuals ?? residuals).map(Math.abs));
  const least = Math.max(LEAST_RISE_RATIO * Math.abs(values[0]!), 3 * deviation, series.leastRise ?? 0);
  const climbs = Math.abs(tau) >= CLIMB_TAU && Math.abs(rise) > CLIMB_DEVIATIONS * deviation;
  const drifts = (pValue < SIGNIFICANT || climbs) && Math.abs(rise) > least;
  const toLimit = drifts ? timeToLimit(series, values.at(-1)!, estimate) : undefined;
  return {
    quantity: series.quantity,
    drifts,
    pValue,
    ...(climbs && { climbs }),
    slopePerSecond: slope,
    slopeInterval: interval,
    rise,
    riseRatio: rise / values[0]!,
    ...(drifts && slope > 0 ? { shape: shapeOf(blocks, curve !== undefined) } : {}),
    ...(toLimit === undefined ? {} : { secondsToLimit: toLimit }),
  };
}

function blocksOf({ points, read }: SoakSeries): Blocks {
  const groups = Array.from({ length: BLOCKS }, (_, b) =>
    points.slice(Math.floor((b * points.length) / BLOCKS), Math.floor(((b + 1) * points.length) / BLOCKS)),
  );
  const level = (values: readonly number[]): number =>
    read === 'lowest' ? Math.min(...values) : median(values);
  return {
    at: groups.map((group) => mean(group.map(([at]) => at))),
    values: groups.map((group) => level(group.map(([, value]) => value))),
  };
}

/**
 * A leak grows in its last third as in its first (ratio of slopes ≥ 0.5, the last one sure to be above 0); a cache
 * that fills slows down to a fifth, or follows a + b(1 − exp(−t/τ)) better than a line with 3τ gone by.
 */
function shapeOf(blocks: Blocks, saturates: boolean): NonNullable<Drift['shape']> {
  const third = Math.floor(blocks.values.length / 3);
  const first = theilSen(blocks.at.slice(0, third), blocks.values.slice(0, third));
  const last = theilSen(blocks.at.slice(-third), blocks.values.slice(-third));
  const ratio = last.slope / first.slope;
  if (saturates || (first.slope > 0 && ratio <= 0.2)) return 'fill';
  return last.interval[0] > 0 && (first.slope <= 0 || ratio >= 0.5) ? 'leak' : 'unclear';
}

/** The curve a + b(1 − exp(−t/τ)), where its AICc is below that of the line and 3τ have gone by. */
function saturatingCurve({ at, values }: Blocks): { readonly residuals: readonly number[] } | undefined {
  const n = values.length;
  const span = at.at(-1)! - at[0]!;
  const criterion = (residuals: readonly number[], parameters: number): number =>
    n * Math.log(sumOf(residuals.map((r) => r * r)) / n) +
    2 * parameters +
    (2 * parameters * (parameters + 1)) / (n - parameters - 1);
  const line = criterion(leastSquaresResiduals(at, values), 3);
  const curves = Array.from({ length: 20 }, (_, i) => (span / 3) * 0.85 ** i).map((tau) => {
    const shape = at.map((t) => 1 - Math.exp(-(t - at[0]!) / tau));
    const residuals = leastSquaresResiduals(shape, values);
    return { residuals, criterion: criterion(residuals, 4) };
  });
  const best = curves.reduce((least, one) => (one.criterion < least.criterion ? one : least));
  return best.criterion < line - CLEARLY_BETTER ? best : undefined;
}

function leastSquaresResiduals(x: readonly number[], y: readonly number[]): number[] {
  const [centreX, centreY] = [mean(x), mean(y)];
  const sxx = sumOf(x.map((value) => (value - centreX) ** 2));
  const sxy = sumOf(x.map((value, i) => (value - centreX) * (y[i]! - centreY)));
  return y.map((value, i) => value - centreY - (sxy / sxx) * (x[i]! - centreX));
}

function timeToLimit(
  { limit }: SoakSeries,
  level: number,
  { slope, interval }: SlopeEstimate,
): Drift['secondsToLimit'] {
  if (limit === undefined || slope <= 0 || limit <= level) return undefined;
  const left = limit - level;
  return {
    expected: left / slope,
    low: left / interval[1],
    ...(interval[0] > 0 ? { high: left / interval[0] } : {}),
  };
}
