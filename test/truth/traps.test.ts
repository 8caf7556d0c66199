import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitUsl } from '../../src/analysis/usl.ts';
import { stepTable } from '../../src/analysis/step-table.ts';
import { kneedle } from '../../src/analysis/kneedle.ts';
import { bootstrap, resampleValues } from '../../src/stats/bootstrap.ts';
import { Histogram, mergeHistograms, percentileOf } from '../../src/stats/histogram.ts';
import { rankSumTest } from '../../src/stats/rank-test.ts';
import { soundStep } from '../support/measurements.ts';
import { near, readTruth } from '../support/truth.ts';

/* Mistakes in other people's code and tests, each of which a reader may bring along. */

test('kneedle at S = 1 returns what the reference returns, not what its own test claims', () => {
  const { datasets, cases } = readTruth('kneedle.json') as {
    datasets: Record<string, { x: number[]; y: number[] }>;
    cases: { name: string; dataset: string; reference_output: { knee: number } }[];
  };
  const gamma = cases.find(({ name }) => name === 'gamma_offline')!;
  const { x, y } = datasets[gamma.dataset]!;
  const found = kneedle(x, y, { curve: 'convex', direction: 'decreasing', sensitivity: 1 });
  assert.equal(found, gamma.reference_output.knee);
  assert.equal(found, 22, 'the reference’s own test asserts a tuple that claims 43');
});

test('contention and coherency of the scalability law are not confused: each is found where the other is 0', () => {
  const curve = (alpha: number, beta: number) =>
    [1, 2, 4, 8, 16, 32].map((n) => ({
      load: n,
      throughputPerSecond: (100 * n) / (1 + alpha * (n - 1) + beta * n * (n - 1)),
    }));
  const serial = fitUsl(curve(0.05, 0))!;
  near(serial.contention, 0.05, 1e-6, 'α');
  assert.ok(serial.coherency < 1e-9);
  const crosstalk = fitUsl(curve(0, 0.001))!;
  near(crosstalk.coherency, 0.001, 1e-6, 'β');
  assert.ok(crosstalk.contention < 1e-9);
});

test('no band is drawn about the scalability law: the reference’s has the same width at every load', () => {
  const loads = [1, 2, 4, 8, 16, 32];
  const points = loads.map((n, i) => ({
    load: n,
    throughputPerSecond: ((100 * n) / (1 + 0.05 * (n - 1))) * (i % 2 === 0 ? 1.02 : 0.98),
  }));
  const fit = fitUsl(points)!;
  assert.deepEqual(
    Object.keys(fit).filter((name) => /band|interval|low|high/i.test(name)),
    [],
  );
  // What is known of the fit stands with its parameters: of the one at its bound as of the other.
  assert.ok(fit.contentionStandardError > 0 && fit.coherencyStandardError > 0);
});

test('with ties the rank test is exact: p = 0.0476, neither 0 nor the normal 0.0416', () => {
  const { pValue, method } = rankSumTest([2, 1, 3, 5], [1, 1, 1, 1, 1]);
  near(pValue, 0.0476190476190476, 1e-12, 'p');
  assert.equal(method, 'exact');
});

test('a merged histogram has the largest of the recorded maxima and rounds nothing to its digits', () => {
  const parts = [0.050042, 0.010001].map((seconds) => {
    const histogram = new Histogram();
    histogram.record(seconds);
    return histogram.toData();
  });
  const merged = mergeHistograms(parts);
  assert.equal(merged.maxSeconds, 0.050042);
  assert.equal(percentileOf(merged, 100), 0.050042);
  assert.equal(merged.minSeconds, 0.010001);
});

test('a maximum has no bootstrap interval: 1 − (1 − 1/n)ⁿ of the replicates would be the maximum itself', () => {
  const values = Array.from({ length: 50 }, (_, i) => i);
  const replicates = bootstrap(
    (random) => resampleValues(values, random),
    (x) => Math.max(...x),
    {
      count: 20_000,
      seed: 8,
    },
  );
  const same = replicates.filter((value) => value === 49).length / replicates.length;
  const expected = 1 - (1 - 1 / 50) ** 50;
  assert.ok(Math.abs(same - expected) < 5 * Math.sqrt((expected * (1 - expected)) / 20_000), `${same}`);
  const intervals = stepTable([soundStep()]).flatMap(({ overall }) =>
    Object.keys(overall).filter((name) => name.endsWith('Interval')),
  );
  assert.deepEqual(intervals, ['p95Interval', 'p99Interval']);
});
