import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateByBatchMeans } from './batch-means.ts';
import type { BatchMeans } from './batch-means.ts';
import { studentTQuantile } from './distributions.ts';
import { createRandom, drawNormal } from './random.ts';

const halfWidthOf = ({ batchCount, standardError }: BatchMeans): number =>
  studentTQuantile(0.975, batchCount - 1) * standardError;

test('equal batches give s/√b and the t interval', () => {
  const counts = [10, 12, 8, 14, 6, 11, 9, 13, 7, 10];
  const result = rateByBatchMeans(
    counts,
    counts.map(() => 2),
  )!;
  assert.equal(result.mean, 5);
  assert.ok(Math.abs(result.standardError - Math.sqrt(60 / 4 / 9 / 10)) < 1e-12);
  assert.ok(Math.abs(halfWidthOf(result) - 2.262157162798205 * result.standardError) < 1e-9);
});

test('sixty slices fall into ten batches, a remainder into the first', () => {
  const counts = Array.from({ length: 63 }, (_, i) => (i < 9 ? 1 : 3));
  assert.equal(
    rateByBatchMeans(
      counts,
      counts.map(() => 1),
    )!.batchCount,
    10,
  );
});

test('no answer from fewer than two slices or from no time', () => {
  assert.equal(rateByBatchMeans([5], [1]), undefined);
  assert.equal(rateByBatchMeans([5, 5], [0, 0]), undefined);
});

test('the interval holds the mean of correlated noise (ρ = 0.3) 92–98 % of the time', () => {
  const random = createRandom(17);
  let held = 0;
  const runs = 1000;
  for (let run = 0; run < runs; run += 1) {
    let noise = drawNormal(random) / Math.sqrt(1 - 0.09);
    const counts = Array.from({ length: 120 }, () => {
      noise = 0.3 * noise + drawNormal(random);
      return 100 + noise;
    });
    const result = rateByBatchMeans(
      counts,
      counts.map(() => 1),
    )!;
    if (Math.abs(result.mean - 100) <= halfWidthOf(result)) held += 1;
  }
  assert.ok(held / runs > 0.92 && held / runs < 0.98, `${held / runs}`);
});
