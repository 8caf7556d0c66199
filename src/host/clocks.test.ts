import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RealClock } from './real-clock.ts';
import { TimerQueue } from './timer-queue.ts';
import { VirtualClock } from './virtual-clock.ts';

test('the queue gives tasks back in order of time, equal times in order of arrival', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (times) => {
      const queue = new TimerQueue();
      const seen: [number, number][] = [];
      for (const [order, time] of times.entries())
        queue.push(time, { onTime: () => seen.push([time, order]) });
      while (queue.size > 0) queue.pop().onTime();
      const expected = times.map((time, order) => [time, order] as [number, number]);
      expected.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      assert.deepEqual(seen, expected);
    }),
    { seed: 3 },
  );
});

test('virtual time jumps from task to task, and never goes back', () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  clock.schedule(5, {
    onTime: () => {
      seen.push(clock.nowSeconds());
      clock.schedule(1, { onTime: () => seen.push(clock.nowSeconds()) });
    },
  });
  clock.schedule(3000, { onTime: () => seen.push(clock.nowSeconds()) });
  clock.run(2999);
  assert.deepEqual(seen, [5, 5]);
  clock.run();
  assert.deepEqual(seen, [5, 5, 3000]);
});

test('the real clock never calls early, calls all, and keeps order', async () => {
  const clock = new RealClock();
  const start = clock.nowSeconds();
  const delays = [0.03, 0.001, 0.0104, 0.0101, 0, 0.02];
  const seen: number[] = [];
  await new Promise<void>((resolve) => {
    for (const delay of delays) {
      clock.schedule(start + delay, {
        onTime: () => {
          assert.ok(clock.nowSeconds() >= start + delay, 'called early');
          seen.push(delay);
          if (seen.length === delays.length) resolve();
        },
      });
    }
  });
  assert.deepEqual(
    seen,
    delays.toSorted((a, b) => a - b),
  );
});
