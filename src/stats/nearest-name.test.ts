import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearestName } from './nearest-name.ts';

test('edit distances of well-known pairs', () => {
  const pairs = [
    ['kitten', 'sitting', 3],
    ['saturday', 'sunday', 3],
    ['', 'abc', 3],
    ['same', 'same', 0],
  ] as const;
  for (const [a, b, distance] of pairs) assert.equal(editDistance(a, b), distance, `${a} → ${b}`);
});

test('the nearest name is offered only where it is near', () => {
  assert.equal(nearestName('throughputPerSec', ['throughputPerSecond', 'errorCount']), 'throughputPerSecond');
  assert.equal(nearestName('xyz', ['throughputPerSecond']), undefined);
  assert.equal(nearestName('x', []), undefined);
});
