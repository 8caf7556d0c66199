import type { ReportDocument } from '../../model/documents.ts';
import * as q from '../quantities.ts';
import { areOfOneLoadKind } from '../compared-steps.ts';
import { loadKind } from '../step-columns.ts';
import type { ChartSeries, LineChart } from './chart.ts';
import {
  describePoint,
  noteOf,
  refusedSteps,
  responseTimeChart,
  routeSeries,
  throughput,
} from './load-charts.ts';

/** The charts of a comparison, throughput and p95. */
export function chartsOfComparison(before: ReportDocument, after: ReportDocument): readonly LineChart[] {
  // Users and workers of one number are not the same load.
  if (!areOfOneLoadKind(before, after)) return [];
  return [comparedThroughputChart(before, after), comparedResponseTimeChart(before, after)];
}

/** p95 over load before and after a change; a route has one colour, the run before is faint. */
function comparedResponseTimeChart(before: ReportDocument, after: ReportDocument): LineChart {
  const chart = responseTimeChart(before);
  return {
    ...chart,
    title: `${chart.title}: ${before.label} and ${after.label}`,
    description: `Faint lines: ${before.label}. Strong lines: ${after.label}. Targets are dashed.`,
    series: [
      ...routeSeries(before.steps, 'earlier', ` ${before.label}`),
      ...routeSeries(after.steps, 'measured', ` ${after.label}`),
    ],
    marks: [],
    ...noteOf([...before.steps, ...after.steps]),
    ...(chart.band !== undefined && { band: { ...chart.band, label: `bend, ${before.label}` } }),
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
    series: [throughputSeries(before, 'earlier'), throughputSeries(after, 'measured')],
    limits: [],
    marks: [],
    ...noteOf([...before.steps, ...after.steps]),
  };
}

const throughputSeries = ({ label, steps }: ReportDocument, kind: ChartSeries['kind']): ChartSeries => ({
  name: label,
  kind,
  color: 0,
  points: throughput(steps),
  stepIndexes: steps.map(({ index }) => index),
  refused: refusedSteps(steps),
});
