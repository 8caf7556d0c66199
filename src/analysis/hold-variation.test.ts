import assert from 'node:assert/strict';
import { test } from 'node:test';
import { histogramOf } from '../../test/support/measurements.ts';
import { quantilesOf, variationBeyond } from './hold-variation.ts';

const STEPS = 20_000;
/** Draws at even steps of the distribution: no chance in it. */
const drawn = (inverse: (u: number) => number) =>
  histogramOf(Array.from({ length: STEPS }, (_, i) => inverse((i + 0.5) / STEPS)));

// Var/mean²: 1 of an exponential, (b − a)²/12 over the squared mean of a uniform, 0 of a constant. Straight pieces
// between percentiles overshoot in the long last one only.
const CASES = [
  {
    title: 'uniform from 1 to 3 ms',
    inverse: (u: number) => 1e-3 + 2e-3 * u,
    expected: 1 / 12,
    within: 0.01,
  },
  { title: 'exponential', inverse: (u: number) => -2e-3 * Math.log(1 - u), expected: 1, within: 0.2 },
  { title: 'constant', inverse: () => 2e-3, expected: 0, within: 1e-6 },
];
for (const { title, inverse, expected, within } of CASES) {
  test(`the squared variation of quantiles, ${title}`, () => {
    const { squaredVariation } = variationBeyond(quantilesOf(drawn(inverse)), 0);
    // The bins are 1/1024 wide or less.
    assert.ok(Math.abs(squaredVariation - expected) <= within + 2e-3, `${squaredVariation}`);
  });
}

test('the part that does not vary is taken off first', () => {
  const quantiles = quantilesOf(drawn((u) => 5e-3 + -1e-3 * Math.log(1 - u)));
  assert.ok(Math.abs(variationBeyond(quantiles, 5e-3).squaredVariation - 1) < 0.2);
  assert.ok(variationBeyond(quantiles, 0).squaredVariation < 0.05);
  assert.deepEqual(variationBeyond(quantiles, 10), { squaredVariation: 0 });
});

test('fewer than a hundred times show no shape', () => {
  assert.equal(quantilesOf(histogramOf(Array.from({ length: 99 }, () => 0.001))), undefined);
  assert.deepEqual(variationBeyond(undefined, 0), { squaredVariation: 0 });
});

test('one stall in ten thousand is not spread over one request in a hundred', () => {
  const times = Array.from({ length: 10_000 }, (_, i) => (i === 0 ? 0.1 : 0.001));
  const quantiles = quantilesOf(histogramOf(times))!;
  // The mean is 1 ms + 0.1 s/10,000 = 1.01 ms, so that a hundredth of the requests gets 1 ms more in the mean, 2 at most.
  assert.ok(Math.abs(quantiles.at(-1)! - 0.003) < 0.0003, `${quantiles.at(-1)}`);
  assert.ok(Math.abs(quantiles.at(-2)! - 0.001) < 2e-6);
});
