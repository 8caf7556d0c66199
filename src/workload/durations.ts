import type { LogTable } from '../model/log-table.ts';
import type { RequestClass, TimeSummary } from '../model/workload.ts';
import { timeSummaryOf, weightedSummaryOf } from './summary.ts';

/** What the durations of a log are worth. */
export interface Durations {
  /** Requests that have one. */
  readonly knownCount: number;
  /** Share of the requests, 0–1, that have one or whose class has enough of them. */
  readonly coverageRatio: number;
  /** R, each class weighted by its share of all requests; missing where the durations are too few or of too few classes. */
  readonly responseTime?: TimeSummary;
  /** The table with the mean of its class for a duration that is missing, where there is one; as it was without R. */
  readonly table: LogTable;
}

/** Below this many a mean of a class is known to no better than half of itself where times are exponential (1/√n). */
const FEWEST_OF_CLASS = 5;
/** With fewer durations in all, R is known to no better than a fifth or so. */
const FEWEST = 30;
/** Fewer of all may be those of one moment. */
const LEAST_SHARE = 0.05;
/** So much of the mix must be timed for a minority of durations to speak for all. */
const LEAST_COVERAGE = 0.9;

/**
 * R, and the durations by which pauses are told, of a log in which only some lines have one: after a change of its
 * format, or where it times some requests only. Requests without one are taken to last as long as others of their class
 * (stratified estimation; Cochran 1977, §5.2), which is honest if most have one, or if a twentieth and at least 30 have and their
 * classes make up nine tenths of the requests. `classOfRow` goes by the place in `rows`.
 */
export function durationsOf(
  table: LogTable,
  rows: Uint32Array,
  classOfRow: (place: number) => RequestClass,
): Durations {
  const known = new Float64Array(rows.length);
  const places = new Uint32Array(rows.length);
  let knownCount = 0;
  rows.forEach((row, place) => {
    const seconds = table.responseTimeSeconds[row]!;
    if (Number.isNaN(seconds)) return;
    known[knownCount] = seconds;
    places[knownCount++] = place;
  });
  const values = known.subarray(0, knownCount);
  if (knownCount === rows.length)
    return { knownCount, coverageRatio: 1, responseTime: timeSummaryOf(values)!, table };
  if (knownCount === 0) return { knownCount, coverageRatio: 0, table };
  const meanOf = (place: number): TimeSummary | undefined => {
    const { responseTimeSeconds } = classOfRow(place);
    return responseTimeSeconds !== undefined && responseTimeSeconds.count >= FEWEST_OF_CLASS
      ? responseTimeSeconds
      : undefined;
  };
  let covered = knownCount;
  rows.forEach((row, place) => {
    if (Number.isNaN(table.responseTimeSeconds[row]!) && meanOf(place) !== undefined) covered += 1;
  });
  const coverageRatio = covered / rows.length;
  const isHonest =
    knownCount * 2 > rows.length ||
    (knownCount >= Math.max(FEWEST, rows.length * LEAST_SHARE) && coverageRatio >= LEAST_COVERAGE);
  if (!isHonest) return { knownCount, coverageRatio, table };
  const weights = Float64Array.from(values, (_, index) => {
    const place = places[index]!;
    return meanOf(place) === undefined ? 1 : classOfRow(place).requestCount / meanOf(place)!.count;
  });
  return {
    knownCount,
    coverageRatio,
    responseTime: weightedSummaryOf(values, weights)!,
    table: filled(table, rows, (place) => meanOf(place)?.mean ?? NaN),
  };
}

/** An end stamp without a duration was taken for the start: with one the start is earlier. */
function filled(table: LogTable, rows: Uint32Array, meanOf: (place: number) => number): LogTable {
  const atSeconds = Float64Array.from(table.atSeconds);
  const responseTimeSeconds = Float64Array.from(table.responseTimeSeconds);
  rows.forEach((row, place) => {
    if (!Number.isNaN(responseTimeSeconds[row]!)) return;
    const seconds = meanOf(place);
    if (Number.isNaN(seconds)) return;
    responseTimeSeconds[row] = seconds;
    if (table.timestampMeaning === 'end') atSeconds[row]! -= seconds;
  });
  return { ...table, atSeconds, responseTimeSeconds };
}
