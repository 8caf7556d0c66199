import { ShiploadError } from '../errors.ts';
import { countUpTo, type ServiceTimes, type TimeBuckets, withKnown } from './service-times.ts';
import { type PageFigure, plainName } from './well-known-names.ts';

/** What a page of statistics in JSON tells. */
export interface JsonStats {
  /** Every number, under the names that lead to it joined by `_`. */
  readonly figures: readonly PageFigure[];
  readonly serviceTimes?: ServiceTimes;
}

/**
 * Reads a page of statistics: any JSON object of numbers, however deep. Response times are an object named
 * `latency_ms` or `latency_seconds` (or `response_time_…`) with `count`, `p50`, `p95`, `sum` or `mean`, and
 * `buckets` as [up to, how many so far] pairs; or one such object by route. Throws `metrics-unreadable`.
 */
export function parseJsonStats(text: string): JsonStats {
  let page: unknown;
  try {
    page = JSON.parse(text);
  } catch (cause) {
    throw unreadable('it is no JSON', cause);
  }
  if (!isObject(page)) throw unreadable('an object of figures is expected');
  const figures = [...flatten(page, [])];
  const times = findTimes(page);
  return { figures, ...(times !== undefined && { serviceTimes: times }) };
}

function unreadable(reason: string, cause?: unknown): ShiploadError {
  return new ShiploadError('metrics-unreadable', `the statistics page is not readable: ${reason}`, {
    hint: 'the page must be a JSON object of numbers',
    cause,
  });
}

type JsonObject = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function* flatten(object: JsonObject, path: readonly string[]): Generator<PageFigure> {
  for (const [key, value] of Object.entries(object)) {
    const names = [...path, key];
    if (isObject(value)) yield* flatten(value, names);
    else if (typeof value === 'number')
      yield { name: plainName(names.join('_')), printed: names.join('.'), value };
  }
}

const TIMES = /^(latency|response_time|request_duration)_(ms|milliseconds|s|seconds)$/;

function findTimes(page: JsonObject): ServiceTimes | undefined {
  for (const [key, value] of Object.entries(page)) {
    const match = TIMES.exec(plainName(key));
    if (match === null || !isObject(value)) continue;
    const unitSeconds = match[2]!.startsWith('m') ? 1e-3 : 1;
    const parts = 'count' in value || 'p50' in value ? [value] : Object.values(value).filter(isObject);
    return addTimes(parts.map((part) => timesOf(part, unitSeconds)));
  }
  return undefined;
}

function timesOf(object: JsonObject, unitSeconds: number): ServiceTimes {
  const figure = (name: string): number | undefined => {
    const value = object[name];
    return typeof value === 'number' ? value : undefined;
  };
  const inSeconds = (value: number | undefined): number | undefined =>
    value === undefined ? undefined : value * unitSeconds;
  const count = figure('count');
  const mean = figure('mean');
  return withKnown({
    count,
    sumSeconds: inSeconds(
      figure('sum') ?? (mean !== undefined && count !== undefined ? mean * count : undefined),
    ),
    buckets: bucketsOf(object['buckets'], unitSeconds),
    p50Seconds: inSeconds(figure('p50')),
    p95Seconds: inSeconds(figure('p95')),
  });
}

function bucketsOf(value: unknown, unitSeconds: number): TimeBuckets | undefined {
  if (!Array.isArray(value)) return undefined;
  const pairs = value.filter(
    (pair): pair is [number, number] =>
      Array.isArray(pair) && typeof pair[0] === 'number' && typeof pair[1] === 'number',
  );
  return pairs.length === value.length
    ? pairs.map(([limit, count]) => [limit * unitSeconds, count])
    : undefined;
}

/** Counts and sums add up over routes; buckets where all have the same; quantiles of several are nobody's. */
function addTimes(parts: readonly ServiceTimes[]): ServiceTimes | undefined {
  if (parts.length <= 1) return parts[0];
  const sum = (of: (part: ServiceTimes) => number | undefined): number | undefined =>
    parts.some((part) => of(part) === undefined)
      ? undefined
      : parts.reduce((total, part) => total + of(part)!, 0);
  return withKnown({
    count: sum(({ count }) => count),
    sumSeconds: sum(({ sumSeconds }) => sumSeconds),
    buckets: addBuckets(parts),
    p50Seconds: undefined,
    p95Seconds: undefined,
  });
}

function addBuckets(parts: readonly ServiceTimes[]): TimeBuckets | undefined {
  const all = parts.map(({ buckets }) => buckets ?? []);
  if (all.some((buckets) => buckets.length === 0)) return undefined;
  const limits = [...new Set(all.flat().map(([limit]) => limit))].sort((a, b) => a - b);
  return limits.map((limit) => [limit, all.reduce((sum, buckets) => sum + countUpTo(buckets, limit), 0)]);
}
