import { isolateRoutes } from '../analysis/isolation.ts';
import { findServerCount } from '../analysis/server-count.ts';
import { stepTable } from '../analysis/step-table.ts';
import type { RunEvent } from '../drive/run-plan.ts';
import type { Isolation, StepRow } from '../model/analysis.ts';
import type { LoadPlan, PlannedRequest } from '../model/load.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import type { LoadResult } from './run-load.ts';

/** Part of an isolated step that is not measured. */
const WARMUP_SHARE = 0.2;

export interface IsolateOptions {
  /** Users of the whole mix; each route gets its share of them, so that it runs at its own rate of the mix. */
  readonly users: number;
  readonly stepSeconds: number;
  /** Each route once more with so many users, where D and a lock's time are those of a service that is busy. */
  readonly busyUsers?: number;
  readonly serverCount?: number;
  readonly run: (plan: LoadPlan, listener: (event: RunEvent) => void) => Promise<LoadResult>;
  readonly onRoute?: (request: PlannedRequest, users: number) => void;
}

/**
 * Runs each route of a plan alone, with the users that its share of the mix stands for and the same think time:
 * what it costs, and what vanishes without the others. Undefined when interrupted, or when the service went.
 */
export async function isolateLoad(plan: LoadPlan, options: IsolateOptions): Promise<Isolation | undefined> {
  const measured = [];
  for (const [index, request] of plan.requests.entries()) {
    const users = Math.max(1, Math.round(options.users * request.shareRatio));
    options.onRoute?.(request, users);
    const loads = [users, ...(options.busyUsers === undefined ? [] : [options.busyUsers])];
    const result = await options.run(aloneAt(loads, request, index, plan, options.stepSeconds), () => {});
    const { reason, measurements } = result;
    const [measurement, busy] = measurements;
    if (reason !== 'completed' || measurement === undefined) return undefined;
    measured.push({ request, measurements, measurement, busy });
  }
  // One m for all routes: a cheap one alone leaves so much to helper threads that the process seems to use two cores.
  const serverCount =
    options.serverCount ?? findServerCount(measured.flatMap(({ measurements }) => measurements))?.serverCount;
  const rowOf = (measurement: StepMeasurement): StepRow =>
    stepTable([measurement], serverCount === undefined ? {} : { serverCount })[0]!;
  return isolateRoutes(
    measured.map(({ request: { route, id: requestClassId, shareRatio }, measurement, busy }) => ({
      route,
      requestClassId,
      shareRatio,
      row: rowOf(measurement),
      measurement,
      ...(busy !== undefined && { busy: { row: rowOf(busy), measurement: busy } }),
    })),
  );
}

/** One route of the plan, a step for each number of users. */
function aloneAt(
  loads: readonly number[],
  request: PlannedRequest,
  index: number,
  plan: LoadPlan,
  stepSeconds: number,
): LoadPlan {
  const warmupSeconds = stepSeconds * WARMUP_SHARE;
  return {
    ...plan,
    seed: plan.seed + index + 1,
    requests: [{ ...request, shareRatio: 1 }],
    steps: loads.map((users, step) => ({
      index: step,
      label: request.route,
      driver: { kind: 'closed', users },
      warmupSeconds,
      measureSeconds: stepSeconds - warmupSeconds,
    })),
  };
}
