import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastSquares } from './least-squares.ts';
import { fitNonLinear, minimise } from './minimise.ts';

test('a line through four points: the textbook coefficients and standard errors', () => {
  const fit = leastSquares(
    [1, 2, 3, 4].map((x) => [1, x]),
    [6, 5, 7, 10],
  )!;
  for (const [actual, expected] of [
    [fit.coefficients[0], 3.5],
    [fit.coefficients[1], 1.4],
    [fit.residualSumOfSquares, 4.2],
    [fit.standardErrors[0], Math.sqrt(2.1 * 1.5)],
    [fit.standardErrors[1], Math.sqrt(2.1 * 0.2)],
  ] as const)
    assert.ok(Math.abs(actual! - expected) < 1e-12, `${actual} ${expected}`);
});

test('a weight of two is the point twice', () => {
  const twice = leastSquares([[1], [1], [1]], [1, 4, 4])!;
  const weighted = leastSquares([[1], [1]], [1, 4], [1, 2])!;
  assert.ok(Math.abs(twice.coefficients[0]! - weighted.coefficients[0]!) < 1e-12);
  assert.ok(Math.abs(twice.residualSumOfSquares - weighted.residualSumOfSquares) < 1e-12);
});

test('no fit from too few rows or dependent columns', () => {
  assert.equal(leastSquares([[1, 2]], [1]), undefined);
  assert.equal(leastSquares([], []), undefined);
  assert.equal(
    leastSquares(
      [
        [1, 2],
        [2, 4],
        [3, 6],
      ],
      [1, 2, 3],
    ),
    undefined,
  );
});

test('golden section finds the valley', () => {
  assert.ok(Math.abs(minimise((x) => (x - 3) ** 2, 0.1, 100) - 3) < 1e-4);
});

test('Levenberg–Marquardt recovers an exponential whatever the units', () => {
  for (const unit of [1e-6, 1, 1e6]) {
    const t = [0, 1, 2, 3, 4];
    const y = t.map((s) => 5 * unit * Math.exp(-0.7 * s));
    const fit = fitNonLinear(
      ([a, b]) => ({
        residuals: t.map((s, i) => y[i]! - a! * Math.exp(-b! * s)),
        jacobian: t.map((s) => [Math.exp(-b! * s), -a! * s * Math.exp(-b! * s)]),
      }),
      [unit, 0.1],
    );
    assert.ok(Math.abs(fit[0]! / unit - 5) < 1e-8 && Math.abs(fit[1]! - 0.7) < 1e-8, fit.join());
  }
});
