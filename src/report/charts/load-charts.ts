import type { StepRow } from '../../model/analysis.ts';
import type { ReportDocument } from '../../model/documents.ts';
import type { Target } from '../../model/verdict.ts';
import { capacityText } from '../facts.ts';
import * as q from '../quantities.ts';
import { loadKind, loadOf, loadText, percentilesOf, quantileName, routesOf } from '../step-columns.ts';
import type { ChartSeries, LineChart } from './chart.ts';

const MODEL_PIECES = 40;
/** More lines than this are not told apart; the slowest routes are drawn, the table has all. */
const MOST_ROUTES = 6;
/** Colours of the style sheet. */
const COLOR_COUNT = 6;
/** A percentile has the same colour in every chart. */
const PERCENTILE_COLORS = { p50: 2, p95: 1, p99: 5, max: 3 } as const;

/**
 * Throughput, p95 and p99 over load on one pair of axes: the line without waiting N / (R0 + Z), the capacity, the
 * response-time targets, the bend, N* and the saturation with their intervals.
 */
export function overviewChart(document: ReportDocument): LineChart {
  const { steps, knee, verdict } = document;
  const kind = loadKind(steps);
  const capacity = knee.capacityPerSecond;
  const plan = knee.planForPerSecond;
  const times = overallSeries(steps, ['p95', 'p99']);
  const hasTimes = times.some(({ points }) => points.length > 0);
  return {
    id: 'overview',
    title: hasTimes
      ? `Throughput, ${times.map(({ name }) => name).join(' and ')} over ${kind.noun}`
      : `Throughput over ${kind.noun}`,
    description: `From ${describePoint(document, 0)} to ${describePoint(document, -1)}. ${kneeWords(document)}`,
    xLabel: kind.noun,
    yLabel: 'throughput X, completions/s',
    yTick: q.givenFigure,
    ...(hasTimes && { right: { label: 'response time', tick: q.givenDuration } }),
    series: [
      ...lightLoad(steps),
      {
        name: 'X measured',
        kind: 'measured',
        color: 0,
        points: throughput(steps),
        stepIndexes: steps.map(({ index }) => index),
        refused: refusedSteps(steps),
        intervals: throughputIntervals(steps),
      },
      ...times.map((series) => ({ ...series, onRight: true as const })),
    ],
    limits: [
      ...(capacity === undefined
        ? []
        : [{ y: capacity, label: `capacity ${shortCapacity(capacity, knee)}` }]),
      ...(plan === undefined ? [] : [{ y: plan, label: `plan for ${shortCapacity(plan, knee)}` }]),
      ...(hasTimes ? timeLimits(verdict.checks.map(({ goal }) => goal)) : []),
    ],
    ...noteOf(document.steps),
    ...loadMarks(document),
  };
}

/** `≥ 616/s` where a text says `at least 616/s`: the value of a limit is not cut off for its words. */
const shortCapacity = (perSecond: number, knee: ReportDocument['knee']): string =>
  capacityText(perSecond, knee).replace('at least', '≥');

export const refusedSteps = (steps: readonly StepRow[]): ReadonlySet<number> =>
  new Set(steps.filter(({ valid }) => !valid).map(({ index }) => index));

/** Points of refused steps are drawn, so that nothing is hidden, and told apart. */
export const noteOf = (steps: readonly StepRow[]): Pick<LineChart, 'note'> =>
  steps.every(({ valid }) => valid) ? {} : { note: 'Hollow points: steps that are not valid.' };

/** Response time by percentile over load, all routes together: how far the slow requests lie from the usual ones. */
export function percentileChart(document: ReportDocument): LineChart {
  const { steps } = document;
  const kind = loadKind(steps);
  const last = steps.findLast((row) => row.overall.p50Seconds !== undefined);
  const words =
    last === undefined
      ? ''
      : `At ${loadText(loadOf(last), kind)}: p50 ${q.duration(last.overall.p50Seconds)}, p95 ${q.duration(last.overall.p95Seconds)}, p99 ${q.duration(last.overall.p99Seconds)}, slowest ${q.duration(last.overall.maxSeconds)}.`;
  return {
    id: 'percentiles',
    title: `Response time by percentile over ${kind.noun}, all routes`,
    description: words,
    xLabel: kind.noun,
    yLabel: 'response time',
    yTick: (seconds) => q.givenDuration(seconds),
    series: overallSeries(steps, ['p50', 'p95', 'p99', 'max']),
    limits: [],
    ...noteOf(document.steps),
    ...loadMarks(document),
  };
}

/** p95 over load, a line per route, with the p95 targets, the bend and the saturation. */
export function responseTimeChart(document: ReportDocument): LineChart {
  const kind = loadKind(document.steps);
  const goals = document.verdict.checks.map((check) => check.goal);
  return {
    id: 'response-time',
    title: `${quantileName(document.steps)} of the response time over ${kind.noun}`,
    description: `One line per route; targets are dashed. ${kneeWords(document)}`,
    xLabel: kind.noun,
    yLabel: `${quantileName(document.steps)} of the response time`,
    yTick: (seconds) => q.givenDuration(seconds),
    series: routeSeries(document.steps, 'measured', ''),
    limits: p95Limits(goals),
    ...noteOf(document.steps),
    ...loadMarks(document),
  };
}

export const throughput = (steps: readonly StepRow[]): ChartSeries['points'] =>
  steps.map((row) => [loadOf(row), row.throughputPerSecond]);

/** X ± 1.96 standard errors by batch means, at the steps that have one. */
function throughputIntervals(steps: readonly StepRow[]): NonNullable<ChartSeries['intervals']> {
  return steps.flatMap((row) => {
    const error = row.throughputStandardErrorPerSecond;
    if (error === undefined) return [];
    const half = 1.96 * error;
    return [[loadOf(row), Math.max(0, row.throughputPerSecond - half), row.throughputPerSecond + half]];
  });
}

/** Percentiles of all routes together; one that no step has is left out. */
function overallSeries(
  steps: readonly StepRow[],
  names: readonly (keyof typeof PERCENTILE_COLORS)[],
): readonly ChartSeries[] {
  return names
    .map((name): ChartSeries => {
      const known = steps.filter((row) => row.overall[`${name}Seconds`] !== undefined);
      return {
        name,
        kind: 'measured',
        color: PERCENTILE_COLORS[name],
        points: known.map((row) => [loadOf(row), row.overall[`${name}Seconds`]!]),
        stepIndexes: known.map(({ index }) => index),
        refused: refusedSteps(steps),
        ...((name === 'p95' || name === 'p99') && { intervals: percentileIntervals(known, name) }),
      };
    })
    .filter(({ points }) => points.length > 0);
}

/** Order-statistic intervals of a percentile, where both ends are known. */
function percentileIntervals(
  steps: readonly StepRow[],
  name: 'p95' | 'p99',
): NonNullable<ChartSeries['intervals']> {
  return steps.flatMap((row) => {
    const interval = row.overall[`${name}Interval`];
    return interval?.high === undefined ? [] : [[loadOf(row), interval.low, interval.high] as const];
  });
}

/** Targets on a response time that the overview shows: a line each. */
function timeLimits(goals: readonly Target[]): LineChart['limits'] {
  return goals
    .filter(({ metric, comparison }) => /^p9[59]$/.test(metric) && comparison === '<=')
    .map(({ metric, limit, route }) => ({
      y: limit,
      label: `${metric} ≤ ${q.givenDuration(limit)} ${route ?? ''}`.trimEnd(),
      onRight: true,
    }));
}

/** The asymptote of light load X = N / (R0 + Z) (Lazowska et al. 1984, ch. 5), R0 and Z of the lowest step. */
function lightLoad(steps: readonly StepRow[]): readonly ChartSeries[] {
  const first = steps[0];
  const last = steps.at(-1);
  const cycle = (first?.responseTimeSeconds ?? 0) + (first?.thinkTimeSeconds ?? 0);
  if (first?.responseTimeSeconds === undefined || last === undefined || cycle <= 0) return [];
  if (first.arrivalRatePerSecond !== undefined) return [];
  // Users pause; where nobody recorded for how long, the line is not known.
  if (first.users !== undefined && first.thinkTimeSeconds === undefined) return [];
  // In short pieces, because a line through the origin is a curve on a logarithmic axis.
  const [from, to] = [loadOf(first), loadOf(last)];
  if (from === to) return [];
  const points = Array.from({ length: MODEL_PIECES + 1 }, (_, i) => {
    const load = from * (to / from) ** (i / MODEL_PIECES);
    return [load, load / cycle] as const;
  });
  return [{ name: 'without waiting', kind: 'model', color: 0, points }];
}

export function routeSeries(
  steps: readonly StepRow[],
  kind: ChartSeries['kind'],
  suffix: string,
): readonly ChartSeries[] {
  const quantile = quantileName(steps);
  const routes = routesOf(steps);
  const valueOf = (row: StepRow, route: string): number | undefined =>
    (routes.length === 0 ? row.overall : percentilesOf(row, route))?.[`${quantile}Seconds`];
  const all = (routes.length === 0 ? ['all routes'] : routes).map((route, color): ChartSeries => ({
    name: `${route}${suffix}`,
    kind,
    color: color % COLOR_COUNT,
    points: steps.flatMap((row) => {
      const seconds = valueOf(row, route);
      return seconds === undefined ? [] : [[loadOf(row), seconds] as const];
    }),
    stepIndexes: steps.flatMap((row) => (valueOf(row, route) === undefined ? [] : [row.index])),
    refused: refusedSteps(steps),
  }));
  const worst = (series: ChartSeries): number => series.points.reduce((max, [, y]) => Math.max(max, y), 0);
  return all
    .filter(({ points }) => points.length > 0)
    .sort((a, b) => worst(b) - worst(a))
    .slice(0, MOST_ROUTES);
}

function p95Limits(goals: readonly Target[]): LineChart['limits'] {
  return goals
    .filter(({ metric, comparison }) => metric === 'p95' && comparison === '<=')
    .map(({ limit, route }) => ({ y: limit, label: `≤ ${q.givenDuration(limit)} ${route ?? 'target'}` }));
}

function loadMarks({ knee, saturation, steps }: ReportDocument): Pick<LineChart, 'marks' | 'band'> {
  const crossing = knee.seen && knee.users !== undefined ? knee.users : undefined;
  const marks = [
    ...(crossing === undefined
      ? []
      : [
          {
            x: crossing,
            label: `knee N* ${q.load(crossing)}`,
            ...(knee.interval !== undefined && { interval: knee.interval }),
          },
        ]),
    ...(saturation === undefined
      ? []
      : [
          {
            x: saturation.users,
            label: `saturation ${q.load(saturation.users)}`,
            interval: saturation.interval,
          },
        ]),
  ];
  const [first, last] = [steps[0], steps.at(-1)];
  const drawn = marks.filter(
    ({ x }) => first !== undefined && last !== undefined && x >= loadOf(first) && x <= 1.5 * loadOf(last),
  );
  if (knee.bend === undefined) return { marks: drawn };
  return { marks: drawn, band: { from: knee.bend[0], to: knee.bend[1], label: 'bend' } };
}

export function describePoint({ steps }: ReportDocument, index: number): string {
  const row = steps.at(index);
  if (row === undefined) return 'no step';
  return `${q.rate(row.throughputPerSecond)} at ${loadText(loadOf(row), loadKind(steps))}`;
}

function kneeWords({ knee, steps }: ReportDocument): string {
  const kind = loadKind(steps);
  const bend =
    knee.bend === undefined
      ? ''
      : `The curve bends between ${knee.bend.map(q.load).join(' and ')} ${kind.noun}. `;
  const crossing =
    knee.seen && knee.users !== undefined ? `Knee at ${loadText(knee.users, kind)}.` : 'No knee seen.';
  const rising = knee.rise === undefined ? '' : ' X was still rising: the capacity is a lower bound.';
  return `${bend}${crossing}${rising}`;
}
