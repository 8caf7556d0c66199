import type { RoutePercentiles, StepRow } from '../model/analysis.ts';
import type { Interval } from '../model/distribution.ts';
import type { HistogramData } from '../model/histogram.ts';
import type { RouteMeasurement, StepMeasurement } from '../model/measurement.ts';
import type { Target } from '../model/verdict.ts';
import { mergeHistograms, percentileOf } from '../stats/histogram.ts';
import { samplesBeyond } from '../stats/order-statistics.ts';
import { countText, figure, percentText, secondsText } from '../stats/wording.ts';
import { resolveRoute } from './target-routes.ts';

/** What a step says about a target's quantity. */
export type Observation =
  | { readonly kind: 'missing'; readonly why: string }
  /** The value is not known, and that it breaks the limit is. */
  | { readonly kind: 'broken'; readonly why: string }
  | {
      readonly kind: 'value';
      readonly value: number;
      readonly interval?: Interval;
      /** Samples beyond the percentile; missing: not a percentile, or the count is not known. */
      readonly samplesBeyond?: number;
      /** A doubt to print beside the value. */
      readonly note?: string;
    };

/** t quantile at 97.5 % for the nine degrees of freedom of ten batch means. */
const T_NINE = 2.262;

const missing = (why: string): Observation => ({ kind: 'missing', why });

/**
 * Reads the quantity of a target off a step: percentiles, mean and maximum of the route (or of all), X with its
 * 95 % interval, errors, error ratio, the watched process's CPU. Percentiles other than p50, p95 and p99 come
 * from the histograms of `measurement`. What is not there is `missing` with the reason, never 0.
 */
export function observe(target: Target, row: StepRow, measurement?: StepMeasurement): Observation {
  switch (target.metric) {
    case 'errors':
      return observeErrors(target, row, measurement, (failed) => failed);
    case 'errorRatio':
      return observeErrors(target, row, measurement, (failed, all) => (all === 0 ? 0 : failed / all));
    case 'cpu':
      return observeCpu(row);
    case 'throughput':
      return observeThroughput(target, row);
    default:
      return observeDuration(target, row, measurement);
  }
}

/** The value of a target's quantity in words: `105 ms`, `70 %`, `97.9/s`, `3`. */
export function valueText(metric: Target['metric'], value: number): string {
  if (metric === 'errors') return figure(value);
  if (metric === 'throughput') return `${figure(value)}/s`;
  return metric === 'cpu' || metric === 'errorRatio' ? percentText(value) : secondsText(value);
}

function observeErrors(
  target: Target,
  row: StepRow,
  measurement: StepMeasurement | undefined,
  read: (failed: number, all: number) => number,
): Observation {
  if (target.route === undefined) {
    return target.metric === 'errors' ? errorCountOf(target, row) : errorRatioOf(target, row);
  }
  if (row.errorCountUnknown) return missing(`errors of ${target.route} are not in the table`);
  if (row.errorCount === 0) return { kind: 'value', value: 0 };
  const routes = (measurement?.byRoute ?? []).filter(({ route, requestClassId }) =>
    resolveRoute(target.route!, [route, requestClassId]),
  );
  if (routes.length === 0) {
    return missing(`errors of ${target.route} are not known apart from the ${row.errorCount} of all routes`);
  }
  const total = (of: (route: RouteMeasurement) => number): number =>
    routes.reduce((sum, route) => sum + of(route), 0);
  const failed = total((r) => r.errorCount + r.timeoutCount + r.droppedCount);
  return { kind: 'value', value: read(failed, failed + total((r) => r.okCount)) };
}

const ERRORS_MISSING = 'errors are not in the table';

/** The count of failed requests; a share alone decides only whether there were any. */
function errorCountOf({ limit }: Target, row: StepRow): Observation {
  if (!row.errorCountUnknown) return { kind: 'value', value: row.errorCount };
  if (row.errorRatioUnknown) return missing(ERRORS_MISSING);
  const share = `${percentText(row.errorRatio)} of the requests failed`;
  if (limit === 0) return { kind: 'broken', why: `${share}, and none may` };
  return missing(`${share}: how many is not in the table`);
}

/** The share of failed requests; a count alone decides only whether there were any. */
function errorRatioOf({ limit }: Target, row: StepRow): Observation {
  if (!row.errorRatioUnknown) return { kind: 'value', value: row.errorRatio };
  if (row.errorCountUnknown) return missing(ERRORS_MISSING);
  const failed = `${countText(row.errorCount, 'request')} failed`;
  if (limit === 0) return { kind: 'broken', why: `${failed}, and none may` };
  return missing(`${failed}: of how many is not in the table`);
}

function observeCpu(row: StepRow): Observation {
  const value = row.utilizationRatio['cpu'];
  if (value !== undefined) return { kind: 'value', value };
  const machine = row.machineCpuRatio ?? row.utilizationRatio['machineCpu'];
  return missing(
    machine === undefined
      ? "the process's CPU was not watched"
      : `only the machine's CPU (${percentText(machine)}) is known, which says nothing about the process's`,
  );
}

function observeThroughput(target: Target, row: StepRow): Observation {
  const percentiles = percentilesOf(target, row);
  const value = target.route === undefined ? row.throughputPerSecond : percentiles?.throughputPerSecond;
  if (value === undefined) return missing(`no throughput of ${target.route} in this step`);
  const standardError = target.route === undefined ? row.throughputStandardErrorPerSecond : undefined;
  if (standardError === undefined) return { kind: 'value', value };
  const half = T_NINE * standardError;
  return { kind: 'value', value, interval: [value - half, value + half] };
}

function percentilesOf(target: Target, row: StepRow): RoutePercentiles | undefined {
  if (target.route === undefined) return row.overall;
  const key = resolveRoute(target.route, Object.keys(row.byRoute));
  return key === undefined ? undefined : row.byRoute[key];
}

function observeDuration(target: Target, row: StepRow, measurement?: StepMeasurement): Observation {
  const percentiles = percentilesOf(target, row);
  if (percentiles === undefined) return missing(`no response times of ${target.route} in this step`);
  const order = target.metric.startsWith('p') ? Number(target.metric.slice(1)) : undefined;
  const value =
    readDuration(target, percentiles) ??
    reportedAt(order, percentiles) ??
    fromHistogram(target, order, measurement);
  if (value === undefined) return missing(`${target.metric} is not in this table`);
  const interval = intervalOf(target.metric, percentiles);
  const count = percentiles.sampleCount;
  const base = { kind: 'value', value, ...(interval === undefined ? {} : { interval }) } as const;
  if (order === undefined) return base;
  if (count === undefined)
    return { ...base, note: 'judged on the value alone, the sample count is not known' };
  const by = percentiles.reported === undefined ? '' : `, as ${percentiles.reported.by} printed it`;
  const note = `from ${countText(count, 'sample')}${by}`;
  return { ...base, samplesBeyond: samplesBeyond(count, order), note };
}

function readDuration(target: Target, percentiles: RoutePercentiles): number | undefined {
  const known: Readonly<Record<string, number | undefined>> = {
    p50: percentiles.p50Seconds,
    p95: percentiles.p95Seconds,
    p99: percentiles.p99Seconds,
    mean: percentiles.meanSeconds,
    max: percentiles.maxSeconds,
  };
  return known[target.metric];
}

/** A percentile that another tool printed. */
const reportedAt = (order: number | undefined, { reported }: RoutePercentiles): number | undefined =>
  reported?.percentiles.find(([percentile]) => percentile === order)?.[1];

function intervalOf(metric: Target['metric'], percentiles: RoutePercentiles): Interval | undefined {
  const known = metric === 'p95' ? percentiles.p95Interval : undefined;
  const interval = metric === 'p99' ? percentiles.p99Interval : known;
  return interval === undefined ? undefined : [interval.low, interval.high ?? Infinity];
}

function fromHistogram(
  target: Target,
  order: number | undefined,
  measurement: StepMeasurement | undefined,
): number | undefined {
  if (order === undefined || measurement === undefined) return undefined;
  const histograms: readonly HistogramData[] =
    target.route === undefined
      ? [measurement.responseTime]
      : measurement.byRoute
          .filter(({ route, requestClassId }) => resolveRoute(target.route!, [route, requestClassId]))
          .map(({ responseTime }) => responseTime);
  return histograms.length === 0 ? undefined : percentileOf(mergeHistograms(histograms), order);
}
