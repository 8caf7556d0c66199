import type { StepRow } from '../model/analysis.ts';

/** One point of a throughput curve X(N). */
export interface CurvePoint {
  /** N, workers, or offered rate: users, count or per second. */
  readonly load: number;
  readonly throughputPerSecond: number;
  /** Missing: not known from the measurement. */
  readonly standardErrorPerSecond?: number;
}

/** The load of a step, whatever drives it: users, else workers, else offered rate. */
export const loadOf = (row: StepRow): number =>
  row.users ?? row.concurrency ?? row.arrivalRatePerSecond ?? NaN;

/**
 * The throughput curve of the usable steps, rising in load. Steps of the same load become one point: the mean
 * of their X, and the standard error of that mean. Steps that are not valid or have no throughput are left out.
 */
export function curveOf(rows: readonly StepRow[]): CurvePoint[] {
  const byLoad = new Map<number, StepRow[]>();
  for (const row of rows) {
    if (!row.valid || !(row.throughputPerSecond > 0) || !(loadOf(row) > 0)) continue;
    byLoad.set(loadOf(row), [...(byLoad.get(loadOf(row)) ?? []), row]);
  }
  return [...byLoad].sort((a, b) => a[0] - b[0]).map(([load, group]) => pointOf(load, group));
}

function pointOf(load: number, group: readonly StepRow[]): CurvePoint {
  const count = group.length;
  const throughputPerSecond = group.reduce((sum, row) => sum + row.throughputPerSecond, 0) / count;
  const errors = group.flatMap((row) => row.throughputStandardErrorPerSecond ?? []);
  if (errors.length < count) return { load, throughputPerSecond };
  const standardErrorPerSecond = Math.hypot(...errors) / count;
  return { load, throughputPerSecond, standardErrorPerSecond };
}

/** So many points carry a curve; more cost time and add nothing to its fit. */
export const MOST_POINTS = 60;

/**
 * A curve of at most 60 points: of a longer one, means of equally many neighbouring points (load, X, and the
 * standard error of the mean). Between neighbours a curve of so many loads is straight.
 */
export function condensed(points: readonly CurvePoint[]): readonly CurvePoint[] {
  if (points.length <= MOST_POINTS) return points;
  return Array.from({ length: MOST_POINTS }, (_, i) => {
    const from = Math.floor((i * points.length) / MOST_POINTS);
    const group = points.slice(from, Math.floor(((i + 1) * points.length) / MOST_POINTS));
    const mean = (of: (point: CurvePoint) => number): number =>
      group.reduce((sum, point) => sum + of(point), 0) / group.length;
    const errors = group.flatMap((point) => point.standardErrorPerSecond ?? []);
    return {
      load: mean(({ load }) => load),
      throughputPerSecond: mean(({ throughputPerSecond }) => throughputPerSecond),
      ...(errors.length === group.length && {
        standardErrorPerSecond: Math.hypot(...errors) / group.length,
      }),
    };
  });
}
