import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { createCpuRefinement } from './cpu-refinement.ts';

const TICK = 0.01;
const floorToTick = (seconds: number): number => Math.floor(seconds / TICK + 1e-9) * TICK;

/** What the kernel would print for a process with these user and system seconds. */
const ticks = (user: number, system: number): number => floorToTick(user) + floorToTick(system);

test('while threads stay the estimate is exact, far below a tick', () => {
  const refinement = createCpuRefinement(TICK);
  let user = 0;
  let system = 0;
  for (let i = 0; i < 2000; i += 1) {
    user += 0.00137;
    system += 0.00041;
    const estimate = refinement.estimate(ticks(user, system), user + system);
    assert.ok(Math.abs(estimate - (user + system)) < 1e-6, `${estimate} for ${user + system}`);
  }
});

test('whatever threads come and go, the estimate stays within two ticks of the truth and never falls', () => {
  const step = fc.record({
    userSeconds: fc.double({ min: 0, max: 0.05, noNaN: true }),
    systemSeconds: fc.double({ min: 0, max: 0.05, noNaN: true }),
    /** Run time of the threads that ended in the step, as a share of what still lived. */
    endedRatio: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const refinement = createCpuRefinement(TICK);
      let [user, system, live, last] = [0, 0, 0, 0];
      for (const { userSeconds, systemSeconds, endedRatio } of steps) {
        user += userSeconds;
        system += systemSeconds;
        live = (live + userSeconds + systemSeconds) * (1 - endedRatio);
        const estimate = refinement.estimate(ticks(user, system), live);
        assert.ok(Math.abs(estimate - (user + system)) <= 2 * TICK + 1e-6);
        assert.ok(estimate >= last);
        last = estimate;
      }
    }),
    { seed: 7, numRuns: 200 },
  );
});

test('where the kernel keeps no run times the ticks are the answer', () => {
  const refinement = createCpuRefinement(TICK);
  for (const seconds of [0, 0.01, 0.05, 1.23]) assert.equal(refinement.estimate(seconds, 0), seconds);
});
