import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../stats/random.ts';
import { arrivalTimes } from './arrival-times.ts';

const open = (arrivals: 'poisson' | 'constant', arrivalRatePerSecond: number) =>
  ({ kind: 'open', arrivals, arrivalRatePerSecond, maxInFlight: 1 }) as const;

test('constant arrivals at 10/s put exactly ten into every second from the start, none on an edge, without drift', () => {
  const next = arrivalTimes(open('constant', 10), 5, createRandom(1));
  const times = Array.from({ length: 200_000 }, next);
  assert.deepEqual(times.slice(0, 3), [5.05, 5.15, 5.25]);
  assert.equal(times.at(-1), 5 + 199_999.5 / 10);
  assert.ok(times.every((at, i) => Math.floor(at - 5) === Math.floor(i / 10)));
});

test('gaps of Poisson arrivals pass a Kolmogorov–Smirnov test against the exponential law at 1 %', () => {
  const n = 20_000;
  for (const seed of [1, 2, 3]) {
    const next = arrivalTimes(open('poisson', 50), 0, createRandom(seed));
    let before = 0;
    const gaps = Array.from({ length: n }, () => {
      const at = next();
      const gap = at - before;
      before = at;
      return gap;
    }).sort((a, b) => a - b);
    const distance = gaps.reduce((worst, gap, i) => {
      const cdf = 1 - Math.exp(-50 * gap);
      return Math.max(worst, Math.abs(cdf - i / n), Math.abs(cdf - (i + 1) / n));
    }, 0);
    // 1.628/√n is the 1 % point of the Kolmogorov distribution.
    assert.ok(distance < 1.628 / Math.sqrt(n), `seed ${seed}: D = ${distance}`);
    // The number in a time is Poisson: n arrivals end within five standard errors of n/λ.
    assert.ok(Math.abs(before / (n / 50) - 1) < 5 / Math.sqrt(n));
  }
});

test('neighbouring gaps are not correlated, within five standard errors of 1/√n', () => {
  const n = 20_000;
  const next = arrivalTimes(open('poisson', 1), 0, createRandom(4));
  let before = 0;
  const gaps = Array.from({ length: n }, () => -before + (before = next()));
  const product = gaps.slice(1).reduce((sum, gap, i) => sum + (gap - 1) * (gaps[i]! - 1), 0);
  assert.ok(Math.abs(product / n) < 5 / Math.sqrt(n), `${product / n}`);
});

test('a rate that is no positive number is refused', () => {
  for (const rate of [0, -1, NaN, Infinity])
    assert.throws(() => arrivalTimes(open('constant', rate), 0, createRandom(1)), /positive/);
});
