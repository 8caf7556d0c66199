import type { StepRow } from '../../model/analysis.ts';
import type { ReportDocument } from '../../model/documents.ts';
import type { Target } from '../../model/verdict.ts';
import * as q from '../quantities.ts';
import { loadKind, loadOf, loadText, percentilesOf, quantileName, routesOf } from '../step-columns.ts';
import type { ChartSeries, LineChart } from './line-chart.ts';

const MODEL_PIECES = 40;
/** More lines than this are not told apart; the slowest routes are drawn, the table has all. */
const MOST_ROUTES = 6;

/** Throughput over load, with the line without waiting N / (R0 + Z), the capacity, the bend and the saturation. */
export function throughputChart(document: ReportDocument): LineChart {
  const { steps, knee } = document;
  const kind = loadKind(steps);
  const capacity = knee.capacityPerSecond;
  const plan = knee.planForPerSecond;
  return {
    id: 'throughput',
    title: `Throughput over ${kind.noun}`,
    description: `From ${describePoint(document, 0)} to ${describePoint(document, -1)}. ${kneeWords(document)}`,
    xLabel: kind.noun,
    yLabel: 'throughput X, completions/s',
    yTick: q.givenFigure,
    series: [
      ...lightLoad(steps),
      { name: 'measured', kind: 'measured', color: 0, points: throughput(steps) },
    ],
    limits: [
      ...(capacity === undefined ? [] : [{ y: capacity, label: `capacity ${q.rate(capacity)}` }]),
      ...(plan === undefined ? [] : [{ y: plan, label: `plan for ${q.rate(plan)}` }]),
    ],
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
    series: p95Series(document.steps, 'measured', ''),
    limits: p95Limits(goals),
    ...loadMarks(document),
  };
}

/** p95 over load before and after a change; a route has one colour, the run before is faint. */
function comparedResponseTimeChart(before: ReportDocument, after: ReportDocument): LineChart {
  const chart = responseTimeChart(before);
  return {
    ...chart,
    title: `${chart.title}: ${before.label} and ${after.label}`,
    description: `Faint lines: ${before.label}. Strong lines: ${after.label}. Targets are dashed.`,
    series: [
      ...p95Series(before.steps, 'earlier', ` ${before.label}`),
      ...p95Series(after.steps, 'measured', ` ${after.label}`),
    ],
    marks: [],
  };
}

/** Throughput over load before and after a change. */
function comparedThroughputChart(before: ReportDocument, after: ReportDocument): LineChart {
  const kind = loadKind(before.steps);
  return {
    id: 'throughput',
    title: `Throughput over ${kind.noun}: ${before.label} and ${after.label}`,
    description: `${before.label}: ${describePoint(before, -1)}. ${after.label}: ${describePoint(after, -1)}.`,
    xLabel: kind.noun,
    yLabel: 'throughput X, completions/s',
    yTick: q.givenFigure,
    series: [
      { name: before.label, kind: 'earlier', color: 0, points: throughput(before.steps) },
      { name: after.label, kind: 'measured', color: 0, points: throughput(after.steps) },
    ],
    limits: [],
    marks: [],
  };
}

const throughput = (steps: readonly StepRow[]): ChartSeries['points'] =>
  steps.map((row) => [loadOf(row), row.throughputPerSecond]);

/** The asymptote of light load X = N / (R0 + Z) (Lazowska et al. 1984, ch. 5), R0 and Z of the lowest step. */
function lightLoad(steps: readonly StepRow[]): readonly ChartSeries[] {
  const first = steps[0];
  const last = steps.at(-1);
  const cycle = (first?.responseTimeSeconds ?? 0) + (first?.thinkTimeSeconds ?? 0);
  if (first?.responseTimeSeconds === undefined || last === undefined || cycle <= 0) return [];
  if (first.arrivalRatePerSecond !== undefined) return [];
  // In short pieces, because a line through the origin is a curve on a logarithmic axis.
  const [from, to] = [loadOf(first), loadOf(last)];
  const points = Array.from({ length: MODEL_PIECES + 1 }, (_, i) => {
    const load = from * (to / from) ** (i / MODEL_PIECES);
    return [load, load / cycle] as const;
  });
  return [{ name: 'without waiting', kind: 'model', color: 0, points }];
}

function p95Series(
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
    color: color % MOST_ROUTES,
    points: steps.flatMap((row) => {
      const seconds = valueOf(row, route);
      return seconds === undefined ? [] : [[loadOf(row), seconds] as const];
    }),
  }));
  const worst = (series: ChartSeries): number => Math.max(0, ...series.points.map(([, y]) => y));
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
    ...(crossing === undefined ? [] : [{ x: crossing, label: `knee N* ${q.load(crossing)}` }]),
    ...(saturation === undefined
      ? []
      : [{ x: saturation.users, label: `saturation ${q.load(saturation.users)}` }]),
  ];
  const [first, last] = [steps[0], steps.at(-1)];
  const drawn = marks.filter(
    ({ x }) => first !== undefined && last !== undefined && x >= loadOf(first) && x <= 1.5 * loadOf(last),
  );
  if (knee.bend === undefined) return { marks: drawn };
  return { marks: drawn, band: { from: knee.bend[0], to: knee.bend[1], label: 'bend' } };
}

function describePoint({ steps }: ReportDocument, index: number): string {
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
  return `${bend}${knee.seen && knee.users !== undefined ? `Knee at ${loadText(knee.users, kind)}.` : 'No knee seen.'}`;
}

/** The charts of a comparison, throughput and p95. */
export function chartsOfComparison(before: ReportDocument, after: ReportDocument): readonly LineChart[] {
  return [comparedThroughputChart(before, after), comparedResponseTimeChart(before, after)];
}
