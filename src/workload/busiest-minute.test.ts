import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tableOf } from '../../test/support/log-table.ts';
import { buildWorkload } from './build-workload.ts';

test('the busiest minute is never below the mean rate, whatever part of the clock the log covers', () => {
  const seconds = fc.double({ min: 1, max: 400, noNaN: true });
  fc.assert(
    fc.property(fc.nat(59), seconds, fc.integer({ min: 2, max: 300 }), (lead, span, count) => {
      const at = (index: number): number => 1_796_000_040 + lead + (index * span) / (count - 1);
      const table = tableOf(Array.from({ length: count }, (_, index) => ({ at: at(index), target: '/' })));
      const { busiestMinutePerSecond, throughputPerSecond } = buildWorkload(table, { window: 'all' });
      assert.ok(busiestMinutePerSecond >= throughputPerSecond);
    }),
    { seed: 7, numRuns: 200 },
  );
});

test('a minute that the log covers in part counts with that part, a moment at its end as a whole one', () => {
  const busiest = (times: readonly number[]): number =>
    buildWorkload(tableOf(times.map((at) => ({ at, target: '/' }))), { window: 'all' })
      .busiestMinutePerSecond;
  const steady = Array.from({ length: 401 }, (_, index) => 1_796_000_060 + index / 10);
  assert.equal(1_796_000_040 % 60, 0);
  assert.ok(Math.abs(busiest(steady) - 10) < 0.05);
  const withBurst = [
    ...Array.from({ length: 61 }, (_, index) => 1_796_000_040 + index),
    ...Array.from({ length: 100 }, () => 1_796_000_100.5),
  ];
  // 101 in the last half second: as of a whole minute they are 1.7/s, and the mean is 161 in 60.5 s.
  assert.equal(busiest(withBurst).toFixed(2), (161 / 60.5).toFixed(2));
});
