import { ShiploadError } from '../errors.ts';
import type { Distribution } from '../model/distribution.ts';
import type { LoadPlan } from '../model/load.ts';
import type { Notice } from '../model/notice.ts';
import { nearestName } from '../stats/nearest-name.ts';
import { countText, type LoadKind, loadText } from '../stats/wording.ts';
import type { Target } from '../model/verdict.ts';
import { addJudgedLoads, lengthenJudgedSteps } from './judged-steps.ts';
import { ladderOf } from './ladder.ts';
import { type LoadBasis, requireRequests } from './load-basis.ts';
import { type WriteMixOptions, withWrites } from './write-mix.ts';
import { planGrowth } from './plan-growth.ts';
import { type GrowthOptions, LOAD_SHAPES, type LoadShape, SHAPE_NAMES } from './shapes/index.ts';

export interface LoadOptions {
  readonly shape: string;
  /** What the loads count; missing: what the shape usually varies. */
  readonly loadKind?: LoadKind;
  /** Missing: the shape's own, or the ladder of the log's active users. */
  readonly loads?: readonly number[];
  /** Loads that targets are judged at become steps where they are none, and their steps get long enough to judge. */
  readonly targets?: readonly Target[];
  /** Missing: the think time of the log. */
  readonly thinkTime?: Distribution;
  readonly usersPerSecond?: number;
  readonly stepSeconds: number;
  readonly warmupSeconds: number;
  readonly arrivals?: 'poisson' | 'constant';
  /** Open loop: arrivals above it are dropped. */
  readonly maxInFlight?: number;
  readonly requestTimeoutSeconds: number;
  readonly seed: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Only the steps that are judged, or the peak: a smoke test. */
  readonly peakOnly?: boolean;
  /** Add steps ×1.5 until the curve has bent, at most three times the peak. */
  readonly extend?: boolean;
  readonly growth?: GrowthOptions;
  /** The whole ladder once for each share of this write. */
  readonly writes?: WriteMixOptions;
}

export interface PlannedLoad {
  readonly plan: LoadPlan;
  /** The load where targets without a load are judged: the log's M, else the highest step. */
  readonly peakLoad: number;
  readonly notices: readonly Notice[];
}

/**
 * The plan that requests and options make: what is sent, and the steps of the shape. Throws
 * `workload-nothing-to-send` when nothing can be sent, `option-invalid` when the loads or times do not fit.
 */
export function planLoad(basis: LoadBasis, options: LoadOptions): PlannedLoad {
  const { requests, notices } = basis;
  requireRequests(basis);
  const shape = findShape(options.shape);
  const kind = kindOf(shape, options);
  const thinkTime = kind === 'users' ? (options.thinkTime ?? basis.thinkTime) : undefined;
  const usersPerSecond = kind === 'users' ? options.usersPerSecond : undefined;
  // Users without think time are workers.
  const isWorker = thinkTime === undefined && basis.pausesItself !== true;
  const loadKind = kind === 'users' && isWorker ? 'concurrency' : kind;
  const targets = options.targets ?? [];
  requireJudgeable(targets, loadKind, isWorker && kind === 'users');
  const targetLoads = targets.flatMap((target) => target.load ?? []);
  const given = options.loads ?? shape.defaultLoads;
  const peakLoad = peakOf(basis, shape, kind, given ?? targetLoads);
  const ladder = options.peakOnly === true ? smokeLoads(targets, peakLoad) : (given ?? ladderOf(peakLoad));
  const exact = takesExactly(shape, kind, given ?? [peakLoad]);
  const whole =
    exact === undefined
      ? addJudgedLoads(ladder, targets, peakLoad, (load) => loadText({ index: 0, [loadKind]: load }))
      : { loads: exact, notices: [] };
  const steps = planSteps(shape, {
    loadKind,
    loads: whole.loads,
    stepSeconds: options.stepSeconds,
    warmupSeconds: options.warmupSeconds,
    ...(options.arrivals !== undefined && { arrivals: options.arrivals }),
    ...(options.maxInFlight !== undefined && { maxInFlight: options.maxInFlight }),
    ...(usersPerSecond !== undefined && { usersPerSecond }),
    ...(thinkTime !== undefined && { thinkTime }),
  });
  const cycleSeconds = thinkTime === undefined ? 0 : thinkTime.meanSeconds + (basis.responseTimeSeconds ?? 0);
  const judged =
    shape.loadCount === undefined
      ? lengthenJudgedSteps(steps, targets, { requests, cycleSeconds, peakLoad })
      : { steps, notices: [] };
  const growth = planGrowth(shape, options, judged.steps, peakLoad);
  return {
    peakLoad,
    notices: [
      ...notices,
      ...(kind === 'users' && isWorker ? withoutPause(thinkTime) : []),
      ...whole.notices,
      ...judged.notices,
    ],
    plan: mixed(options.writes, {
      seed: options.seed,
      shape: options.shape,
      requests: withHeaders(requests, options.headers),
      ...(thinkTime !== undefined && { thinkTimeSeconds: thinkTime }),
      ...(usersPerSecond !== undefined && { usersPerSecond }),
      requestTimeoutSeconds: options.requestTimeoutSeconds,
      steps: judged.steps,
      ...(growth !== undefined && { growth }),
    }),
  };
}

const mixed = (writes: WriteMixOptions | undefined, plan: LoadPlan): LoadPlan =>
  writes === undefined ? plan : withWrites(plan, writes);

const withHeaders = (
  requests: LoadPlan['requests'],
  headers: Readonly<Record<string, string>> | undefined,
): LoadPlan['requests'] =>
  headers === undefined
    ? requests
    : requests.map((request) => ({ ...request, headers: { ...request.headers, ...headers } }));

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

function findShape(name: string): LoadShape {
  const shape = LOAD_SHAPES.find((candidate) => candidate.name === name);
  if (shape !== undefined) return shape;
  const near = nearestName(name, SHAPE_NAMES);
  throw new ShiploadError(
    'option-invalid',
    `there is no load shape "${name}"${near === undefined ? '' : `; did you mean ${near}?`}`,
    { where: '--shape', hint: `Shapes: ${SHAPE_NAMES.join(', ')}` },
  );
}

/** A target at a load that this plan does not count would be found to be inconclusive only after the run. */
function requireJudgeable(targets: readonly Target[], loadKind: LoadKind, lacksPauses: boolean): void {
  const other = targets.find((target) => target.loadKind !== undefined && target.loadKind !== loadKind);
  if (other?.load === undefined) return;
  const { text, load, loadKind: asked } = other;
  const hint =
    lacksPauses && asked === 'users'
      ? 'Say how users pause (--think 1s..3s), or'
      : 'Give the load that it counts, or';
  throw new ShiploadError(
    'option-invalid',
    `the target "${text}" cannot be judged: the load counts ${LOAD_NOUNS[loadKind]}${lacksPauses ? ', since no think time is known' : ''}`,
    {
      where: '--target',
      hint: `${hint} judge it at ${loadText({ index: 0, [loadKind]: load })}, or without a load of its own.`,
    },
  );
}

const LOAD_NOUNS: Readonly<Record<LoadKind, string>> = {
  users: 'users',
  concurrency: 'workers without think time',
  arrivalRatePerSecond: 'arrivals per second',
};

/** The option that gives loads of a kind. */
const OPTION_OF: Readonly<Record<LoadKind, string>> = {
  users: '--users',
  concurrency: '-c',
  arrivalRatePerSecond: '--rate',
};

function kindOf(shape: LoadShape, { loadKind }: LoadOptions): LoadKind {
  if (loadKind === undefined) return shape.loadKinds[0]!;
  if (shape.loadKinds.includes(loadKind)) return loadKind;
  throw new ShiploadError('option-invalid', `the shape ${shape.name} does not vary ${OPTION_OF[loadKind]}`, {
    where: '--shape',
    hint: `It takes ${shape.loadKinds.map((kind) => OPTION_OF[kind]).join(' or ')}.`,
  });
}

function peakOf(basis: LoadBasis, shape: LoadShape, kind: LoadKind, loads: readonly number[]): number {
  const { activeUsers } = basis;
  const isLadder = shape.loadCount === undefined;
  if (kind === 'users' && activeUsers !== undefined && (isLadder || loads.length === 0))
    return Math.max(1, Math.round(activeUsers));
  if (loads.length > 0) return Math.max(...loads);
  const why = kind === 'users' ? 'nothing tells how many users are usual here, so ' : '';
  const { loadCount, loadKinds } = shape;
  const which = loadCount === undefined ? 'loads' : countText(loadCount, 'load');
  throw new ShiploadError('option-invalid', `${why}the shape ${shape.name} must be given its ${which}`, {
    where: loadKinds.map((one) => OPTION_OF[one]).join(', '),
    hint: `For example ${EXAMPLES[kind][loadCount ?? 'any']} (${shape.summary})`,
  });
}

/** By how many loads a shape takes. */
const EXAMPLES: Readonly<Record<LoadKind, Readonly<Record<number | 'any', string>>>> = {
  users: { any: '--users 1,25,50,100 --think 1s..3s', 1: '--users 50 --think 1s..3s', 2: '--users 50,200' },
  concurrency: { any: '-c 1,2,4,8', 1: '-c 8', 2: '-c 4,16' },
  arrivalRatePerSecond: { any: '--rate 50,100,200', 1: '--rate 50', 2: '--rate 50,200' },
};

/** The loads of a shape that takes a certain number of them; undefined for a ladder. */
function takesExactly(
  shape: LoadShape,
  kind: LoadKind,
  loads: readonly number[],
): readonly number[] | undefined {
  const { loadCount } = shape;
  if (loadCount === undefined) return undefined;
  if (loads.length === loadCount) return loads;
  throw new ShiploadError(
    'option-invalid',
    `the shape ${shape.name} takes ${countText(loadCount, 'load')}, not ${loads.length}`,
    { where: OPTION_OF[kind], hint: shape.summary },
  );
}

function planSteps(shape: LoadShape, options: Parameters<LoadShape['plan']>[0]): LoadPlan['steps'] {
  try {
    return shape.plan(options);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ShiploadError('option-invalid', cause.message, {
      where: '--step, --warmup',
      hint: 'Make the step longer, the warm-up shorter, or let users join faster (--users-per-second).',
      cause,
    });
  }
}
