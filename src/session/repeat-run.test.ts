import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatOrder } from './repeat-run.ts';

const order = (sides: readonly string[], count: number): string =>
  repeatOrder(sides, count)
    .map(({ side, number }) => `${side}${number}`)
    .join(' ');

test('two sides alternate A B B A, so that a drift of the machine meets both alike', () => {
  assert.equal(order(['a', 'b'], 4), 'a1 b1 b2 a2 a3 b3 b4 a4');
});

test('one side is run again and again', () => {
  assert.equal(order(['a'], 3), 'a1 a2 a3');
});
