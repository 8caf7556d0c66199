import type { NoiseFloor, RunRecord } from '../model/record.ts';
import { sampleQuantile } from '../stats/order-statistics.ts';
import { metricsOf } from './compared-metrics.ts';

const QUANTILE = 0.95;

/** What must be equal for runs to have the same noise: the mix, think time and steps of the plan; not its seed. */
export const planKey = ({ plan }: RunRecord['manifest']): string => JSON.stringify({ ...plan, seed: 0 });

/** The machine that noise belongs to. */
export const machineOf = ({ environment }: RunRecord['manifest']): string =>
  `${environment.cpuModel}, ${environment.machineCoreCount} cores`;

/**
 * How far equal runs lie apart (A/A): of each metric the 95 % quantile, over all pairs of runs, of the larger value
 * over the smaller, less 1. Metrics that are 0 somewhere, or that only one run has, have none. Two runs give one
 * pair: the floor then is only what that pair differed by.
 */
export function noiseFloorOf(
  records: readonly RunRecord[],
  { planHash }: { readonly planHash: string },
): NoiseFloor {
  const values = new Map<string, number[]>();
  for (const { name, value } of records.flatMap(metricsOf))
    values.set(name, [...(values.get(name) ?? []), value]);
  const ratios = [...values].flatMap(([name, list]): [string, number][] => {
    if (list.length < 2 || list.some((value) => value <= 0)) return [];
    const pairs = list.flatMap((a, i) => list.slice(i + 1).map((b) => Math.max(a / b, b / a) - 1));
    return [[name, sampleQuantile(pairs, QUANTILE)!]];
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
