import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../stats/random.ts';
import { sentSessions } from './sent-sessions.ts';
import { sessionSizes } from './sessions.ts';

/** Steps of one client at these starts, in seconds, each half a second long. */
const stepsAt = (...starts: number[]) => ({
  starts: Float64Array.from(starts, (at) => at * 1e6),
  ends: Float64Array.from(starts, (at) => (at + 0.5) * 1e6),
  requestCount: starts.length,
  isUnknown: false,
});

test('sessions are counted by their steps, and a pause as long as the timeout does not end one', () => {
  const clients = [stepsAt(0, 60.5, 300), stepsAt(0, 10, 20), stepsAt(5)];
  assert.deepEqual(sessionSizes(clients, 60), [
    { stepCount: 1, sessionCount: 2 },
    { stepCount: 2, sessionCount: 1 },
    { stepCount: 3, sessionCount: 1 },
  ]);
});

test('of many sizes neighbours are put together, and sessions and steps are as many', () => {
  const clients = Array.from({ length: 450 }, (_, index) =>
    stepsAt(...Array.from({ length: index + 1 }, (_, step) => step)),
  );
  const sizes = sessionSizes(clients, 60);
  assert.ok(sizes.length <= 200);
  const total = (of: (size: (typeof sizes)[number]) => number): number =>
    Math.round(sizes.reduce((sum, size) => sum + of(size), 0));
  assert.equal(
    total(({ sessionCount }) => sessionCount),
    450,
  );
  assert.equal(
    total(({ stepCount, sessionCount }) => stepCount * sessionCount),
    (450 * 451) / 2,
  );
});

test('a session lasts its cycles less the pause behind its last request', () => {
  const sent = { cycleSeconds: [5, 6, 7, 8, 9], pauseSeconds: [4, 5, 6, 7, 8] };
  const { requestCounts, lengthSeconds } = sentSessions(
    sent,
    [{ stepCount: 2, sessionCount: 3 }],
    createRandom(1),
  );
  // The fifth request has no second one: its session is left out.
  assert.deepEqual(requestCounts, [2, 2]);
  assert.deepEqual(lengthSeconds, [5 + 6 - 5, 7 + 8 - 7]);
});

test('a size that is a mean is drawn as the whole numbers about it', () => {
  const count = 30_000;
  const sent = { cycleSeconds: Array(count).fill(1), pauseSeconds: Array(count).fill(0.5) };
  const { requestCounts } = sentSessions(sent, [{ stepCount: 2.25, sessionCount: 1 }], createRandom(4));
  const mean = requestCounts.reduce((sum, size) => sum + size, 0) / requestCounts.length;
  // Twelve thousand draws with a deviation of √(¼·¾) = 0.43: three standard errors.
  assert.ok(Math.abs(mean - 2.25) < (3 * 0.43) / Math.sqrt(12_000));
  assert.deepEqual([...new Set(requestCounts)].sort(), [2, 3]);
});
