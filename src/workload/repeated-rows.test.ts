import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopingUser, tableOf, type MadeRequest } from '../../test/support/log-table.ts';
import { buildWorkload } from './build-workload.ts';

const users = Array.from({ length: 20 }, (_, index) =>
  loopingUser(`u${index}`, { seconds: 0.1, pause: 5, span: 600, seed: 40 + index }),
).flat();
/** A program that asks for the same page several times a second, stamped to the second. */
const beats = Array.from({ length: 3000 }, (_, index) => ({ at: Math.floor(index / 5), client: 'p' }));

const noticeOf = (requests: readonly MadeRequest[]): string | undefined =>
  buildWorkload(tableOf(requests), { window: 'all' }).warnings.find(
    ({ code }) => code === 'requests-repeated',
  )?.message;

test('a log whose every request stands in it twice says so', () => {
  assert.match(noticeOf([...users, ...users])!, /2 times/);
  assert.match(noticeOf([...users, ...users, ...users])!, /3 times/);
});

test('a log with few equal requests says nothing', () => {
  assert.equal(noticeOf(users), undefined);
  assert.equal(noticeOf([...users, ...users.slice(0, 500)]), undefined);
});

test('one program that repeats itself within a stamp is no log given twice, if others do not', () => {
  assert.equal(noticeOf([...users, ...beats.slice(0, 1000)]), undefined);
});
