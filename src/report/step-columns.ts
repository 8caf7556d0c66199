import type { RoutePercentiles, StepRow } from '../model/analysis.ts';
import { samplesBeyond, SAMPLES_BEYOND } from '../stats/order-statistics.ts';
import * as q from './quantities.ts';

/** One column of the step table; columns of one `group` (a route) stay together. */
export interface StepColumn {
  readonly heading: string;
  readonly group?: string;
  /** What the figures are, for a legend. */
  readonly explanation: string;
  readonly cell: (row: StepRow) => string;
}

/** What the first column counts: users (closed with think time), workers (closed without), arrivals a second (open). */
export interface LoadKind {
  readonly heading: 'users' | 'c' | 'λ/s';
  /** `200 users`, `8 workers`, `50 arrivals/s`. */
  readonly noun: string;
  /** `1 user`. */
  readonly singular: string;
}

/** The load of a step: users, workers or arrivals per second. */
export function loadOf(row: StepRow): number {
  return row.users ?? row.concurrency ?? row.arrivalRatePerSecond ?? 0;
}

/** The kind of load of a run, told from its first step. */
export function loadKind(steps: readonly StepRow[]): LoadKind {
  const first = steps[0];
  if (first?.concurrency !== undefined) return { heading: 'c', noun: 'workers', singular: 'worker' };
  if (first?.arrivalRatePerSecond !== undefined)
    return { heading: 'λ/s', noun: 'arrivals/s', singular: 'arrival/s' };
  return { heading: 'users', noun: 'users', singular: 'user' };
}

/** A load with its noun: `200 users`. */
export function loadText(value: number | undefined, kind: LoadKind): string {
  const text = q.load(value);
  return `${text} ${text === '1' ? kind.singular : kind.noun}`;
}

/** Every route of a run, in order of first appearance. */
export function routesOf(steps: readonly StepRow[]): readonly string[] {
  return [...new Set(steps.flatMap((row) => Object.keys(row.byRoute)))];
}

/** Percentiles of one route at one step; a route may be named like a member of Object. */
export function percentilesOf(row: StepRow, route: string): RoutePercentiles | undefined {
  return Object.hasOwn(row.byRoute, route) ? row.byRoute[route] : undefined;
}

/** The percentile a chart shows: p95, or p99 where a table has no p95 at any step. */
export function quantileName(steps: readonly StepRow[]): 'p95' | 'p99' {
  const timings = steps.flatMap((row) => [row.overall, ...Object.values(row.byRoute)]);
  const has99Only =
    timings.every((timing) => timing.p95Seconds === undefined) &&
    timings.some((timing) => timing.p99Seconds !== undefined);
  return has99Only ? 'p99' : 'p95';
}

/** Failed requests: their count, else their share, else a dash. */
export function errorCell(row: StepRow): string {
  if (!row.errorCountUnknown) return q.countFigure(row.errorCount);
  return row.errorRatioUnknown ? q.MISSING : `${q.percentFigure(row.errorRatio)}%`;
}

const ORDERS = { p50: 50, p95: 95, p99: 99 } as const;

/** Whether too few samples lie beyond a percentile that is there; never where the count is not known. */
function isThin(timing: RoutePercentiles | undefined, name: keyof typeof ORDERS): boolean {
  if (timing?.sampleCount === undefined || timing[`${name}Seconds`] === undefined) return false;
  return isThinOf(timing.sampleCount, ORDERS[name]);
}

/** Whether too few of so many samples lie beyond a percentile. */
export const isThinOf = (sampleCount: number, order: number): boolean =>
  samplesBeyond(sampleCount, order) < SAMPLES_BEYOND;

/** What the mark behind a percentile means. */
export const THIN_NOTE = '? fewer than ten samples beyond';

/** A percentile in ms, with a mark where too few samples lie beyond it. */
function percentileCell(timing: RoutePercentiles | undefined, name: keyof typeof ORDERS): string {
  return `${q.milliseconds(timing?.[`${name}Seconds`])}${isThin(timing, name) ? '?' : ''}`;
}

/** What the marks of a step table mean; empty for a table without marks. */
export function stepNotes(steps: readonly StepRow[]): readonly string[] {
  const isThinAnywhere = stepColumns(steps).some(({ cell }) => steps.some((row) => cell(row).endsWith('?')));
  return [
    ...(isThinAnywhere ? [THIN_NOTE] : []),
    ...(steps.every(({ valid }) => valid) ? [] : ['! not valid: in no curve and no verdict']),
  ];
}

const column = (heading: string, explanation: string, cell: (row: StepRow) => string): StepColumn => ({
  heading,
  explanation,
  cell,
});

function loadColumn(steps: readonly StepRow[]): StepColumn {
  const { heading, noun } = loadKind(steps);
  return column(
    heading,
    `load: ${noun}; ! marks a step that is not valid`,
    (row) => `${q.load(loadOf(row))}${row.valid ? '' : '!'}`,
  );
}

function routeColumns(route: string): readonly StepColumn[] {
  const one = (heading: 'p50' | 'p95'): StepColumn => ({
    heading,
    group: route,
    explanation: `${heading} of the response time, ms`,
    cell: (row) => percentileCell(percentilesOf(row, route), heading),
  });
  return [one('p50'), one('p95')];
}

const THROUGHPUT = column('X/s', 'throughput: successful completions per second', (row) =>
  q.rateFigure(row.throughputPerSecond),
);

const BEFORE_ROUTES: readonly StepColumn[] = [
  column('T_s', 'window: first to last counter sample, s', (row) => q.windowFigure(row.windowSeconds)),
  column('C', 'successful completions in the window', (row) => q.countFigure(row.completionCount)),
  THROUGHPUT,
];

const AFTER_ROUTES: readonly StepColumn[] = [
  column('err', 'failed requests in the window', errorCell),
  column('B_s', 'busy time: CPU of the service in the window, s', (row) =>
    q.figure(row.busySeconds?.['cpu']),
  ),
  column('U', 'utilization: B / (T·m)', (row) => q.utilization(row.utilizationRatio['cpu'])),
  column('D_ms', 'service demand: U·m / X, ms', (row) => q.milliseconds(row.serviceDemandSeconds['cpu'])),
  column('R_ms', 'mean response time, ms', (row) => q.milliseconds(row.responseTimeSeconds)),
  column('machine%', 'CPU of the whole machine, %', (row) => q.percentFigure(row.machineCpuRatio)),
  column('load/core', 'load average per core', (row) => q.utilization(row.loadPerCore)),
  column('generator_U', 'utilization of the load generator', (row) =>
    q.utilization(row.generator?.utilizationRatio, 3),
  ),
  column('rss_MB', 'resident memory, MB', (row) => q.megabytes(row.residentBytes)),
];

const OVERALL: readonly StepColumn[] = [
  column('p50', 'median response time, ms', (row) => percentileCell(row.overall, 'p50')),
  column('p95', '95th percentile, ms', (row) => percentileCell(row.overall, 'p95')),
  column('p99', '99th percentile, ms', (row) => percentileCell(row.overall, 'p99')),
  column('max(one sample)', 'the slowest single request, ms', (row) =>
    q.milliseconds(row.overall.maxSeconds),
  ),
  column('non-2xx', 'failed requests', errorCell),
  column('app_cpu', 'utilization of the service', (row) => q.utilization(row.utilizationRatio['cpu'])),
];

/** Of an open loop: what was sent of what was asked for. */
const ARRIVALS: readonly StepColumn[] = [
  column('sent/s', 'requests sent a second, to hold against λ', (row) => q.rateFigure(row.sentPerSecond)),
  column('drop', 'arrivals not sent: too many requests were unanswered', (row) =>
    q.countFigure(row.droppedCount),
  ),
];

const WRITES = column('writes', 'share of writes asked for', (row) =>
  row.writeRatio === undefined ? q.MISSING : `${q.percentFigure(row.writeRatio)}%`,
);

const PART = column('part', 'part of the run', (row) => row.part ?? q.MISSING);

/** Whether the steps are parts of a run in time (a soak, a spike), and not the points of a curve. */
export const hasParts = (steps: readonly StepRow[]): boolean => steps.some(({ part }) => part !== undefined);

/** The columns of the step table of a run: those of a sweep where workers loop without think time. */
export function stepColumns(steps: readonly StepRow[]): readonly StepColumn[] {
  const routes = routesOf(steps);
  const perRoute = routes.flatMap(routeColumns);
  const load = [
    ...(hasParts(steps) ? [PART] : []),
    ...(steps.some((row) => row.writeRatio !== undefined) ? [WRITES] : []),
    loadColumn(steps),
    ...(steps.some((row) => row.sentPerSecond !== undefined) ? ARRIVALS : []),
  ];
  if (loadKind(steps).heading !== 'c' || hasParts(steps))
    return [...load, ...BEFORE_ROUTES, ...perRoute, ...AFTER_ROUTES];
  return [...load, THROUGHPUT, ...OVERALL, ...(routes.length > 1 ? perRoute : [])];
}
