import type { Experiment } from '../model/analysis.ts';
import type { Driver, LoadPlan, PlannedRequest, Step } from '../model/load.ts';

const WARMUP_SHARE = 0.25;
/** Of the arrivals, for a light load without users. */
const LIGHT_SHARE = 0.1;

/**
 * The plan of one experiment: a single step made from the step it starts from, `seconds` long, a quarter of them
 * unmeasured. Undefined where it cannot be made: a route that is not in the plan, or is all of it.
 */
export function experimentPlan(
  plan: LoadPlan,
  from: Step,
  { kind, route }: Pick<Experiment, 'kind' | 'route'>,
  seconds: number,
): LoadPlan | undefined {
  const requests = kind === 'leave-out-route' ? without(plan.requests, route) : plan.requests;
  if (requests === undefined) return undefined;
  const keptShare = requests === plan.requests ? 1 : shareOf(requests);
  const warmupSeconds = seconds * WARMUP_SHARE;
  return {
    ...plan,
    seed: plan.seed + 1,
    requests: requests.map((one) => ({ ...one, shareRatio: one.shareRatio / keptShare })),
    steps: [
      {
        index: 0,
        label: kind,
        driver: scaled(from.driver, kind, keptShare),
        warmupSeconds,
        measureSeconds: seconds - warmupSeconds,
      },
    ],
  };
}

function without(
  requests: readonly PlannedRequest[],
  route: string | undefined,
): readonly PlannedRequest[] | undefined {
  const kept = requests.filter((one) => one.route !== route && one.id !== route);
  return kept.length === 0 || kept.length === requests.length ? undefined : kept;
}

const shareOf = (requests: readonly PlannedRequest[]): number =>
  requests.reduce((sum, { shareRatio }) => sum + shareRatio, 0);

/** A route that is left out takes its users along, so that the others keep their rates. */
function scaled(driver: Driver, kind: Experiment['kind'], keptShare: number): Driver {
  const factor = kind === 'double-load' ? 2 : keptShare;
  if (driver.kind === 'open') {
    const arrivalRatePerSecond = driver.arrivalRatePerSecond * (kind === 'light-load' ? LIGHT_SHARE : factor);
    return { ...driver, arrivalRatePerSecond };
  }
  return { ...driver, users: kind === 'light-load' ? 1 : Math.max(1, Math.round(driver.users * factor)) };
}
