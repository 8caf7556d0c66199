import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgeValue, neededWithMargin } from './margin.ts';

const CASES: readonly (readonly [string, readonly unknown[], string])[] = [
  ['105 ms fails a limit of 100 ms', [0.105, '<=', 0.1, 0.1], 'fail'],
  ['exactly the limit has no margin', [0.1, '<=', 0.1, 0.1], 'no-margin'],
  ['91 ms has no margin', [0.091, '<=', 0.1, 0.1], 'no-margin'],
  ['exactly 90 ms passes 100 ms', [0.09, '<=', 0.1, 0.1], 'pass'],
  ['exactly 63 % passes 70 %', [0.63, '<=', 0.7, 0.1], 'pass'],
  [
    'an interval that reaches beyond the limit has no margin',
    [0.08, '<=', 0.1, 0.1, [0.07, 0.11]],
    'no-margin',
  ],
  ['an interval inside the limit passes', [0.08, '<=', 0.1, 0.1, [0.07, 0.1]], 'pass'],
  ['an unbounded interval has no margin', [0.01, '<=', 0.1, 0.1, [0.01, Infinity]], 'no-margin'],
  ['95/s fails a floor of 100/s', [95, '>=', 100, 0.1], 'fail'],
  ['105/s over a floor of 100/s has no margin', [105, '>=', 100, 0.1], 'no-margin'],
  ['exactly 110/s passes a floor of 100/s', [110, '>=', 100, 0.1], 'pass'],
  ['a floor within the interval has no margin', [120, '>=', 100, 0.1, [99, 141]], 'no-margin'],
  ['zero errors pass a limit of zero: it has no margin', [0, '=', 0, 0.1], 'pass'],
  ['zero passes <= 0', [0, '<=', 0, 0.1], 'pass'],
  ['one error fails a limit of zero', [1, '=', 0, 0.1], 'fail'],
  ['less than an exact figure fails it', [4, '=', 5, 0.1], 'fail'],
];

for (const [title, args, expected] of CASES) {
  test(title, () => assert.equal(judgeValue(...(args as Parameters<typeof judgeValue>)), expected));
}

test('a verdict never improves as the value worsens, and no unit changes it', () => {
  const rank = { pass: 0, 'no-margin': 1, fail: 2 };
  const positive = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(positive, positive, positive, (value, more, limit) => {
      const here = judgeValue(value, '<=', limit, 0.1);
      assert.ok(rank[judgeValue(value + more, '<=', limit, 0.1)] >= rank[here]);
      assert.equal(judgeValue(value * 1024, '<=', limit * 1024, 0.1), here);
    }),
    { seed: 11 },
  );
});

test('what passing needs is 90 ms of 100 ms and 110/s of 100/s', () => {
  assert.equal(neededWithMargin('<=', 100, 0.1), 90);
  assert.ok(Math.abs(neededWithMargin('>=', 100, 0.1) - 110) < 1e-9);
  assert.equal(neededWithMargin('=', 0, 0.1), 0);
});
