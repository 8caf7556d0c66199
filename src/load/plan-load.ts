import { ShiploadError } from '../errors.ts';
import type { Distribution } from '../model/distribution.ts';
import type { LoadPlan } from '../model/load.ts';
import type { Notice } from '../model/notice.ts';
import type { WorkloadModel } from '../model/workload.ts';
import type { Target } from '../model/verdict.ts';
import { lengthenJudgedSteps } from './judged-steps.ts';
import { ladderOf } from './ladder.ts';
import { plannedRequests } from './planned-requests.ts';
import { LOAD_SHAPES } from './shapes/index.ts';

export interface LoadOptions {
  readonly shape: string;
  /** Missing: the ladder of the log's active users. */
  readonly loads?: readonly number[];
  /** Loads that targets are judged at become steps where they are none, and their steps get long enough to judge. */
  readonly targets?: readonly Target[];
  /** Missing: the think time of the log. */
  readonly thinkTime?: Distribution;
  readonly usersPerSecond?: number;
  readonly stepSeconds: number;
  readonly warmupSeconds: number;
  readonly requestTimeoutSeconds: number;
  readonly seed: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Only the steps that are judged, or the peak: a smoke test. */
  readonly peakOnly?: boolean;
}

export interface PlannedLoad {
  readonly plan: LoadPlan;
  /** The load where targets without a load are judged: the log's M, else the highest step. */
  readonly peakLoad: number;
  readonly notices: readonly Notice[];
}

/**
 * The plan that a workload and options make: what is sent, and the steps of the shape. Throws
 * `workload-nothing-to-send` when no class can be sent, `option-invalid` when the loads or times do not fit.
 */
export function planLoad(workload: WorkloadModel, options: LoadOptions): PlannedLoad {
  const { requests, notices } = plannedRequests(workload);
  if (requests.length === 0) {
    throw new ShiploadError(
      'workload-nothing-to-send',
      'no class of requests in the workload can be sent again',
      {
        hint: notices[0]?.message ?? 'The workload has no request classes.',
      },
    );
  }
  const targets = options.targets ?? [];
  const targetLoads = targets.flatMap((target) => target.load ?? []);
  const peakLoad = peakOf(workload, options, targetLoads);
  const ladder =
    options.peakOnly === true ? smokeLoads(targets, peakLoad) : (options.loads ?? ladderOf(peakLoad));
  const loads = [...new Set([...ladder, ...targetLoads])].sort((a, b) => a - b);
  const thinkTime =
    options.thinkTime ?? workload.requestThinkTimeSeconds ?? workload.thinkTimeSeconds?.distribution;
  const { headers } = options;
  const cycleSeconds =
    thinkTime === undefined ? 0 : thinkTime.meanSeconds + (workload.responseTimeSeconds?.mean ?? 0);
  const judged = lengthenJudgedSteps(planSteps(options, loads, thinkTime), targets, {
    requests,
    cycleSeconds,
    peakLoad,
  });
  return {
    peakLoad,
    notices: [...notices, ...withoutPause(thinkTime), ...judged.notices],
    plan: {
      seed: options.seed,
      shape: options.shape,
      requests: headers === undefined ? requests : requests.map((request) => ({ ...request, headers })),
      ...(thinkTime !== undefined && { thinkTimeSeconds: thinkTime }),
      ...(options.usersPerSecond !== undefined && { usersPerSecond: options.usersPerSecond }),
      requestTimeoutSeconds: options.requestTimeoutSeconds,
      steps: judged.steps,
    },
  };
}

/** Where targets are judged; without a load of its own a target is judged at the peak. */
function smokeLoads(targets: readonly Target[], peakLoad: number): readonly number[] {
  return targets.length === 0 || targets.some((target) => target.load === undefined) ? [peakLoad] : [];
}

function withoutPause(thinkTime: Distribution | undefined): readonly Notice[] {
  if (thinkTime !== undefined) return [];
  return [
    {
      code: 'no-think-time',
      severity: 'warning',
      message: 'The workload has no think time: each user sends again as soon as the answer is in.',
      advice: 'Give --think if users pause between requests.',
    },
  ];
}

function peakOf(workload: WorkloadModel, options: LoadOptions, targetLoads: readonly number[]): number {
  if (workload.activeUsers !== undefined) return Math.max(1, Math.round(workload.activeUsers));
  const highest = options.loads?.at(-1) ?? targetLoads.toSorted((a, b) => a - b).at(-1);
  if (highest !== undefined) return highest;
  throw new ShiploadError(
    'option-invalid',
    'the log does not tell how many users are active, so the loads must be given',
    {
      where: '--users',
      hint: 'For example --users 1,25,50,100 --think 1s..3s',
    },
  );
}

function planSteps(
  options: LoadOptions,
  loads: readonly number[],
  thinkTime: Distribution | undefined,
): LoadPlan['steps'] {
  const shape = LOAD_SHAPES.find((candidate) => candidate.name === options.shape);
  if (shape === undefined) {
    const names = LOAD_SHAPES.map((candidate) => candidate.name).join(', ');
    throw new ShiploadError('option-invalid', `there is no load shape "${options.shape}"`, {
      where: '--shape',
      hint: `Shapes: ${names}`,
    });
  }
  try {
    return shape.plan({
      loads,
      stepSeconds: options.stepSeconds,
      warmupSeconds: options.warmupSeconds,
      ...(options.usersPerSecond !== undefined && { usersPerSecond: options.usersPerSecond }),
      ...(thinkTime !== undefined && { thinkTime }),
    });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ShiploadError('option-invalid', cause.message, {
      where: '--step, --warmup',
      hint: 'Make the step longer, the warm-up shorter, or let users join faster (--users-per-second).',
      cause,
    });
  }
}
