import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../host/host.ts';
import { BATCH_CONNECTION_LIMIT, BatchClock } from './batch-clock.ts';

/** A clock that counts its readings: the n-th is n. */
function countingClock(): Clock {
  let readings = 0;
  return { nowSeconds: () => ++readings, schedule: () => {}, catchUp: () => {} };
}

const reads = (clock: BatchClock, count: number, connections = 64): readonly number[] =>
  Array.from({ length: count }, () => clock.nowSeconds(connections));
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the reads of one turn of the event loop share the time of the first, those of the next have their own', async () => {
  const clock = new BatchClock(countingClock());
  assert.deepEqual(reads(clock, 5), [1, 1, 1, 1, 1]);
  await nextTurn();
  assert.deepEqual(reads(clock, 4), [2, 2, 2, 2]);
  await nextTurn();
  assert.deepEqual(reads(clock, 1), [3]);
});

test('beyond the connections for which a shared time is safe every read has its own', async () => {
  const clock = new BatchClock(countingClock());
  assert.deepEqual(reads(clock, 3, BATCH_CONNECTION_LIMIT + 1), [1, 2, 3]);
  await nextTurn();
  assert.deepEqual(reads(clock, 3, BATCH_CONNECTION_LIMIT), [4, 4, 4]);
});

test('after a turn with few reads the next 32 have a time of their own, then a batch is tried again', async () => {
  const clock = new BatchClock(countingClock());
  assert.deepEqual(reads(clock, 3), [1, 1, 1]);
  await nextTurn();
  assert.deepEqual(
    reads(clock, 32),
    Array.from({ length: 32 }, (_, i) => i + 2),
  );
  assert.deepEqual(reads(clock, 3), [34, 34, 34]);
});
