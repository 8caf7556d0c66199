import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrap, percentileBootstrapInterval, resampleValues } from '../../src/stats/bootstrap.ts';
import { mean, sumOf, variance } from '../../src/stats/batch-means.ts';
import { median, quantileRankInterval, sampleQuantile } from '../../src/stats/order-statistics.ts';
import { near, readTruth } from '../support/truth.ts';

interface QuantileCase {
  n: number;
  p: number;
  lower_order: number;
  upper_order: number;
  lower_exists: boolean;
  upper_exists: boolean;
  coverage: number;
}

test('order-statistic intervals have the published ranks and coverage', () => {
  for (const c of (readTruth('quantile_ci.json') as { cases: QuantileCase[] }).cases) {
    const interval = quantileRankInterval(c.n, c.p);
    assert.equal(interval.lowerRank, c.lower_exists ? c.lower_order : undefined, `n ${c.n} p ${c.p}`);
    assert.equal(interval.upperRank, c.upper_exists ? c.upper_order : undefined, `n ${c.n} p ${c.p}`);
    near(interval.coverageRatio, c.coverage, 1e-9, `coverage at n ${c.n} p ${c.p}`);
  }
});

test('a finite 95 % upper limit needs 72 samples for p95, 368 for p99, 3688 for p99.9', () => {
  for (const [p, needed] of [
    [0.95, 72],
    [0.99, 368],
    [0.999, 3688],
  ] as const) {
    assert.equal(quantileRankInterval(needed - 1, p).upperRank, undefined);
    assert.equal(quantileRankInterval(needed, p).upperRank, needed);
  }
});

const COUNT = 20_000;
const STATISTICS: Record<string, (x: readonly number[]) => number> = { mean, median: (x) => median(x)! };

interface Enumeration {
  exact_enumeration: {
    cases: { stat: string; x: number[]; mean: number; sd: number; q: Record<string, number> }[];
  };
  boot_city: { u: number[]; x: number[]; perc: [number, number] };
}

test('bootstrap replicates have the mean and spread of the full enumeration, within five standard errors', () => {
  const { cases } = (readTruth('bootstrap.json') as Enumeration).exact_enumeration;
  for (const { stat, x, mean: expected, sd } of cases.filter((c) => c.stat in STATISTICS)) {
    const replicates = bootstrap((r) => resampleValues(x, r), STATISTICS[stat]!, { count: COUNT, seed: 1 });
    assert.ok(Math.abs(mean(replicates) - expected) <= (5 * sd) / Math.sqrt(COUNT), stat);
    near(Math.sqrt(variance(replicates)), sd, 0.05, `${stat} spread`);
  }
});

test("the percentile interval of the city data is that of R's boot within 2 %", () => {
  const { u, x, perc } = (readTruth('bootstrap.json') as Enumeration).boot_city;
  const cities = u.map((before, i) => ({ before, after: x[i]! }));
  const ratio = (sample: typeof cities) =>
    sumOf(sample.map((c) => c.after)) / sumOf(sample.map((c) => c.before));
  const interval = percentileBootstrapInterval(
    bootstrap((r) => resampleValues(cities, r), ratio, { count: COUNT, seed: 2 }),
  )!;
  near(interval[0], perc[0], 0.02, 'low');
  near(interval[1], perc[1], 0.02, 'high');
});

test('nearest-rank quantiles and medians of small samples', () => {
  const x = [40, 15, 50, 20, 35];
  for (const [p, value] of [
    [0.05, 15],
    [0.3, 20],
    [0.4, 20],
    [0.5, 35],
    [1, 50],
  ] as const)
    assert.equal(sampleQuantile(x, p), value);
  assert.equal(median(x), 35);
  assert.equal(median([4, 1]), 2.5);
  assert.equal(median([]), undefined);
});
