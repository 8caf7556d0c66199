import type { CounterSeries, StepMeasurement } from '../model/measurement.ts';

/** The measurement of a step; undefined where there is none. It mostly stands in the place of its index. */
export function measurementOfStep(
  measurements: readonly StepMeasurement[],
  stepIndex: number,
): StepMeasurement | undefined {
  const there = measurements[stepIndex];
  return there?.step.index === stepIndex ? there : measurements.find(({ step }) => step.index === stepIndex);
}

/** Names under which the process under test is counted, best first; other sources follow as they come. */
const PROCESS_SOURCE = 'process';
const NOT_THE_SERVICE = new Set(['machine', 'generator', 'cgroup', 'listener']);

/** Growth of a cumulative counter between its first and last sample. */
export interface Growth {
  readonly amount: number;
  readonly spanSeconds: number;
  readonly capacity?: number;
}

/** A counter of the service: of the watched process, else of the first source that has the quantity (Prometheus, say). */
export function serviceCounter(measurement: StepMeasurement, quantity: string): CounterSeries | undefined {
  const candidates = measurement.counters.filter(
    (series) => series.quantity === quantity && !NOT_THE_SERVICE.has(series.source),
  );
  return candidates.find((series) => series.source === PROCESS_SOURCE) ?? candidates[0];
}

/** A counter of one source. */
export const counterOf = (
  measurement: StepMeasurement,
  source: string,
  quantity: string,
): CounterSeries | undefined =>
  measurement.counters.find((series) => series.source === source && series.quantity === quantity);

/** A counter of the machine. */
export const machineCounter = (measurement: StepMeasurement, quantity: string): CounterSeries | undefined =>
  counterOf(measurement, 'machine', quantity);

/** How much a cumulative counter grew; missing with fewer than two samples, or when it was reset in between. */
export function growthOf(series: CounterSeries | undefined): Growth | undefined {
  const first = series?.points[0];
  const last = series?.points.at(-1);
  if (series === undefined || first === undefined || last === undefined || last[0] <= first[0])
    return undefined;
  if (series.points.some((point, i) => i > 0 && point[1] < series.points[i - 1]![1])) return undefined;
  return {
    amount: last[1] - first[1],
    spanSeconds: last[0] - first[0],
    ...(series.capacity !== undefined && { capacity: series.capacity }),
  };
}

/** Growth of a cumulative counter per second; missing where `growthOf` is. */
export function rateOf(series: CounterSeries | undefined): number | undefined {
  const growth = growthOf(series);
  return growth === undefined ? undefined : growth.amount / growth.spanSeconds;
}

/** Mean of a gauge's samples; missing without samples. */
export function gaugeMean(series: CounterSeries | undefined): number | undefined {
  if (series === undefined || series.points.length === 0) return undefined;
  return series.points.reduce((sum, point) => sum + point[1], 0) / series.points.length;
}

/** Last sample of a gauge, and last minus first. */
export function gaugeEnd(
  series: CounterSeries | undefined,
): { readonly last: number; readonly growth: number } | undefined {
  const last = series?.points.at(-1)?.[1];
  const first = series?.points[0]?.[1];
  return last === undefined || first === undefined ? undefined : { last, growth: last - first };
}
