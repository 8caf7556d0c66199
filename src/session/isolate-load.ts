import { isolateRoutes } from '../analysis/isolation.ts';
import { findServerCount } from '../analysis/server-count.ts';
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
  const measured = [];
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
    const [measurement] = result.measurements;
    if (result.reason !== 'completed' || measurement === undefined) return undefined;
    measured.push({ request, measurement });
  }
  // One m for all routes: a cheap one alone leaves so much to helper threads that the process seems to use two cores.
  const serverCount =
    options.serverCount ?? findServerCount(measured.map(({ measurement }) => measurement))?.serverCount;
  return isolateRoutes(
    measured.map(({ request, measurement }) => {
      const { route, id: requestClassId, shareRatio } = request;
      const [row] = stepTable([measurement], serverCount === undefined ? {} : { serverCount });
      return { route, requestClassId, shareRatio, row: row!, measurement };
    }),
  );
}
