import type { Step } from '../../model/load.ts';
import type { LoadShape, ShapeOptions } from './shape.ts';

/**
 * A staircase of users (or workers): each step runs `stepSeconds`, of which the warm-up is not measured. Users
 * stay from step to step and new ones join at `usersPerSecond`; a step's warm-up is at least as long as its
 * joining, so that the measured window always sees all of them.
 */
export const steps: LoadShape = {
  name: 'steps',
  summary: 'a staircase of users, each step measured after its warm-up; the first is the baseline',
  plan,
};

function plan(options: ShapeOptions): readonly Step[] {
  let usersBefore = 0;
  return options.loads.map((users, index) => {
    const joining =
      options.usersPerSecond === undefined ? 0 : Math.max(0, users - usersBefore) / options.usersPerSecond;
    usersBefore = users;
    const noun = options.thinkTime === undefined ? 'worker' : 'user';
    const label = `${users} ${noun}${users === 1 ? '' : 's'}`;
    const warmupSeconds = Math.max(options.warmupSeconds, joining);
    const measureSeconds = options.stepSeconds - warmupSeconds;
    if (!(measureSeconds >= 1)) {
      throw new RangeError(
        `the step of ${label} leaves nothing to measure: ${options.stepSeconds} s less ` +
          `${warmupSeconds.toFixed(1)} s of warm-up and joining; at least 1 s is needed`,
      );
    }
    return { index, label, driver: { kind: 'closed', users }, warmupSeconds, measureSeconds };
  });
}
