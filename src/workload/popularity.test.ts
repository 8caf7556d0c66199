import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { shared, skipWithout } from '../../test/support/paths.ts';
import { createRandom, weightedSampler } from '../stats/random.ts';
import { equalShareCounts, fitZipf, parameterPopularity, popularityOf, unseenCount } from './popularity.ts';

const near = (value: number, wanted: number, tolerance: number): void =>
  assert.ok(Math.abs(value - wanted) <= tolerance, `${value} is not ${wanted} ± ${tolerance}`);

const zipfCounts = (total: number, exponent: number, k: number): number[] => {
  const weights = Array.from({ length: k }, (_, index) => (index + 1) ** -exponent);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => Math.round((total * weight) / sum));
};

/** Counts of n draws from the weights, in falling order. */
function drawnCounts(weights: readonly number[], n: number, seed: number): number[] {
  const random = createRandom(seed);
  const draw = weightedSampler(weights);
  const counts = new Map<number, number>();
  for (let i = 0; i < n; i += 1) {
    const value = draw(random);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts.values()].sort((a, b) => b - a);
}

test('the exponent of counts made by the law is the law’s', () => {
  // An independent computation on the same counts, whose optimiser stopped within 1e-7.
  near(fitZipf(zipfCounts(1e5, 0.8, 1000)).exponent, 0.7999920103986, 1e-7);
  near(fitZipf(zipfCounts(1e6, 1.1, 500)).exponent, 1.099994171258, 1e-7);
});

const truthPath = shared('truth', 'zipf_interarrival.json');
test(
  'the exponent of a drawn sample is the one computed independently',
  { skip: skipWithout(truthPath) },
  () => {
    interface Truth {
      readonly sampled: { readonly counts: readonly number[]; readonly s_mle_observed_ranks: number };
    }
    const { sampled } = JSON.parse(readFileSync(truthPath!, 'utf8')) as Truth;
    near(fitZipf(sampled.counts).exponent, sampled.s_mle_observed_ranks, 1e-7);
  },
);

test('the exponent of equal counts is 0, and of ever steeper counts at most 10', () => {
  assert.deepEqual(fitZipf([5, 5, 5, 5]), { exponent: 0, gainPerRequest: 0 });
  near(fitZipf([1e9, 1]).exponent, 10, 1e-6);
});

test('equal shares seen by chance have the n and k they were made for', () => {
  for (const [n, k] of [
    [66_967, 56_963],
    [3000, 1000],
    [500, 10],
    [100, 100],
  ] as const) {
    const counts = equalShareCounts(n, k);
    assert.equal(counts.length, k);
    const sum = counts.reduce((all, count) => all + count, 0);
    // Counts are whole: the quantiles of k values miss a sum by less than half a request each.
    near(sum, n, Math.max(2, 0.02 * n));
  }
});

const EQUAL = (k: number): number[] => Array.from({ length: k }, () => 1);
const LAW = (k: number, exponent: number): number[] =>
  Array.from({ length: k }, (_, index) => (index + 1) ** -exponent);

const JUDGED = [
  ['equal shares of 200,000, few repeats', EQUAL(200_000), 67_000, 'uniform'],
  ['equal shares of 1,000, many repeats', EQUAL(1000), 20_000, 'uniform'],
  ['equal shares of 10', EQUAL(10), 500, 'uniform'],
  ['Zipf 0.9 over 1,000', LAW(1000, 0.9), 5000, 'zipf'],
  ['Zipf 1 over 10', LAW(10, 1), 22_000, 'zipf'],
  ['Zipf 0.5 over 300', LAW(300, 0.5), 3000, 'zipf'],
  ['hardly a repeat', EQUAL(20_000), 269, 'too-few-repeats'],
  ['one value', EQUAL(1), 50, 'constant'],
] as const;

for (const [what, weights, n, kind] of JUDGED)
  test(`judged as what it was drawn from: ${what}`, () => {
    for (const seed of [1, 2, 3]) assert.equal(popularityOf(drawnCounts(weights, n, seed)).kind, kind);
  });

test('the top values come by count, ties by value, twenty at most', () => {
  const counts = new Map(
    Array.from({ length: 30 }, (_, index) => [`v${String(index).padStart(2, '0')}`, index < 2 ? 9 : 3]),
  );
  const { top, distinctCount, requestCount } = parameterPopularity('q', 'query', counts);
  assert.deepEqual([top.length, distinctCount, requestCount], [20, 30, 102]);
  assert.deepEqual(
    top.slice(0, 3).map(({ value }) => value),
    ['v00', 'v01', 'v02'],
  );
});

test('values not seen are estimated as published', () => {
  // 269 requests for 267 posts, two of them twice: Chao1 17,823.
  assert.equal(267 + Math.floor(unseenCount([2, 2, ...EQUAL(265)])), 17_823);
  assert.equal(unseenCount(EQUAL(4)), 6);
  assert.equal(unseenCount([7, 5, 2]), 0);
});

test('of a known number of values, those not seen are estimated from below', () => {
  // 4,000 equal draws from 5,000 values leave 5000·e^−0.8 = 2247 unseen; f1²/(2·f2) is exact for equal shares.
  // Its standard error (Chao 1987) with f1 = 1797, f2 = 719 is 143; three of them.
  for (const seed of [1, 2, 3]) near(unseenCount(drawnCounts(EQUAL(5000), 4000, seed)), 2247, 430);
  const zipf = drawnCounts(LAW(5000, 1), 4000, 1);
  assert.ok(zipf.length + unseenCount(zipf) <= 5000);
});

test('the exponent of a long list of ranks is that of its sums taken one by one', () => {
  for (const [k, s] of [
    [50_000, 0],
    [50_000, 0.7],
    [50_000, 1],
    [200_000, 1.3],
    [2000, 3],
  ] as const) {
    // Shares, not whole counts: the law itself, so that the likelihood has its maximum at s exactly.
    near(fitZipf(LAW(k, s)).exponent, s, 1e-7);
  }
});
