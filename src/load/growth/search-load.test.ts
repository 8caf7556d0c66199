import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LoadTrial } from '../../model/shape-result.ts';
import { nextSearchLoad, searchResult, type SearchRules } from './search-load.ts';

const RULES: SearchRules = {
  kind: 'search',
  precisionRatio: 0.05,
  confidenceRatio: 0.95,
  longestRepeat: 3,
  highestLoad: 10_000,
  mostSteps: 40,
};

/** Runs a search on a service whose loads pass up to `border`, each verdict as sure as `surenessAt` says. */
function searchFor(border: number, first: number, isCount: boolean, surenessAt = (_load: number) => 1) {
  const trials = new Map<number, LoadTrial>();
  const order: number[] = [];
  for (let load: number | undefined = first; load !== undefined;) {
    order.push(load);
    const sureness = surenessAt(load);
    const passes = load <= border;
    const stepCount = (trials.get(load)?.stepCount ?? 0) + 1;
    trials.set(load, { load, stepCount, passes, passProbability: passes ? sureness : 1 - sureness });
    load = nextSearchLoad({ trials: [...trials.values()], stepCount: order.length, isCount }, RULES);
  }
  return {
    order,
    result: searchResult({ trials: [...trials.values()], stepCount: order.length, isCount }, RULES),
  };
}

test('up by ×1.5 while loads pass, then the middle of the border until it is narrow', () => {
  const { order, result } = searchFor(100, 40, false);
  assert.deepEqual(order, [40, 60, 90, 135, 110, 99.5, 105, 102]);
  assert.deepEqual([result.highestPassing, result.lowestFailing], [99.5, 102]);
  assert.deepEqual([result.borderLow! > 99, result.borderHigh! < 103], [true, true]);
});

test('users are whole: the search ends at neighbours', () => {
  const { result } = searchFor(7, 2, true);
  assert.deepEqual([result.highestPassing, result.lowestFailing], [7, 8]);
  assert.deepEqual([result.borderLow, result.borderHigh], [7, 8]);
});

test('a search that begins too high goes down', () => {
  const { order } = searchFor(50, 200, false);
  assert.ok(order[1]! < 200 && order[2]! < order[1]!);
});

test('wherever the border lies, the search encloses it within the precision asked for', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 3, max: 5000, noNaN: true }),
      fc.integer({ min: 2, max: 100 }),
      fc.boolean(),
      (border, first, isCount) => {
        const { result } = searchFor(border, first, isCount);
        const [low, high] = [result.highestPassing!, result.lowestFailing!];
        assert.ok(low <= border && high > border, `${low}, ${border}, ${high}`);
        assert.ok(high <= low * 1.05 || (isCount && high === low + 1));
      },
    ),
    { seed: 7, numRuns: 300 },
  );
});

test('a load at the border whose verdict is not sure is repeated up to three times, and the range says so', () => {
  const { order, result } = searchFor(100, 90, false, (load) => (load === 99.5 ? 0.8 : 1));
  assert.equal(order.filter((load) => load === 99.5).length, 3);
  assert.equal(result.confidenceRatio, 0.9);
  // 90 passes and 102 fails for certain; 99.5 passes at odds of four to one.
  const [left, right] = [0.2 * Math.log(99.5 / 90), 0.8 * Math.log(102 / 99.5)];
  const total = left + right;
  const low = 90 * (99.5 / 90) ** ((0.05 * total) / left);
  const high = 102 / (102 / 99.5) ** ((0.05 * total) / right);
  assert.ok(Math.abs(result.borderLow! / low - 1) < 1e-4, `${result.borderLow}, ${low}`);
  assert.ok(Math.abs(result.borderHigh! / high - 1) < 1e-4, `${result.borderHigh}, ${high}`);
  assert.match(
    result.reason,
    /99\.5 passes with margin, 102 does not; with 90 % confidence the border lies between 90\.\d+ and 102/,
  );
});

test('nothing passes, everything passes, the generator is the limit: each is said', () => {
  assert.match(searchFor(0.001, 100, false).result.reason, /no load passes/);
  assert.equal(searchFor(0, 4, true).result.lowestFailing, 1);
  const open = searchFor(1e9, 100, false).result;
  assert.match(open.reason, /every load passes, up to 10000; with 90 % confidence the border lies above \d/);
  assert.equal(open.borderHigh, undefined);
  const trials: LoadTrial[] = [
    { load: 100, stepCount: 1, passes: true, passProbability: 1 },
    { load: 150, stepCount: 1, passes: false, passProbability: 0.5, blocked: 'the generator was busy' },
  ];
  const state = { trials, stepCount: 2, isCount: false };
  assert.equal(nextSearchLoad(state, RULES), undefined);
  assert.match(
    searchResult(state, RULES).reason,
    /100 passes.*; at 150 the search ended: the generator was busy/,
  );
});
