import type { RoutePercentiles, StepRow } from '../model/analysis.ts';
import type { RunRecord } from '../model/record.ts';
import type { Target } from '../model/verdict.ts';
import { printableData, printableJson } from './escape.ts';
import type { Reporter } from './reporter.ts';
import { loadKind, loadOf, quantileName } from './step-columns.ts';

/** One point of the chart, in seconds; the axis formats them. */
interface Point {
  readonly run: string;
  readonly route: string;
  readonly load: number;
  readonly seconds: number;
}

/** A Vega-Lite specification: p95 over load, a line per route, the p95 targets as dashed rules, data inline. */
export function runVega(record: RunRecord): Readonly<Record<string, unknown>> {
  return specification([printableData({ ...record, measurements: [] })]);
}

/** The same chart with a run before and a run after a change; the dash of a line tells the run. */
export function comparisonVega(before: RunRecord, after: RunRecord): Readonly<Record<string, unknown>> {
  return specification([before, after].map((record) => printableData({ ...record, measurements: [] })));
}

function specification(records: readonly RunRecord[]): Readonly<Record<string, unknown>> {
  const steps = records.flatMap((record) => record.analysis.steps);
  const labels = records.map((record) => record.manifest.label);
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: `${quantileName(steps)} over load: ${labels.join(', ')}`,
    width: 640,
    height: 320,
    layer: [lines(records, loadKind(steps).noun, quantileName(steps)), targetRules(records)],
  };
}

function lines(
  records: readonly RunRecord[],
  noun: string,
  quantile: 'p95' | 'p99',
): Readonly<Record<string, unknown>> {
  return {
    data: { values: records.flatMap((record) => pointsOf(record, quantile)) },
    mark: { type: 'line', point: true, tooltip: true },
    encoding: {
      x: { field: 'load', type: 'quantitative', title: noun },
      y: { field: 'seconds', type: 'quantitative', title: `${quantile} response time, s` },
      color: { field: 'route', type: 'nominal', title: 'route' },
      ...(records.length > 1 ? { strokeDash: { field: 'run', type: 'nominal', title: 'run' } } : {}),
    },
  };
}

function pointsOf(record: RunRecord, quantile: 'p95' | 'p99'): readonly Point[] {
  return record.analysis.steps.flatMap((row) =>
    timingsOf(row).flatMap(([route, timing]) => {
      const seconds = timing[`${quantile}Seconds`];
      return seconds === undefined ? [] : [{ run: record.manifest.label, route, load: loadOf(row), seconds }];
    }),
  );
}

function timingsOf(row: StepRow): readonly (readonly [route: string, timing: RoutePercentiles])[] {
  const routes = Object.entries(row.byRoute);
  return routes.length === 0 ? [['all routes', row.overall]] : routes;
}

function targetRules(records: readonly RunRecord[]): Readonly<Record<string, unknown>> {
  return {
    data: { values: p95Targets(records).map(({ limit, text }) => ({ limitSeconds: limit, target: text })) },
    mark: { type: 'rule', strokeDash: [6, 4], tooltip: true },
    encoding: {
      y: { field: 'limitSeconds', type: 'quantitative' },
      color: { value: '#888888' },
      tooltip: { field: 'target', type: 'nominal' },
    },
  };
}

/** The upper limits on p95 of some runs, each text once. */
function p95Targets(records: readonly RunRecord[]): readonly Target[] {
  const targets = records.flatMap((record) => record.manifest.targets);
  return targets.filter(
    ({ metric, comparison, text }, i) =>
      metric === 'p95' && comparison === '<=' && targets.findIndex((other) => other.text === text) === i,
  );
}

export const vegaReporter: Reporter = {
  name: 'vega',
  extension: 'vl.json',
  describe: 'a Vega-Lite chart of p95 over load, data inline',
  render: (record) => printableJson(runVega(record)),
};
