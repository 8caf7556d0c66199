import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jointPermutationTest } from './joint-permutation-test.ts';
import { createRandom, drawNormal } from './random.ts';

/** p by the definition: the share of deals with a difference of means at least as large. */
function enumerated(before: readonly number[], after: readonly number[]): number {
  const all = [...before, ...after];
  const total = all.reduce((sum, value) => sum + value, 0);
  const distance = (sum: number): number => Math.abs(sum / before.length - (total - sum) / after.length);
  const observed = distance(before.reduce((sum, value) => sum + value, 0));
  let deals = 0;
  let reached = 0;
  for (let mask = 0; mask < 2 ** all.length; mask += 1) {
    const chosen = all.filter((_, i) => (mask >> i) & 1);
    if (chosen.length !== before.length) continue;
    deals += 1;
    if (distance(chosen.reduce((sum, value) => sum + value, 0)) >= observed - 1e-9) reached += 1;
  }
  return reached / deals;
}

const cases = [
  { title: 'sides that lie apart', before: [1, 2, 3, 4, 5], after: [6, 7, 8, 9, 10] },
  { title: 'sides that overlap', before: [1, 2, 3, 7, 5], after: [6, 4, 8, 9, 10] },
  { title: 'ties', before: [1, 2, 2, 3], after: [2, 3, 4, 4] },
  { title: 'sides of different size', before: [1, 2, 3, 9], after: [4, 5, 6, 7, 8, 10] },
];
for (const { title, before, after } of cases) {
  test(`one quantity alone has the p of all deals enumerated: ${title}`, () => {
    const [p] = jointPermutationTest([{ before, after }]);
    assert.ok(Math.abs(p! - enumerated(before, after)) < 1e-12, `${p}`);
  });
}

const noise = (random: ReturnType<typeof createRandom>, quantities: number, runs: number) =>
  Array.from({ length: quantities }, () => {
    const values = Array.from({ length: 2 * runs }, () => drawNormal(random));
    return { before: values.slice(0, runs), after: values.slice(runs) };
  });

test('a clear change stays clear among a hundred quantities of noise, where k·p of a rank test would lose it', () => {
  const changed = { before: [1, 2, 3, 4, 5], after: [101, 102, 103, 104, 105] };
  const pValues = jointPermutationTest([...noise(createRandom(3), 100, 5), changed]);
  assert.equal(pValues.at(-1), 2 / 252);
});

test('the chance of any false change among twenty quantities is at most 5 %, within three standard errors', () => {
  const random = createRandom(9);
  const rounds = 400;
  const wrong = Array.from({ length: rounds }, () => jointPermutationTest(noise(random, 20, 4))).filter(
    (pValues) => pValues.some((p) => p < 0.05),
  ).length;
  assert.ok(wrong / rounds <= 0.05 + 3 * Math.sqrt((0.05 * 0.95) / rounds), `${wrong} of ${rounds}`);
});

test('a quantity that a run lacks is dealt over the others; one without scatter has p = 1', () => {
  const [p, same] = jointPermutationTest([
    { before: [1, undefined, 3, 2], after: [4, 5, 6, 7] },
    { before: [0.1, 0.1, 0.1, 0.1], after: [0.1, 0.1, 0.1, 0.1] },
  ]);
  assert.ok(p! > 0.02 && p! < 0.2, `${p}`);
  assert.equal(same, 1);
});

test('no quantities have no p-values; many runs a side are dealt at random, the same each time', () => {
  assert.deepEqual(jointPermutationTest([]), []);
  const many = noise(createRandom(4), 3, 12);
  assert.deepEqual(jointPermutationTest(many), jointPermutationTest(many));
});
