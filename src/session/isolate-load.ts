import { isolateRoutes } from '../analysis/isolation.ts';
import { stepTable } from '../analysis/step-table.ts';
import type { RunEvent } from '../drive/run-plan.ts';
import type { Isolation } from '../model/analysis.ts';
import type { LoadPlan, PlannedRequest } from '../model/load.ts';
import type { LoadResult } from './run-load.ts';

/** Part of an isolated step that is not measured. */
const WARMUP_SHARE = 0.2;

export interface IsolateOptions {
  /** Users of the whole mix; each route gets its share of them, so that it runs at its own rate of the mix. */
  readonly users: number;
  readonly stepSeconds: number;
  readonly serverCount?: number;
  readonly run: (plan: LoadPlan, listener: (event: RunEvent) => void) => Promise<LoadResult>;
  readonly onRoute?: (request: PlannedRequest, users: number) => void;
}

/**
 * Runs each route of a plan alone, with the users that its share of the mix stands for and the same think time:
 * what it costs, and what vanishes without the others. Undefined when interrupted, or when the service went.
 */
export async function isolateLoad(plan: LoadPlan, options: IsolateOptions): Promise<Isolation | undefined> {
  const steps = [];
  for (const [index, request] of plan.requests.entries()) {
    const users = Math.max(1, Math.round(options.users * request.shareRatio));
    options.onRoute?.(request, users);
    const warmupSeconds = options.stepSeconds * WARMUP_SHARE;
    const alone: LoadPlan = {
      ...plan,
      seed: plan.seed + index + 1,
      requests: [{ ...request, shareRatio: 1 }],
      steps: [
        {
          index: 0,
          label: request.route,
          driver: { kind: 'closed', users },
          warmupSeconds,
          measureSeconds: options.stepSeconds - warmupSeconds,
        },
      ],
    };
    const result = await options.run(alone, () => {});
    const [row] = stepTable(
      result.measurements,
      options.serverCount === undefined ? {} : { serverCount: options.serverCount },
    );
    if (result.reason !== 'completed' || row === undefined) return undefined;
    const { route, id: requestClassId, shareRatio } = request;
    steps.push({ route, requestClassId, shareRatio, row, measurement: result.measurements[0]! });
  }
  return isolateRoutes(steps);
}
