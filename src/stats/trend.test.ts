import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near, readTruth } from '../../test/support/truth.ts';
import { createRandom, drawNormal } from './random.ts';
import { mannKendall, pettitt, residualsAbout, theilSen, trendVarianceFactor } from './trend.ts';

interface TrendCase {
  id: string;
  x: number[];
  S: number;
  varS: number;
  tau: number;
  p_cc: number;
  sen_slope: number;
  sen_ci95: [number, number];
}
interface Truth {
  mann_kendall_sen: { cases: TrendCase[] };
  exact_small_n: { x: number[]; tau: number; p_exact: number }[];
  pettitt: { id: string; x: number[]; U: number; p: number; K: number }[];
  pymannkendall: { x: (number | null)[]; expected: { original: { p: number }; sens_slope: number } };
}
const truth = readTruth('trend_tests.json') as Truth;
const factorOf = (values: readonly number[]): number =>
  trendVarianceFactor(residualsAbout(places(values), values, theilSen(places(values), values)));
const places = (values: readonly unknown[]): number[] => values.map((_, i) => i + 1);

for (const { id, x, ...expected } of truth.mann_kendall_sen.cases) {
  test(`${id}: S, its variance, τ, p, and Sen’s slope with interval as published`, () => {
    const { statistic, variance, tau } = mannKendall(x);
    assert.equal(statistic, expected.S);
    near(variance, expected.varS, 1e-9, 'Var S');
    near(tau, expected.tau, 1e-9, 'τ');
    if (x.length > 12) near(mannKendall(x).pValue, expected.p_cc, 1e-5, 'p');
    const { slope, interval } = theilSen(places(x), x);
    near(slope, expected.sen_slope, 1e-9, 'slope');
    interval.forEach((end, i) => near(end, expected.sen_ci95[i]!, 1e-9, `end ${i}`));
  });
}

test('up to twelve values the p-value is exact', () => {
  for (const { x, tau, p_exact } of truth.exact_small_n) {
    near(mannKendall(x).tau, tau, 1e-9, 'τ');
    near(mannKendall(x).pValue, p_exact, 1e-9, `p of ${x.join(' ')}`);
  }
});

for (const { id, x, U, p, K } of truth.pettitt) {
  test(`Pettitt’s test of ${id}`, () => {
    const shift = pettitt(x);
    assert.deepEqual([shift.statistic, shift.position], [U, K]);
    near(shift.pValue, p, 1e-9, 'p');
  });
}

test('periodic data without a trend are not given one', () => {
  const { x, expected } = truth.pymannkendall;
  const values = x.filter((value) => value !== null);
  const factor = factorOf(values);
  assert.ok(factor >= 1, 'the correction never shrinks the variance');
  assert.ok(mannKendall(values, factor).pValue > expected.original.p);
});

test('with the AR(1) correction a trendless correlated series of 120 is called a trend in 5 % of 150, within three standard errors', () => {
  const random = createRandom(9);
  for (const phi of [0, 0.4, 0.6]) {
    let called = 0;
    for (let run = 0; run < 150; run += 1) {
      let level = 0;
      const x = Array.from({ length: 120 }, () => (level = phi * level + drawNormal(random)));
      if (mannKendall(x, factorOf(x)).pValue < 0.05) called += 1;
    }
    assert.ok(called <= 15, `φ ${phi}: ${called}`);
  }
});

test('a slope is by the times given, not by place', () => {
  const at = [0, 10, 30, 60, 100];
  const { slope, intercept } = theilSen(
    at,
    at.map((t) => 5 + 0.25 * t),
  );
  near(slope, 0.25, 1e-12, 'slope');
  near(intercept, 5, 1e-12, 'intercept');
});
