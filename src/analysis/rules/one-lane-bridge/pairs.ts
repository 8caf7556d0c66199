import type { StepRow } from '../../../model/analysis.ts';
import { percentileOf } from '../../../stats/histogram.ts';
import type { DiagnosisInput } from '../rule.ts';
import { measurementOf } from '../step-counters.ts';

/** Only steps below this utilisation can tell a blocked lane from ordinary queueing. */
const LIGHT_UTILIZATION = 0.7;
/** What a text may call low utilisation. */
const LOW_UTILIZATION = 0.5;
/** Fewer requests have no median to speak of. */
const MIN_SAMPLES = 20;
/** A route that takes this many times as long as another can hold it up noticeably. */
const SLOWER_BY = 5;

/** A route that may hold up another one, with what is known of both at light load. */
export interface Pair {
  readonly fast: string;
  readonly slow: string;
  /** S: how long one request of the slow route occupies the lane, at light load. */
  readonly serviceSeconds: number;
  /** Median of the fast route when nothing is in its way. */
  readonly fastSeconds: number;
  /** The valid steps below 70 % utilisation, in the order of the table. */
  readonly steps: readonly StepRow[];
  /** Those of them below 50 %. */
  readonly lowSteps: readonly StepRow[];
}

/** Every ordered pair of routes of which one takes at least five times as long as the other at light load. */
export function candidatePairs(input: DiagnosisInput): Pair[] {
  const steps = input.rows.filter((row) => row.valid && busyRatioOf(row, input) < LIGHT_UTILIZATION);
  const lowSteps = steps.filter((row) => busyRatioOf(row, input) < LOW_UTILIZATION);
  const routes = [...new Set(steps.flatMap((row) => Object.keys(row.byRoute)))];
  const lightest = new Map(routes.map((route) => [route, unhinderedMedian(route, steps, input)]));
  return routes.flatMap((slow) =>
    routes.flatMap((fast) => {
      const serviceSeconds = lightest.get(slow);
      const fastSeconds = lightest.get(fast);
      if (serviceSeconds === undefined || fastSeconds === undefined || fast === slow) return [];
      if (serviceSeconds < SLOWER_BY * fastSeconds) return [];
      return [{ fast, slow, serviceSeconds, fastSeconds, steps, lowSteps }];
    }),
  );
}

/**
 * The smallest of the route's medians, since waiting only adds to it: of each step, of the requests that were sent
 * with another route out of the way, and of the route alone.
 */
function unhinderedMedian(
  route: string,
  steps: readonly StepRow[],
  input: DiagnosisInput,
): number | undefined {
  const alone = input.isolation?.routes.find((isolated) => isolated.route === route)?.p50Seconds;
  const unaccompanied = steps
    .flatMap((row) => measurementOf(row, input)?.interference ?? [])
    .filter((split) => split.route === route && split.withoutOther.totalCount >= MIN_SAMPLES)
    .map(({ withoutOther }) => percentileOf(withoutOther, 50));
  const medians = [alone, ...unaccompanied, ...steps.map((row) => row.byRoute[route]?.p50Seconds)].filter(
    (value) => value !== undefined,
  );
  return medians.length === 0 ? undefined : Math.min(...medians);
}

/** U by the process's CPU; where that is not known, the time the routes take together (an upper bound). */
export function busyRatioOf(row: StepRow, input: DiagnosisInput): number {
  const cpu = row.utilizationRatio['cpu'];
  if (cpu !== undefined) return cpu;
  const loads = Object.entries(row.byRoute).map(
    ([route, { p50Seconds }]) => (throughputOf(row, route, input) ?? 0) * (p50Seconds ?? 0),
  );
  return loads.reduce((sum, load) => sum + load, 0);
}

/** X of one route at a step: as measured, else its share in the isolation, the plan or the log times X. */
export function throughputOf(row: StepRow, route: string, input: DiagnosisInput): number | undefined {
  const measured = row.byRoute[route]?.throughputPerSecond;
  if (measured !== undefined) return measured;
  const shares = [input.isolation?.routes, input.plan?.requests, input.workload?.requestClasses]
    .map((list) => (list ?? []).filter((entry) => entry.route === route))
    .find((entries) => entries.length > 0);
  if (shares === undefined) return undefined;
  return row.throughputPerSecond * shares.reduce((sum, { shareRatio }) => sum + shareRatio, 0);
}
