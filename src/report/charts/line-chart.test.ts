import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withCounters } from '../../../test/support/sample-counters.ts';
import { sampleRecord } from '../../../test/support/sample-record.ts';
import { toReportDocument } from '../json.ts';
import { chartFigure } from './chart-figure.ts';
import { renderLineChart } from './line-chart.ts';
import { overviewChart, percentileChart, responseTimeChart } from './load-charts.ts';
import { thinned } from './thinned.ts';
import { timeCharts } from './time-charts.ts';

const record = withCounters(sampleRecord());
const document = toReportDocument(record);
const charts = [
  overviewChart(document),
  responseTimeChart(document),
  percentileChart(document),
  ...timeCharts(record.measurements),
];

test('the overview has X at the left and p95 and p99 at the right, and all that is judged', () => {
  const { series, limits, band } = overviewChart(document);
  const sides = series.map(({ name, onRight }) => [name, onRight === true ? 'right' : 'left']);
  assert.deepEqual(sides, [
    ['without waiting', 'left'],
    ['X measured', 'left'],
    ['p95', 'right'],
    ['p99', 'right'],
  ]);
  assert.deepEqual(
    limits.map(({ label }) => label),
    ['capacity 134.4/s', 'plan for 94.1/s', 'p95 ≤ 100 ms /books/[id]', 'p95 ≤ 200 ms /search'],
  );
  assert.deepEqual(band, { from: 200, to: 250, label: 'bend' });
});

test('points of steps that are not valid are hollow in every chart over load, and the note says so', () => {
  const steps = document.steps.map((row) => ({ ...row, valid: row.index !== 2 }));
  const doubtful = { ...document, steps };
  for (const chart of [overviewChart(doubtful), responseTimeChart(doubtful), percentileChart(doubtful)]) {
    const figure = chartFigure(chart);
    const hollow = [...figure.matchAll(/class="dot [^"]* refused step-(\d+)"/g)].map(([, step]) => step);
    assert.ok(hollow.length > 0, chart.id);
    assert.deepEqual([...new Set(hollow)], ['2']);
    assert.match(figure, /class="note">Hollow points/);
  }
  assert.doesNotMatch(chartFigure(overviewChart(document)), /refused|class="note"/);
});

test('an interval is drawn whole where it is up to half as much again as what was measured', () => {
  const chart = {
    ...overviewChart(document),
    limits: [],
    series: [
      {
        name: 'X',
        kind: 'measured' as const,
        color: 0,
        points: [[1, 100]] as const,
        intervals: [[1, 50, 145]] as const,
      },
    ],
  };
  const svg = renderLineChart(chart);
  const [, top] = /<line [^>]*y2="([\d.]+)" class="bar/.exec(svg)!;
  assert.ok(Number(top) > 30, top);
});

test('the value of a limit and the name of a line are never cut by the edge of the drawing', () => {
  const knee = { ...document.knee, capacityPerSecond: 615.8, capacitySource: 'highest-measured' as const };
  assert.match(renderLineChart(overviewChart({ ...document, knee })), />capacity ≥ 615\.8\/s</);
  const series = { name: 'w'.repeat(60), kind: 'trace' as const, color: 0, points: [[1, 1]] as const };
  const [, shown] = /class="name trace c0"[^>]*>([^<]+)</.exec(
    renderLineChart({ ...timeCharts(record.measurements)[1]!, series: [series] }),
  )!;
  assert.ok(shown!.length <= 22 && shown!.endsWith('…'), shown);
});

for (const size of ['wide', 'narrow'] as const)
  test(`every point of a ${size} chart lies in its drawing`, () => {
    for (const chart of charts) {
      const svg = renderLineChart(chart, size);
      const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!;
      const pairs = [...svg.matchAll(/points="([^"]*)"/g)].flatMap(([, points]) => points!.split(' '));
      assert.ok(pairs.length > 0);
      for (const pair of pairs) {
        const [x, y] = pair.split(',').map(Number) as [number, number];
        assert.ok(x >= 0 && x <= Number(width) && y >= 0 && y <= Number(height), `${chart.id}: ${pair}`);
      }
    }
  });

for (const size of ['wide', 'narrow'] as const)
  test(`every word of a ${size} chart lies in its drawing, however long the figures of its ticks`, () => {
    const long = charts.map((chart) => ({
      ...chart,
      yTick: (value: number) => `${value.toFixed(2)} million`,
      ...(chart.right && { right: { ...chart.right, tick: (value: number) => `${value.toFixed(3)} hours` } }),
    }));
    for (const chart of [...charts, ...long]) {
      const svg = renderLineChart(chart, size);
      const width = Number(/viewBox="0 0 (\d+) /.exec(svg)![1]);
      for (const [, attributes, words] of svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)) {
        if (!/class="(tick|label)"/.test(attributes!)) continue;
        const x = Number(/x="([-\d.]+)"/.exec(attributes!)![1]);
        const length = words!.length * 6;
        const anchor = /text-anchor="(\w+)"/.exec(attributes!)?.[1] ?? 'start';
        const from = { start: x, middle: x - length / 2, end: x - length }[anchor]!;
        assert.ok(from >= 0 && from + length <= width + 1, `${chart.id}: "${words}" at ${from} of ${width}`);
      }
    }
  });

test('every chart has a title, a description and a table with a row for each load', () => {
  for (const chart of charts) {
    const html = chartFigure(chart);
    assert.match(html, /<title id="[^"]+">[^<]{10,}<\/title>/);
    assert.match(html, /<desc id="[^"]+">[^<]{10,}<\/desc>/);
    const xs = new Set(
      chart.series.filter(({ kind }) => kind !== 'model').flatMap(({ points }) => points.map(([x]) => x)),
    );
    assert.equal(html.match(/<tr><td/g)!.length, xs.size, chart.id);
  }
});

test('over time the lines are broken at the borders of the steps', () => {
  const cpu = timeCharts(record.measurements).find(({ id }) => id === 'time-cpu')!;
  assert.equal(cpu.series.length, 3);
  assert.equal(renderLineChart(cpu).match(/<polyline/g)!.length, 3 * record.measurements.length);
  // 0.37 CPU seconds a second, as the sample's counters grow.
  for (const [, ratio] of cpu.series[0]!.points) assert.ok(Math.abs(ratio - 0.37) < 1e-9);
});

test('a thinned line has the mean of the whole one, and at most 240 points', () => {
  const points = Array.from({ length: 4800 }, (_, i) => [i, i % 7] as const);
  const few = thinned(points);
  const mean = (of: typeof few): number => of.reduce((sum, [, y]) => sum + y, 0) / of.length;
  assert.equal(few.length, 240);
  assert.ok(Math.abs(mean(few) - mean(points)) < 1e-9);
});
