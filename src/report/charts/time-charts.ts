import type { CounterSeries, Slice, StepMeasurement } from '../../model/measurement.ts';
import { counterWords } from '../counter-words.ts';
import { printable } from '../escape.ts';
import * as q from '../quantities.ts';
import type { ChartPoint, ChartSeries, LineChart } from './chart.ts';
import { thinned } from './thinned.ts';

/** More lines than this are not told apart. */
const MOST_LINES = 6;
/** Beyond so many steps their borders are a hatching. */
const MOST_BORDERS = 60;

/**
 * What was counted over the run, measured windows only, with the borders of the steps: throughput and p95, CPU,
 * memory, and the counts that moved. Charts without a value are left out.
 */
export function timeCharts(measurements: readonly StepMeasurement[]): readonly LineChart[] {
  return [
    loadOverTime(measurements),
    cpuOverTime(measurements),
    memoryOverTime(measurements),
    countsOverTime(measurements),
  ].filter(({ series }) => series.some(({ points }) => points.length > 1));
}

function overTime(
  measurements: readonly StepMeasurement[],
  chart: Omit<LineChart, 'xLabel' | 'xTick' | 'limits' | 'marks'>,
): LineChart {
  const borders = measurements.length <= MOST_BORDERS ? measurements : [];
  const breaks = measurements.map(({ startedAtSeconds }) => startedAtSeconds);
  return {
    ...chart,
    series: chart.series.map((series) => ({ ...series, points: thinned(series.points), breaks })),
    xLabel: 'seconds since the start of the run',
    xTick: q.windowFigure,
    limits: [],
    marks: borders.map(({ startedAtSeconds, step }) => ({
      x: startedAtSeconds,
      label: printable(step.label),
      isBorder: true,
    })),
  };
}

const trace = (name: string, color: number, points: readonly ChartPoint[]): ChartSeries => ({
  name,
  kind: 'trace',
  color: color % MOST_LINES,
  points,
});

function loadOverTime(measurements: readonly StepMeasurement[]): LineChart {
  const slices = measurements.flatMap((measurement) => measurement.slices);
  const rateOf = (countOf: (slice: Slice) => number): readonly ChartPoint[] =>
    slices.map((slice) => [slice.atSeconds, countOf(slice) / slice.durationSeconds]);
  const p95 = slices.flatMap(({ atSeconds, p95ResponseTimeSeconds: p95 }) =>
    p95 === undefined ? [] : [[atSeconds, p95] as const],
  );
  return overTime(measurements, {
    id: 'time-load',
    title: 'Throughput and p95 over time, second by second',
    description: 'Steady steps are level; a step that drifts or swings is not.',
    yLabel: 'completions/s',
    yTick: q.givenFigure,
    ...(p95.length > 1 && { right: { label: 'p95', tick: q.givenDuration } }),
    series: [
      trace(
        'X',
        0,
        rateOf(({ okCount }) => okCount),
      ),
      trace(
        'failed',
        5,
        rateOf(({ errorCount, timeoutCount }) => errorCount + timeoutCount),
      ),
      ...(p95.length > 1 ? [{ ...trace('p95', 1, p95), onRight: true as const }] : []),
    ],
  });
}

function cpuOverTime(measurements: readonly StepMeasurement[]): LineChart {
  const of = (source: string, quantity: string): readonly ChartPoint[] =>
    measurements.flatMap(({ counters }) =>
      valuesOf(counters.find((series) => series.source === source && series.quantity === quantity)),
    );
  const lines: readonly (readonly [name: string, points: readonly ChartPoint[]])[] = [
    ['service', of('process', 'cpuSeconds')],
    ['machine', of('machine', 'cpuBusySeconds')],
    ['generator', of('generator', 'cpuSeconds')],
  ];
  return overTime(measurements, {
    id: 'time-cpu',
    title: 'CPU over time: service, machine and generator',
    description: 'Each as a share of the cores that it can use; 100 % is all of them.',
    yLabel: 'CPU, share of its cores',
    yTick: q.percent,
    series: lines.flatMap(([name, points], i) =>
      points.length > 0 ? [trace(name, i === 2 ? 3 : i, points)] : [],
    ),
  });
}

function memoryOverTime(measurements: readonly StepMeasurement[]): LineChart {
  return overTime(measurements, {
    id: 'time-memory',
    title: 'Memory of the service over time',
    description: 'A line that climbs while the load is level is a leak or a cache that fills.',
    yLabel: 'bytes',
    yTick: q.bytes,
    series: linesOf(
      measurements,
      ({ source, unit, kind }) => unit === 'bytes' && kind === 'gauge' && source !== 'machine',
    ),
  });
}

function countsOverTime(measurements: readonly StepMeasurement[]): LineChart {
  return overTime(measurements, {
    id: 'time-counts',
    title: 'Counts of the service over time',
    description:
      'Threads, descriptors, connections and what the service counts itself; those that moved most.',
    yLabel: 'count',
    yTick: q.givenFigure,
    series: linesOf(
      measurements,
      ({ source, unit, kind }) =>
        unit === 'count' && kind === 'gauge' && source !== 'machine' && source !== 'generator',
    ),
  });
}

/** A line for each counter that is wanted; of too many those whose values moved most. */
function linesOf(
  measurements: readonly StepMeasurement[],
  isWanted: (series: CounterSeries) => boolean,
): readonly ChartSeries[] {
  const bySeries = new Map<string, { source: string; name: string; points: ChartPoint[] }>();
  for (const series of measurements.flatMap(({ counters }) => counters).filter(isWanted)) {
    const key = `${series.source} ${series.quantity}`;
    const known = bySeries.get(key) ?? {
      source: series.source,
      name: counterWords(series.quantity),
      points: [],
    };
    known.points.push(...series.points);
    bySeries.set(key, known);
  }
  const swing = (points: readonly ChartPoint[]): number => {
    const values = points.map(([, value]) => value);
    const low = values.reduce((min, value) => Math.min(min, value), Infinity);
    const high = values.reduce((max, value) => Math.max(max, value), 0);
    return high === 0 ? 0 : (high - low) / high;
  };
  const shown = [...bySeries.values()].sort((a, b) => swing(b.points) - swing(a.points)).slice(0, MOST_LINES);
  const isShared = (name: string): boolean => shown.filter((one) => one.name === name).length > 1;
  return shown.map(({ source, name, points }, color) =>
    trace(printable(isShared(name) ? `${name} (${source})` : name), color, points),
  );
}

/** A gauge as it is; of a counter that grows, its rate between two samples, over its capacity where that is known. */
function valuesOf(series: CounterSeries | undefined): readonly ChartPoint[] {
  if (series === undefined) return [];
  const { kind, points, capacity = 1 } = series;
  if (kind === 'gauge') return points;
  return points.slice(1).flatMap(([at, value], i) => {
    const [before, earlier] = points[i]!;
    return at > before ? [[at, Math.max(0, value - earlier) / (at - before) / capacity] as const] : [];
  });
}
