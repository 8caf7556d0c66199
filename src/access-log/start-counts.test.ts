import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { StartCounts } from './start-counts.ts';

/** The first start and size of the fullest [t, t + length) that begins at a start, by trying all. */
function fullest(starts: readonly number[], length: number): readonly [from: number, count: number] {
  const sorted = [...starts].sort((a, b) => a - b);
  return sorted
    .map((from) => [from, sorted.filter((start) => start >= from && start < from + length).length] as const)
    .reduce((best, next) => (next[1] > best[1] ? next : best));
}

const start = fc.oneof(
  fc.integer({ min: 1_796_000_000_000, max: 1_796_000_900_000 }).map((ms) => ms / 1000),
  fc.integer({ min: 1_796_000_000, max: 1_796_000_060 }),
);

function checkKept(all: readonly number[], length: number): void {
  const counts = new StartCounts();
  for (const at of all) counts.add(at);
  const kept = counts.fullestStretches(length);
  const rows = all.filter((at) => kept.has(at));
  assert.deepEqual(fullest(rows, length), fullest(all, length));
  assert.equal(Math.min(...rows), Math.min(...all));
  assert.equal(Math.max(...rows), Math.max(...all));
  for (const at of rows) assert.ok(kept.hasBetween(at, at));
}

test('the kept starts hold the fullest window that all starts have, and the span of the log', () => {
  fc.assert(
    fc.property(fc.array(start, { minLength: 1, maxLength: 60 }), fc.constantFrom(5, 30.5, 300), checkKept),
    { seed: 3, numRuns: 200 },
  );
});

test('a log with stamps a century apart makes longer buckets, not more', () => {
  checkKept([1_796_000_000, 1_796_000_004, 0, 4e9, 1_796_000_900.5], 300);
});

test('what lies outside the fullest stretch is not kept', () => {
  const counts = new StartCounts();
  const at = (second: number): number => 1_796_000_000 + second;
  for (let second = 0; second < 10_000; second += 1)
    for (let n = 0; n < (second >= 4000 && second < 4900 ? 3 : 1); n += 1) counts.add(at(second));
  const kept = counts.fullestStretches(900);
  assert.deepEqual(
    [at(0), at(100), at(3990), at(4000), at(4899), at(4910), at(9000), at(9999)].map((s) => kept.has(s)),
    [true, false, false, true, true, false, false, true],
  );
  assert.equal(kept.hasBetween(at(10), at(3900)), false);
  assert.equal(kept.hasBetween(at(10), at(4100)), true);
});

test('a stretch that is named keeps its starts', () => {
  const counts = new StartCounts();
  for (const at of [100.5, 200.5, 300.5, 400.5]) counts.add(at);
  const kept = counts.stretch(200, 301);
  assert.deepEqual(
    [100.5, 150, 200.5, 300.5, 350, 400.5].map((at) => kept.has(at)),
    [true, false, true, true, false, true],
  );
});
