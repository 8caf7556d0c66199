import type { RoutePercentiles, StepRow } from '../model/analysis.ts';
import type { ComparedMetric, RunRecord } from '../model/record.ts';
import { loadOf, loadText } from '../stats/wording.ts';

/** One figure of one run that can stand beside the same figure of another. */
export type MetricReading = Pick<ComparedMetric, 'name' | 'load' | 'unit' | 'better'> & {
  readonly value: number;
};

type Shape = Pick<MetricReading, 'unit' | 'better'>;

const COST = { unit: 'seconds', better: 'lower' } as const;
const RATE = { unit: 'perSecond', better: 'higher' } as const;
const SHARE = { unit: 'ratio', better: 'lower' } as const;
const USERS = { unit: 'users', better: 'higher' } as const;

/** All figures of a run that are compared: per valid step in order of the table, then those of the whole curve. */
export function metricsOf({ analysis }: RunRecord): MetricReading[] {
  return [...analysis.steps.filter(({ valid }) => valid).flatMap(stepMetrics), ...curveMetrics(analysis)];
}

function stepMetrics(row: StepRow): MetricReading[] {
  const load = loadOf(row)?.value;
  const at = loadText(row);
  const read = (name: string, value: number | undefined, shape: Shape): MetricReading[] =>
    value === undefined
      ? []
      : [{ name: `${name} at ${at}`, value, ...shape, ...(load === undefined ? {} : { load }) }];
  return [
    ...read('throughputPerSecond', row.throughputPerSecond, RATE),
    ...Object.entries(row.byRoute).flatMap(([route, times]) => percentileMetrics(route, times, read)),
    ...Object.entries(row.utilizationRatio).flatMap(([resource, value]) =>
      resource === 'generator' ? [] : read(`utilizationRatio.${resource}`, value, SHARE),
    ),
    ...Object.entries(row.serviceDemandSeconds).flatMap(([resource, value]) =>
      read(`serviceDemandSeconds.${resource}`, value, COST),
    ),
    ...read('errorRatio', row.errorRatioUnknown ? undefined : row.errorRatio, SHARE),
  ];
}

function percentileMetrics(
  route: string,
  times: RoutePercentiles,
  read: (name: string, value: number | undefined, shape: Shape) => MetricReading[],
): MetricReading[] {
  return [
    ...read(`p50 ${route}`, times.p50Seconds, COST),
    ...read(`p95 ${route}`, times.p95Seconds, COST),
    ...read(`p99 ${route}`, times.p99Seconds, COST),
  ];
}

function curveMetrics({ knee, saturation }: RunRecord['analysis']): MetricReading[] {
  const read = (name: string, value: number | undefined, shape: Shape): MetricReading[] =>
    value === undefined ? [] : [{ name, value, ...shape }];
  return [
    ...read('knee', knee.seen ? knee.users : undefined, USERS),
    ...read('saturation', saturation?.users, USERS),
    // A highest measured throughput is where the ladder ended, not what the service can do.
    ...read(
      'capacityPerSecond',
      knee.capacitySource === 'highest-measured' ? undefined : knee.capacityPerSecond,
      RATE,
    ),
  ];
}
