import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bars, characterChart, quantileBins, sparkline } from './text-charts.ts';

test('a sparkline runs from zero to the largest value', () => {
  assert.equal(sparkline([0, 7, 3, 7], 10), '▁█▄█');
});

test('a sparkline of nothing at all stays on the floor', () => {
  assert.equal(sparkline([0, 0], 10), '▁▁');
});

test('a long series is condensed to the width by averages', () => {
  assert.equal(sparkline([0, 0, 4, 4, 8, 8], 3), '▁▅█');
});

test('the longest bar belongs to the largest share', () => {
  const lines = bars(
    [
      { label: 'a', ratio: 0.5, figure: '50 %' },
      { label: 'bb', ratio: 1, figure: '100 %' },
    ],
    30,
  );
  assert.deepEqual(lines, [`   a   50 %  ${'█'.repeat(9)}`, `  bb  100 %  ${'█'.repeat(17)}`]);
});

test('bins of a uniform distribution have equal shares', () => {
  const shares = quantileBins([1, 2, 3], 4).map(({ from, to, ratio }) => [from, to, ratio]);
  assert.deepEqual(shares, [
    [1, 1.5, 0.25],
    [1.5, 2, 0.25],
    [2, 2.5, 0.25],
    [2.5, 3, 0.25],
  ]);
});

test('bins of a wide range have round bounds that grow with it', () => {
  const quantiles = [0, 0.5, 1, 1.5, 2, 4, 8, 100];
  assert.deepEqual(
    quantileBins(quantiles, 7).map(({ from, to }) => [from, to]),
    [
      [0, 1],
      [1, 2],
      [2, 5],
      [5, 10],
      [10, 20],
      [20, 50],
      [50, 100],
    ],
  );
  assert.equal(quantileBins(quantiles, 7)[1]!.ratio.toFixed(4), (2 / 7).toFixed(4));
});

test('bins of a constant are one bin', () => {
  assert.deepEqual(quantileBins([2, 2, 2], 4), [{ from: 2, to: 2, ratio: 1 }]);
});

test('shares of bins sum to one and are never negative', () => {
  const quantiles = fc
    .array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 2, maxLength: 50 })
    .map((values) => values.sort((a, b) => a - b));
  fc.assert(
    fc.property(quantiles, (sorted) => {
      const shares = quantileBins(sorted, 8).map(({ ratio }) => ratio);
      assert.ok(shares.every((share) => share >= 0));
      assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
    }),
    { seed: 7 },
  );
});

test('a chart puts the slower run above the limit and the faster below', () => {
  const lines = characterChart(
    [
      { mark: 'b', points: [[100, 1]] },
      { mark: 'a', points: [[100, 0.01]] },
    ],
    [0.1],
    60,
  );
  const rowOf = (what: string) => lines.findIndex((line) => line.includes(what));
  assert.ok(
    rowOf('b') < rowOf('≤ 100 ms') && rowOf('≤ 100 ms') < lines.findIndex((line) => line.endsWith('a')),
  );
});

test('where two runs meet stands an asterisk', () => {
  const lines = characterChart(
    [
      { mark: 'b', points: [[1, 0.1]] },
      { mark: 'a', points: [[1, 0.1]] },
    ],
    [],
    60,
  );
  assert.ok(lines.some((line) => line.endsWith('*')));
});
