import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame } from '../model/measurement.ts';
import { ErrorWatch } from './error-watch.ts';

type Second = readonly [ok: number, errors: number, timeouts?: number];

/** The second after which the watch first speaks, counted from 1; undefined when it never does. */
function speaksAfter(seconds: readonly Second[], limit = { ratio: 0.5, seconds: 10 }): number | undefined {
  const watch = new ErrorWatch(limit);
  const index = seconds.findIndex(([okCount, errorCount, timeoutCount = 0], i) =>
    watch.exceeds({
      startedAtSeconds: i,
      endedAtSeconds: i + 1,
      routes: [{ okCount, errorCount, timeoutCount, droppedCount: 900 }],
    } as unknown as Frame),
  );
  return index < 0 ? undefined : index + 1;
}

const repeat = (count: number, second: Second): readonly Second[] =>
  Array.from({ length: count }, () => second);

const cases: readonly [title: string, seconds: readonly Second[], expected: number | undefined][] = [
  ['all fail from the start: after ten seconds, not before', repeat(30, [0, 9]), 10],
  ['half fail: half is not over half', repeat(30, [50, 50]), undefined],
  [
    'all fail after a good start: once six bad seconds outweigh four good',
    [...repeat(20, [10, 0]), ...repeat(20, [0, 10])],
    26,
  ],
  [
    'a burst of three seconds is survived',
    [...repeat(20, [10, 0]), ...repeat(3, [0, 10]), ...repeat(20, [10, 0])],
    undefined,
  ],
  ['timeouts count as failures', repeat(12, [1, 0, 9]), 10],
  ['nine requests say nothing', [...repeat(9, [0, 1]), ...repeat(20, [0, 0])], undefined],
];
for (const [title, seconds, expected] of cases)
  test(title, () => assert.equal(speaksAfter(seconds), expected));

test('a share and a time of the user’s', () =>
  assert.equal(speaksAfter(repeat(9, [8, 2]), { ratio: 0.1, seconds: 3 }), 3));

test('switched off it never speaks', () => {
  const watch = new ErrorWatch(undefined);
  assert.equal(watch.exceeds({ routes: [] } as unknown as Frame), false);
});
