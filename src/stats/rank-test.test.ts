import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { fixture } from '../../test/support/paths.ts';
import { hodgesLehmann, median, rankSumTest } from './rank-test.ts';

interface Truth {
  cases: {
    id: string;
    x: number[];
    y: number[];
    W_R: number;
    p_exact_permutation_two_sided: number;
    p_exact_less: number;
    p_exact_greater: number;
    hodges_lehmann: number;
    hl_ci95_R: [number, number];
  }[];
  large: { cases: { id: string; W: number; p_less: number; p_two: number; p_greater: number }[] };
}

const truth = JSON.parse(readFileSync(fixture('stats', 'rank-tests.json'), 'utf8')) as Truth;

function assertNear(actual: number, expected: number, relative: number, what: string): void {
  const allowed = relative * Math.max(1e-12, Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= allowed, `${what}: ${actual}, expected ${expected}`);
}

for (const known of truth.cases) {
  test(`the exact rank-sum test agrees with R: ${known.id}`, () => {
    const result = rankSumTest(known.x, known.y);
    assert.equal(result.method, 'exact');
    assert.equal(result.statistic, known.W_R);
    assertNear(result.pValue, known.p_exact_permutation_two_sided, 1e-9, 'two-sided');
    assertNear(result.pLess, known.p_exact_less, 1e-9, 'less');
    assertNear(result.pGreater, known.p_exact_greater, 1e-9, 'greater');
    assertNear(hodgesLehmann(known.x, known.y).shift, known.hodges_lehmann, 1e-9, 'shift');
  });
}

// With ties R's interval comes from a root search on the normal approximation, so only the exact ones compare.
const distinct = truth.cases.filter(({ x, y }) => new Set([...x, ...y]).size === x.length + y.length);
for (const known of distinct) {
  test(`the interval of the shift agrees with R: ${known.id}`, () => {
    const { interval } = hodgesLehmann(known.x, known.y);
    assertNear(interval![0], known.hl_ci95_R[0], 1e-9, 'low');
    assertNear(interval![1], known.hl_ci95_R[1], 1e-9, 'high');
  });
}

const l1 = Array.from({ length: 500 }, (_, i) => 2 * i);
const l2 = Array.from({ length: 600 }, (_, i) => 2 * i - 41);
const LARGE: Record<string, number[]> = { l1, l2, l3: [...l1.slice(0, 30), ...l2.slice(30)] };
for (const known of truth.large.cases) {
  test(`the normal approximation of large samples agrees with R: ${known.id}`, () => {
    const [x, y] = known.id.split(',');
    const result = rankSumTest(LARGE[x!]!, LARGE[y!]!);
    assert.equal(result.method, 'normal');
    assert.equal(result.statistic, known.W);
    assertNear(result.pValue, known.p_two, 1e-6, 'two-sided');
    assertNear(result.pLess, known.p_less, 1e-6, 'less');
    assertNear(result.pGreater, known.p_greater, 1e-6, 'greater');
  });
}

test('three runs a side are too few for an interval, four are enough', () => {
  assert.equal(hodgesLehmann([1, 2, 3], [7, 8, 9]).interval, undefined);
  assert.deepEqual(hodgesLehmann([1, 2, 3, 4], [11, 12, 13, 14]).interval, [-13, -7]);
});

test('swapping the sides mirrors the statistic and the shift', () => {
  const sample = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(sample, sample, (x, y) => {
      const there = rankSumTest(x, y);
      const back = rankSumTest(y, x);
      assert.equal(there.statistic + back.statistic, x.length * y.length);
      assert.ok(Math.abs(there.pValue - back.pValue) < 1e-12);
      assert.equal(hodgesLehmann(x, y).shift, 0 - hodgesLehmann(y, x).shift);
    }),
    { seed: 3, numRuns: 60 },
  );
});

test('an empty side is refused', () => {
  assert.throws(() => rankSumTest([], [1]), RangeError);
  assert.throws(() => hodgesLehmann([1], []), RangeError);
});

test('the median of an even count is the mean of the middle two', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([3, 1, 2]), 2);
});
