import type { StepMeasurement } from '../model/measurement.ts';
import { growthOf, serviceCounter } from './counter-window.ts';

/** A process that does this share of its CPU time on one thread cannot use a second core. */
const SINGLE_THREAD_RATIO = 0.9;

/** m of a run's CPU, and where it comes from in words. */
export interface ServerCount {
  readonly serverCount: number;
  readonly source: string;
  /** What affinity and quota allow, whatever is used of it; missing where no counter tells. */
  readonly allowedCount?: number;
}

/**
 * m where nobody gave it: the cores that affinity and quota allow, but 1 where one thread carried more than 90 %
 * of the process's CPU time over all steps, because that process cannot use a second core however many it is
 * allowed. One figure for the whole run, so that the steps compare. Missing when no counter tells.
 */
export function findServerCount(measurements: readonly StepMeasurement[]): ServerCount | undefined {
  const cpu = measurements.map((measurement) => growthOf(serviceCounter(measurement, 'cpuSeconds')));
  const thread = measurements.map((measurement) =>
    growthOf(serviceCounter(measurement, 'busiestThreadCpuSeconds')),
  );
  const allowed = cpu.find((growth) => growth?.capacity !== undefined)?.capacity;
  let cpuSeconds = 0;
  let threadSeconds = 0;
  for (const [i, growth] of cpu.entries()) {
    const ofThread = thread[i];
    if (growth === undefined || ofThread === undefined) continue;
    cpuSeconds += growth.amount;
    threadSeconds += ofThread.amount;
  }
  if (threadSeconds > SINGLE_THREAD_RATIO * cpuSeconds && (allowed === undefined || allowed > 1)) {
    const percent = Math.min(100, Math.round((threadSeconds / cpuSeconds) * 100));
    return {
      serverCount: 1,
      source: `one thread carried ${percent} % of the process's CPU time`,
      ...(allowed !== undefined && { allowedCount: allowed }),
    };
  }
  if (allowed === undefined) return undefined;
  return { serverCount: allowed, source: 'affinity and quota', allowedCount: allowed };
}
