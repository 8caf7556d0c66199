import type { LoadPlan, Step } from '../../model/load.ts';
import type { StepMeasurement } from '../../model/measurement.ts';
import type { LoadKind } from '../../stats/wording.ts';
import { loadLabel } from '../shapes/shape.ts';

/** A backlog drains more slowly than it did on average. */
const REST_SLACK = 1.5;
/** What drains sooner than this needs no rest: the warm-up sees to it. */
const SHORTEST_REST_SECONDS = 0.5;
/** A rest is at most so many times as long as the step before it. */
const LONGEST_REST_SHARE = 3;

export const loadOfDriver = ({ driver }: Pick<Step, 'driver'>): number =>
  driver.kind === 'closed' ? driver.users : driver.arrivalRatePerSecond;

/** What the loads of a plan count. */
export function loadKindOf(plan: Pick<LoadPlan, 'steps' | 'thinkTimeSeconds'>): LoadKind {
  if (plan.steps[0]?.driver.kind === 'open') return 'arrivalRatePerSecond';
  return plan.thinkTimeSeconds === undefined ? 'concurrency' : 'users';
}

/**
 * A further step of a plan at `load`, else like its last planned one. Users who join need their time, and after an
 * open step that left a backlog nothing is sent until it has drained: L/X seconds for L requests in flight at a
 * throughput of X, half as long again to be safe.
 */
export function grownStep(plan: LoadPlan, load: number, before: StepMeasurement): Step {
  const model = plan.steps[0]!;
  const { usersPerSecond } = plan;
  const joining =
    usersPerSecond === undefined ? 0 : Math.max(0, load - loadOfDriver(before.step)) / usersPerSecond;
  const restSeconds = model.driver.kind === 'open' ? drainSeconds(before) * REST_SLACK : 0;
  return {
    index: before.step.index + 1,
    label: loadLabel(load, loadKindOf(plan)),
    driver:
      model.driver.kind === 'closed'
        ? { kind: 'closed', users: load }
        : { ...model.driver, arrivalRatePerSecond: load },
    ...(restSeconds > SHORTEST_REST_SECONDS && { restSeconds }),
    warmupSeconds: Math.max(model.warmupSeconds, joining),
    measureSeconds: model.measureSeconds,
  };
}

/** How long the requests in flight at the end of a step take to be answered at its throughput. */
function drainSeconds({ slices, completionCount, windowSeconds }: StepMeasurement): number {
  const inFlight = slices.at(-1)?.meanInFlight ?? 0;
  const longest = LONGEST_REST_SHARE * windowSeconds;
  return completionCount === 0 ? 0 : Math.min(longest, inFlight / (completionCount / windowSeconds));
}
