import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  binomialCdf,
  binomialQuantile,
  proportionInterval,
  studentTCdf,
  studentTQuantile,
} from './distributions.ts';
import { incompleteBeta, logFactorial, logGamma } from './special-functions.ts';

const close = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance * Math.abs(expected) + 1e-15, `${actual} ${expected}`);

test('ln Γ at half a, at 1 and for factorials', () => {
  close(logGamma(0.5), Math.log(Math.PI) / 2, 1e-13);
  close(logGamma(10.5), 13.940625219403763, 1e-13);
  assert.ok(Math.abs(logGamma(1)) < 1e-13);
  let sum = 0;
  for (let n = 2; n <= 300; n += 1) {
    sum += Math.log(n);
    close(logFactorial(n), sum, 1e-13);
  }
});

test("Student's t: the printed table's 0.975 quantiles, and Cauchy in closed form", () => {
  for (const [degrees, quantile] of [
    [4, 2.776445105198],
    [8, 2.306004135204],
    [9, 2.262157162798205],
    [357, 1.966631204366],
  ] as const)
    close(studentTQuantile(0.975, degrees), quantile, 1e-11);
  for (const t of [-3, -0.2, 0, 1, 40]) close(studentTCdf(t, 1), 0.5 + Math.atan(t) / Math.PI, 1e-12);
  assert.equal(studentTQuantile(0.5, 3), 0);
  assert.equal(studentTQuantile(1, 3), Infinity);
  close(studentTQuantile(0.1, 7), -studentTQuantile(0.9, 7), 1e-12);
});

test('the binomial cdf is the sum of its terms, and the quantile its inverse', () => {
  const sizes = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.double({ min: 0.01, max: 0.99, noNaN: true }));
  fc.assert(
    fc.property(sizes, ([n, p]) => {
      let sum = 0;
      for (let k = 0; k < n; k += 1) {
        const ways = logFactorial(n) - logFactorial(k) - logFactorial(n - k);
        sum += Math.exp(ways + k * Math.log(p) + (n - k) * Math.log1p(-p));
        assert.ok(Math.abs(binomialCdf(k, n, p) - sum) < 1e-11);
      }
      const k = binomialQuantile(0.4, n, p);
      assert.ok(binomialCdf(k, n, p) >= 0.4 && binomialCdf(k - 1, n, p) < 0.4);
    }),
    { seed: 3, numRuns: 50 },
  );
});

test('the incomplete beta function at its edges and by symmetry', () => {
  assert.equal(incompleteBeta(-1, 2, 3), 0);
  assert.equal(incompleteBeta(2, 2, 3), 1);
  close(incompleteBeta(0.3, 2, 5), 1 - incompleteBeta(0.7, 5, 2), 1e-13);
});

test('the exact interval of a proportion, as tabulated (Clopper & Pearson 1934)', () => {
  for (const [hits, count, low, high] of [
    [0, 20, 0, 0.1684],
    [1, 10, 0.0025, 0.445],
    [5, 100, 0.0164, 0.1128],
    [7, 7, 0.5904, 1],
  ] as const) {
    const interval = proportionInterval(hits, count);
    assert.ok(Math.abs(interval[0] - low) < 5e-5, `${hits} of ${count}: ${interval[0]}`);
    assert.ok(Math.abs(interval[1] - high) < 5e-5, `${hits} of ${count}: ${interval[1]}`);
  }
});
