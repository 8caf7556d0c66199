import type { Notice } from '../model/notice.ts';

/** What the gate looks at in one step; missing terms are not judged. */
export interface StepCondition {
  /** N of a closed step. */
  readonly users?: number;
  /** ∫ in-flight dt/T and ∫ thinking dt/T. */
  readonly meanInFlight?: number;
  readonly meanThinking?: number;
  /** (X(R+Z) − N)/N over everything that ended. */
  readonly littleResidualRatio?: number;
  readonly completionCount?: number;
  /** Open steps: what came, sent or dropped, against what was asked for. */
  readonly arrivals?: {
    readonly offeredCount: number;
    readonly ratePerSecond: number;
    readonly windowSeconds: number;
    readonly kind: 'poisson' | 'constant' | 'log';
  };
  /** Missing where nobody counted errors. */
  readonly errorRatio?: number;
  readonly generatorRatio?: number;
  /** Where several workers made the load: one at its limit is enough to spoil the step. */
  readonly generatorWorkers?: readonly { readonly name: string; readonly utilizationRatio: number }[];
}

const INTEGRAL_TOLERANCE = 0.001;
const LITTLE_TOLERANCE = 0.03;
const RATE_TOLERANCE = 0.01;
/** Arrivals that may fall to either side of the two edges of a window. */
const EDGE_ARRIVALS = 2;
/** Standard deviations of a Poisson count. */
const POISSON_DEVIATIONS = 4;
export const GENERATOR_LIMIT = 0.8;
export const ERROR_LIMIT = 0.01;

const percent = (ratio: number): string => `${(100 * ratio).toPrecision(3).replace('-', '−')} %`;

/** How far X(R+Z) may lie from N: max(3 %, 1.5·√N/C) of N, C completions. */
export const littleTolerance = (users: number, completionCount: number): number =>
  Math.max(LITTLE_TOLERANCE, (1.5 * Math.sqrt(users)) / completionCount);

/** Why a step cannot be used, as red flags, and what is doubtful about it, as warnings. No red flag: valid. */
export function examineStep(step: StepCondition): Notice[] {
  const checks = [usersMissing, rateMissed, littleBroken, generatorBound, manyErrors];
  return checks.map((check) => check(step)).filter((notice) => notice !== undefined);
}

function usersMissing({ users, meanInFlight, meanThinking }: StepCondition): Notice | undefined {
  if (users === undefined || meanInFlight === undefined || meanThinking === undefined) return undefined;
  const sum = meanInFlight + meanThinking;
  if (Math.abs(sum - users) <= INTEGRAL_TOLERANCE * users) return undefined;
  return {
    code: 'load-not-reached',
    severity: 'red-flag',
    message: `${sum.toPrecision(5)} users were in flight or thinking on average, not ${users}`,
    advice: 'give users longer to join (warm-up), or look for users that are stuck',
  };
}

/** |n − λT| beyond max(1 % of λT, two arrivals, and for Poisson arrivals four standard deviations √(λT)). */
function rateMissed({ arrivals }: StepCondition): Notice | undefined {
  if (arrivals === undefined) return undefined;
  const { offeredCount, ratePerSecond, windowSeconds, kind } = arrivals;
  const expected = ratePerSecond * windowSeconds;
  const chance = kind === 'poisson' ? POISSON_DEVIATIONS * Math.sqrt(expected) : 0;
  if (Math.abs(offeredCount - expected) <= Math.max(RATE_TOLERANCE * expected, EDGE_ARRIVALS + chance))
    return undefined;
  return {
    code: 'load-not-reached',
    severity: 'red-flag',
    message: `${(offeredCount / windowSeconds).toPrecision(4)} requests came a second, not ${ratePerSecond}`,
    advice: 'the generator did not keep the rate: see its own load and schedule lag, or ask for less',
  };
}

function littleBroken({ users, littleResidualRatio, completionCount }: StepCondition): Notice | undefined {
  if (users === undefined || littleResidualRatio === undefined) return undefined;
  const allowed = littleTolerance(users, completionCount ?? Infinity);
  if (Math.abs(littleResidualRatio) <= allowed) return undefined;
  return {
    code: 'little-law-broken',
    severity: 'red-flag',
    message: `X(R+Z) differs from N = ${users} by ${percent(littleResidualRatio)}, more than ${percent(allowed)}`,
    advice: 'the step was not steady: warm up longer, and measure over many cycles of R+Z',
  };
}

function generatorBound({ generatorRatio = 0, generatorWorkers = [] }: StepCondition): Notice | undefined {
  const saturated = generatorWorkers.filter((worker) => worker.utilizationRatio >= GENERATOR_LIMIT);
  if (generatorRatio < GENERATOR_LIMIT && saturated.length === 0) return undefined;
  const which = saturated.map((worker) => `${worker.name} ${percent(worker.utilizationRatio)}`).join(', ');
  return {
    code: 'generator-bound',
    severity: 'red-flag',
    message:
      which === ''
        ? `the load generator was busy for ${percent(generatorRatio)} of its cores`
        : `of the load generator's threads these were busy for 80 % of a core or more: ${which}`,
    advice: 'run the generator on another machine or give it more cores',
  };
}

function manyErrors({ errorRatio }: StepCondition): Notice | undefined {
  if (errorRatio === undefined || errorRatio < ERROR_LIMIT) return undefined;
  return {
    code: 'errors-over-limit',
    severity: 'warning',
    message: `${percent(errorRatio)} of the requests failed: throughput and demand here are of the successes only`,
    advice: 'look at the errors before reading anything into response times',
  };
}
