import { ShiploadError } from '../errors.ts';
import type { ErrorStop, Growth, LoadPlan, SafetyLimits } from '../model/load.ts';

/** What may be asked of a service of this machine, and of one elsewhere, where nobody says more. */
const DEFAULT_CEILINGS = {
  own: { maxUsers: 20_000, maxRatePerSecond: 200_000 },
  elsewhere: { maxUsers: 1000, maxRatePerSecond: 1000 },
} as const;

/** When a run ends by itself, where nobody says otherwise. */
export const DEFAULT_ERROR_STOP: ErrorStop = { ratio: 0.5, seconds: 10 };

/** What the caller asked for; missing: the defaults of the place. */
export interface SafetyRequest {
  readonly maxUsers?: number;
  readonly maxRatePerSecond?: number;
  readonly stopOnErrors?: ErrorStop | 'off';
}

/** What the place grants: a rate that was allowed cannot be raised by an option. */
export interface Grant {
  readonly isOwn: boolean;
  readonly ratePerSecond?: number;
  /** ISO; the last moment at which load may be there. */
  readonly until?: string;
}

/** The ceilings of a run: asked for or default, and never above what was granted. */
export function safetyLimits(asked: SafetyRequest, grant: Grant): SafetyLimits {
  const usual = grant.isOwn ? DEFAULT_CEILINGS.own : DEFAULT_CEILINGS.elsewhere;
  return {
    maxUsers: asked.maxUsers ?? usual.maxUsers,
    maxRatePerSecond: Math.min(
      asked.maxRatePerSecond ?? grant.ratePerSecond ?? usual.maxRatePerSecond,
      grant.ratePerSecond ?? Infinity,
    ),
    ...(asked.stopOnErrors !== 'off' && { stopOnErrors: asked.stopOnErrors ?? DEFAULT_ERROR_STOP }),
  };
}

/**
 * The plan under its ceilings. Throws `option-invalid` where a step asks for more users or a higher rate. What the
 * users of a closed step really send is held to the rate while the plan runs.
 */
export function withinLimits(plan: LoadPlan, safety: SafetyLimits): LoadPlan {
  for (const { driver, label } of plan.steps) {
    if (driver.kind === 'closed' && driver.users > safety.maxUsers)
      throw tooMuch(label, 'users', safety.maxUsers, '--max-users');
    if (driver.kind === 'open' && driver.arrivalRatePerSecond > safety.maxRatePerSecond)
      throw tooMuch(label, 'requests a second', safety.maxRatePerSecond, '--max-rate');
  }
  return {
    ...plan,
    ...(plan.growth !== undefined && { growth: grownWithin(plan, plan.growth, safety) }),
    safety,
  };
}

/** A plan that grows stops at the ceiling of what it grows in. */
function grownWithin({ steps }: LoadPlan, growth: Growth, safety: SafetyLimits): Growth {
  const ceiling = steps[0]?.driver.kind === 'open' ? safety.maxRatePerSecond : safety.maxUsers;
  return { ...growth, highestLoad: Math.min(growth.highestLoad, ceiling) };
}

function tooMuch(label: string, what: string, ceiling: number, option: string): ShiploadError {
  return new ShiploadError(
    'option-invalid',
    `the step "${label}" is over the ceiling of ${ceiling} ${what}`,
    {
      where: option,
      hint: `Ask for less, or raise the ceiling with ${option}; the rate of an allow entry is raised with shipload allow only.`,
    },
  );
}

/** Planned seconds from the first request to the last step's end. */
export const plannedSeconds = (plan: LoadPlan): number =>
  plan.steps.reduce((sum, step) => sum + step.warmupSeconds + step.measureSeconds, 0);
