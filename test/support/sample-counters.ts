import type { CounterSeries, Slice } from '../../src/model/measurement.ts';
import type { RunRecord } from '../../src/model/record.ts';

/** The same record with what a watched run of a minute a step also holds: a slice and a sample of each counter a second. */
export function withCounters(record: RunRecord): RunRecord {
  const measurements = record.measurements.map((measurement) => {
    const { startedAtSeconds, windowSeconds } = measurement;
    const seconds = Array.from({ length: Math.floor(windowSeconds) + 1 }, (_, i) => startedAtSeconds + i);
    const perSecond = measurement.completionCount / windowSeconds;
    return {
      ...measurement,
      slices: seconds.slice(1).map((atSeconds, i): Slice => ({
        atSeconds,
        durationSeconds: 1,
        okCount: Math.round(perSecond * (1 + 0.05 * Math.sin(i))),
        errorCount: 0,
        timeoutCount: 0,
        meanInFlight: measurement.meanInFlight,
        p95ResponseTimeSeconds: 0.05 + 0.01 * Math.cos(i),
      })),
      counters: COUNTERS.map((series) => ({
        ...series,
        points: seconds.map((at, i) => [at, valueAt(series, i)] as const),
      })),
    };
  });
  return { ...record, measurements };
}

const valueAt = ({ kind, unit }: Omit<CounterSeries, 'points'>, i: number): number => {
  if (kind === 'cumulative') return 0.37 * i;
  return unit === 'bytes' ? 1.1e8 + 1234.5 * i : 20 + (i % 3);
};

const counter = (
  source: string,
  quantity: string,
  unit: CounterSeries['unit'],
  kind: CounterSeries['kind'],
): Omit<CounterSeries, 'points'> => ({ source, quantity, unit, kind });

const COUNTERS = [
  counter('process', 'cpuSeconds', 'seconds', 'cumulative'),
  counter('machine', 'cpuBusySeconds', 'seconds', 'cumulative'),
  counter('generator', 'cpuSeconds', 'seconds', 'cumulative'),
  counter('process', 'rssBytes', 'bytes', 'gauge'),
  counter('process', 'threadCount', 'count', 'gauge'),
  counter('process', 'descriptorCount', 'count', 'gauge'),
  counter('listener', 'connectionCount', 'count', 'gauge'),
];
