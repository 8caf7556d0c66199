import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGeometric, linearScale, logScale, roundTicks } from './scale.ts';

const ticks: readonly [string, number, number, readonly number[]][] = [
  ['ticks are round and go beyond the maximum', 132, 6, [0, 50, 100, 150]],
  ['ticks of a tenth stay exact decimals', 0.48, 6, [0, 0.1, 0.2, 0.3, 0.4, 0.5]],
  ['a maximum on a tick is the last tick', 100, 6, [0, 20, 40, 60, 80, 100]],
  ['nothing measured still has an axis', 0, 6, [0, 1]],
];
for (const [title, max, most, expected] of ticks)
  test(title, () => assert.deepEqual(roundTicks(max, most), expected));

test('a linear scale puts zero and the last tick at the ends', () => {
  const scale = linearScale(132, [200, 0]);
  assert.deepEqual([0, 75, 150].map(scale.at), [200, 100, 0]);
});

test('a logarithmic scale puts equal ratios equally far', () => {
  const scale = logScale([1, 4, 16], [0, 100]);
  assert.deepEqual(
    [1, 4, 16].map((value) => Math.round(scale.at(value))),
    [0, 50, 100],
  );
});

test('doubling workers are a geometric ladder, users in steps of fifty are not', () => {
  assert.equal(isGeometric([1, 2, 4, 8, 16]), true);
  assert.equal(isGeometric([1, 25, 50, 100, 150, 200, 250, 300]), false);
});
