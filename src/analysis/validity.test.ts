import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examineStep } from './validity.ts';

const CASES: readonly [
  kind: 'poisson' | 'constant',
  ratePerSecond: number,
  windowSeconds: number,
  offeredCount: number,
  isKept: boolean,
][] = [
  ['constant', 10, 60, 600, true],
  ['constant', 10, 60, 606, true],
  ['constant', 10, 60, 590, false],
  ['constant', 1000, 10, 9901, true],
  ['constant', 1000, 10, 9899, false],
  // √600 = 24.5: four of them and the two at the edges are allowed.
  ['poisson', 10, 60, 698, true],
  ['poisson', 10, 60, 701, false],
  ['poisson', 20_000, 10, 150_700, false],
];

for (const [kind, ratePerSecond, windowSeconds, offeredCount, isKept] of CASES) {
  test(`${offeredCount} ${kind} arrivals where ${ratePerSecond}/s over ${windowSeconds} s were asked for: ${isKept ? 'kept' : 'not reached'}`, () => {
    const arrivals = { kind, ratePerSecond, windowSeconds, offeredCount };
    const codes = examineStep({ errorRatio: 0, arrivals }).map(({ code }) => code);
    assert.deepEqual(codes, isKept ? [] : ['load-not-reached']);
  });
}

test('one saturated worker spoils the step, by name, though the generator as a whole had room', () => {
  const generatorWorkers = [
    { name: 'worker 1', utilizationRatio: 0.31 },
    { name: 'worker 2', utilizationRatio: 0.93 },
  ];
  const [notice, ...more] = examineStep({ generatorRatio: 0.62, generatorWorkers });
  assert.deepEqual(more, []);
  assert.equal(notice!.code, 'generator-bound');
  assert.equal(notice!.severity, 'red-flag');
  assert.match(notice!.message, /worker 2 93\.0 %/);
  assert.doesNotMatch(notice!.message, /worker 1/);
});
