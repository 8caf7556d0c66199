import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapsOfClient, sessionTotals, sortedGaps } from './sessions.ts';
import { MICROSECONDS, type Steps } from './steps.ts';

/** Steps from pairs of start and end in seconds. */
const steps = (...pairs: readonly (readonly [start: number, end: number])[]): Steps => ({
  starts: Float64Array.from(pairs, ([start]) => start * MICROSECONDS),
  ends: Float64Array.from(pairs, ([, end]) => end * MICROSECONDS),
  requestCount: pairs.length,
  isUnknown: false,
});

const TWO = [steps([10, 10.5], [12, 12.25], [15, 16]), steps([11, 12])];

test('a gap runs from the end of a step to the start of the next of the same client', () => {
  assert.deepEqual([...sortedGaps(TWO, 1800)], [1.5, 2.75]);
});

test('a pause beyond the timeout ends the session and is no think time, one as long does not', () => {
  const client = [steps([0, 1], [61, 62], [122.001, 123])];
  assert.deepEqual([...sortedGaps(client, 60)], [60]);
  const { count, singleStepCount, length, gapSum } = sessionTotals(client, 60, { first: -1e9, last: 1e9 });
  assert.deepEqual(
    [count, singleStepCount, length / MICROSECONDS, gapSum / MICROSECONDS],
    [2, 1, 62 + 0.999, 60],
  );
});

test('sessions near the first or the last moment may go on beyond it', () => {
  const edges = { first: 0, last: 1000 * MICROSECONDS };
  const at = (second: number): Steps => steps([second, second + 1]);
  const { atEdgeCount, count } = sessionTotals([at(5), at(500), at(985)], 60, edges);
  assert.deepEqual([atEdgeCount, count], [2, 3]);
});

test('steps that start before the one before ends overlap, but not within what stamps can tell', () => {
  const client = steps([0, 2], [1, 3], [2.9995, 4]);
  assert.equal(gapsOfClient(client, 60, 0.001).overlapCount, 1);
  assert.equal(gapsOfClient(client, 60, 0).overlapCount, 2);
});
