import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stratifiedProportionZ } from './proportion-test.ts';

/** Admitted and rejected, men and women, by department: Bickel, Hammel & O'Connell, Science 187 (1975). */
const BERKELEY: readonly (readonly [number, number, number, number])[] = [
  [512, 313, 89, 19],
  [353, 207, 17, 8],
  [120, 205, 202, 391],
  [138, 279, 131, 244],
  [53, 138, 94, 299],
  [22, 351, 24, 317],
];

const stratumOf = ([a, b, c, d]: readonly [number, number, number, number]) => ({
  first: { count: a + b, hits: a },
  second: { count: c + d, hits: c },
});

test('the square is the published Mantel–Haenszel statistic of the Berkeley admissions, 1.5246', () => {
  const z = stratifiedProportionZ(BERKELEY.map(stratumOf));
  assert.ok(Math.abs(z ** 2 - 1.5246) < 5e-5);
  assert.ok(z < 0, 'women were admitted a little more often within departments');
});

test('the same table summed over departments says the opposite: strata must not be mixed', () => {
  const sums = [0, 1, 2, 3].map((i) => BERKELEY.reduce((sum, row) => sum + row[i]!, 0));
  assert.ok(stratifiedProportionZ([stratumOf(sums as unknown as [number, number, number, number])]) > 9);
});

test('nothing is told by an empty group, by groups that are all alike, or by nothing', () => {
  const none = { count: 0, hits: 0 };
  const all = { count: 9, hits: 9 };
  const cases = [[], [{ first: none, second: all }], [{ first: all, second: all }]];
  for (const strata of cases) assert.equal(stratifiedProportionZ(strata), 0);
});
