import type { MetricSpread, NoiseFloor, RunRecord } from '../model/record.ts';
import { sampleQuantile } from '../stats/order-statistics.ts';
import { median } from '../stats/rank-test.ts';
import { metricsOf } from './compared-metrics.ts';
import type { MetricReading } from './compared-metrics.ts';

const QUANTILE = 0.95;

/** What must be equal for runs to have the same noise: the mix, think time and steps of the plan; not its seed. */
export const planKey = ({ plan }: RunRecord['manifest']): string => JSON.stringify({ ...plan, seed: 0 });

/** The machine that noise belongs to. */
export const machineOf = ({ environment }: RunRecord['manifest']): string =>
  `${environment.cpuModel}, ${environment.machineCoreCount} cores`;

/** The figures of several runs by name, in the order of the first run that has them. */
function readingsOf(records: readonly RunRecord[]): MetricReading[][] {
  const byName = new Map<string, MetricReading[]>();
  for (const reading of records.flatMap(metricsOf))
    byName.set(reading.name, [...(byName.get(reading.name) ?? []), reading]);
  return [...byName.values()];
}

/** Median, lowest and highest of every figure over several runs. */
export function spreadsOf(records: readonly RunRecord[]): MetricSpread[] {
  return readingsOf(records).map((readings) => {
    const { value: _, ...metric } = readings[0]!;
    const values = readings.map(({ value }) => value);
    return { ...metric, median: median(values), low: Math.min(...values), high: Math.max(...values) };
  });
}

/**
 * How far equal runs lie apart (A/A): of each metric the 95 % quantile, over all pairs of runs, of the larger value
 * over the smaller, less 1. Metrics that are 0 somewhere, or that only one run has, have none. Two runs give one
 * pair: the floor then is only what that pair differed by.
 */
export function noiseFloorOf(
  records: readonly RunRecord[],
  { planHash }: { readonly planHash: string },
): NoiseFloor {
  const ratios = readingsOf(records).flatMap((readings): [string, number][] => {
    const list = readings.map(({ value }) => value);
    if (list.length < 2 || list.some((value) => value <= 0)) return [];
    const pairs = list.flatMap((a, i) => list.slice(i + 1).map((b) => Math.max(a / b, b / a) - 1));
    return [[readings[0]!.name, sampleQuantile(pairs, QUANTILE)!]];
  });
  return {
    kind: 'noise-floor',
    schemaVersion: 1,
    planHash,
    machine: machineOf(records[0]!.manifest),
    runCount: records.length,
    ratios: Object.fromEntries(ratios),
  };
}
