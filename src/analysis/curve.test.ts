import assert from 'node:assert/strict';
import { test } from 'node:test';
import { condensed, MOST_POINTS } from './curve.ts';

const line = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    load: i + 1,
    throughputPerSecond: 3 * (i + 1),
    standardErrorPerSecond: 2,
  }));

test('a curve of few points stays as it is', () => {
  const points = line(MOST_POINTS);
  assert.equal(condensed(points), points);
});

test('a long line keeps its slope, every point counted once, and gains precision by √n', () => {
  const points = condensed(line(16 * MOST_POINTS));
  assert.equal(points.length, MOST_POINTS);
  for (const { load, throughputPerSecond, standardErrorPerSecond } of points) {
    assert.ok(Math.abs(throughputPerSecond - 3 * load) < 1e-9);
    assert.ok(Math.abs(standardErrorPerSecond! - 2 / 4) < 1e-9);
  }
  assert.equal(points[0]!.load, 8.5);
});
