import { mannKendall, theilSen } from '../../stats/trend.ts';
import { driftOf, type Drift, type SoakSeries } from '../drift.ts';

/** Fewer points show no trend at p < 0.01. */
const FEWEST_POINTS = 8;
const SIGNIFICANT = 0.01;
const LEAST_RISE_RATIO = 0.05;
/** Growth in the second half over that in the first: it goes on, it levels off, or neither is sure. */
const GOES_ON_RATIO = 0.6;
const LEVELS_OFF_RATIO = 0.3;

/** What a leak rule needs of a drift. */
export type ShortDrift = Pick<Drift, 'drifts' | 'pValue' | 'climbs' | 'slopePerSecond' | 'rise' | 'shape'> & {
  readonly secondsToLimit?: { readonly expected: number };
};

/**
 * `driftOf`, and for a stretch too short for its blocks the same test on the samples themselves: Mann–Kendall
 * p < 0.01, a rise above 5 % and `leastRise`, and its shape by the growth of the halves. Undefined below 8 samples.
 */
export function driftOfStretch(series: SoakSeries): ShortDrift | undefined {
  const long = driftOf(series);
  if (long !== undefined) return long;
  const { points, leastRise = 0, limit } = series;
  if (points.length < FEWEST_POINTS) return undefined;
  const [first, middle, last] = [points[0]!, points[Math.floor(points.length / 2)]!, points.at(-1)!];
  const values = points.map(([, value]) => value);
  const { pValue } = mannKendall(values);
  const slopePerSecond = theilSen(
    points.map(([at]) => at),
    values,
  ).slope;
  const rise = last[1] - first[1];
  const drifts = pValue < SIGNIFICANT && Math.abs(rise) > Math.max(LEAST_RISE_RATIO * first[1], leastRise);
  const slopes = [slopeOf(first, middle), slopeOf(middle, last)] as const;
  return {
    drifts,
    pValue,
    slopePerSecond,
    rise,
    ...(drifts && rise > 0 && { shape: shapeOf(slopes[1] / slopes[0]) }),
    ...(drifts &&
      limit !== undefined &&
      slopePerSecond > 0 && { secondsToLimit: { expected: (limit - last[1]) / slopePerSecond } }),
  };
}

const slopeOf = (a: readonly [number, number], b: readonly [number, number]): number =>
  (b[1] - a[1]) / (b[0] - a[0]);

function shapeOf(ratio: number): NonNullable<Drift['shape']> {
  if (ratio >= GOES_ON_RATIO) return 'leak';
  return ratio <= LEVELS_OFF_RATIO ? 'fill' : 'unclear';
}
