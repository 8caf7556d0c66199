import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bendOf, degradationOf, marginalSlopes, plateauOf, riseAtEnd } from './curve-shape.ts';
import { kneedle } from './kneedle.ts';
import { fitSegmented } from './segmented.ts';
import { loadFor, smoothMinFitter, throughputAt } from './smooth-min.ts';
import { fitUsl } from './usl.ts';

const pointsOf = (throughputs: readonly number[]) =>
  throughputs.map((throughputPerSecond, i) => ({ load: i + 1, throughputPerSecond }));
const onePercent = (throughputs: readonly number[]) => throughputs.map((x) => 0.01 * x);

for (const { title, throughputs, bend } of [
  { title: 'a straight line has none', throughputs: [1, 2, 3, 4, 5], bend: undefined },
  {
    title: 'a slow step in the middle of a line is none',
    throughputs: [1, 2, 2.7, 3.7, 4.7],
    bend: undefined,
  },
  { title: 'the first of the slopes that stay low', throughputs: [1, 2, 3, 3.6, 3.9], bend: [3, 4] },
  { title: 'from the first step on', throughputs: [1, 1.2, 1.3, 1.3], bend: [1, 2] },
]) {
  test(`bend: ${title}`, () => {
    assert.deepEqual(bendOf(marginalSlopes(pointsOf(throughputs), onePercent(throughputs), 1)), bend);
  });
}

test('a last slope that noise could explain is no bend', () => {
  const throughputs = [1, 2, 3, 3.8];
  const wide = throughputs.map((x) => 0.1 * x);
  assert.equal(bendOf(marginalSlopes(pointsOf(throughputs), wide, 1)), undefined);
});

for (const { title, throughputs, from } of [
  { title: 'two steps 10 % below the peak are', throughputs: [5, 10, 9, 9], from: 3 },
  { title: 'one step below the peak is none', throughputs: [5, 10, 9, 10], from: undefined },
  { title: '2 % below the peak is none', throughputs: [5, 10, 9.8, 9.8, 9.8], from: undefined },
  { title: 'a peak at the end is none', throughputs: [5, 10, 15], from: undefined },
]) {
  test(`degradation: ${title}`, () => {
    const found = degradationOf(pointsOf(throughputs), onePercent(throughputs));
    assert.equal(found?.summary.fromLoad, from);
  });
}

for (const { title, throughputs, gain } of [
  { title: 'a last step 10 % above the one before', throughputs: [1, 1.9, 2.5, 2.75], gain: 0.25 / 2.75 },
  { title: 'level but for 2 %, within two errors of 1 %', throughputs: [1, 1.9, 2.5, 2.55], gain: undefined },
  { title: 'a fall at the end', throughputs: [1, 1.9, 2.7, 2.5], gain: undefined },
  { title: 'a single step', throughputs: [1], gain: undefined },
]) {
  test(`rise at the end: ${title}`, () => {
    const points = pointsOf(throughputs);
    assert.ok(Math.abs((riseAtEnd(points, onePercent(throughputs))?.gainRatio ?? 0) - (gain ?? 0)) < 1e-9);
  });
}

test('steps too close to differ show a rise together, and one that wide errors explain is none', () => {
  // 1 % a step, 12 steps from 0.8 of the last load on.
  const throughputs = Array.from({ length: 60 }, (_, i) => (i < 48 ? 0.5 + i / 96 : 1 + (i - 47) * 0.01));
  const rise = riseAtEnd(pointsOf(throughputs), onePercent(throughputs));
  assert.ok(rise !== undefined && Math.abs(rise.gainRatio - 0.12 / 1.12) < 0.005, `${rise?.gainRatio}`);
  const wide = [1, 1.9, 2.5, 2.75];
  assert.equal(
    riseAtEnd(
      pointsOf(wide),
      wide.map((x) => 0.06 * x),
    ),
    undefined,
  );
});

test('the plateau is the mean of the steps within 3 % of the highest', () => {
  assert.equal(plateauOf(pointsOf([10, 50, 99, 100, 98, 90])), 99);
});

test('the fitted curve finds its own parameters, and its inverse its loads, whatever the units', () => {
  const cases = fc.record({
    slope: fc.double({ min: 0.01, max: 1000, noNaN: true }),
    knee: fc.double({ min: 4, max: 12, noNaN: true }),
    p: fc.constantFrom(2, 4, 9),
    unit: fc.constantFrom(1, 3, 250),
  });
  fc.assert(
    fc.property(cases, ({ slope, knee, p, unit }) => {
      const truth = { slopePerSecond: slope, kneeLoad: knee * unit, sharpness: p, residualSumOfSquares: 0 };
      const loads = [1, 2, 4, 6, 8, 12, 16, 24].map((n) => n * unit);
      const throughputs = loads.map((load) => throughputAt(truth, load));
      const fit = smoothMinFitter(loads, onePercent(throughputs))(throughputs);
      assert.ok(Math.abs(fit.kneeLoad / truth.kneeLoad - 1) < 1e-3, `${fit.kneeLoad} ${truth.kneeLoad}`);
      assert.ok(Math.abs(fit.slopePerSecond / slope - 1) < 1e-3);
      for (const load of loads.slice(0, 4)) {
        assert.ok(Math.abs(loadFor(truth, throughputAt(truth, load)) / load - 1) < 1e-6);
      }
      assert.equal(loadFor(truth, slope * truth.kneeLoad), Infinity);
    }),
    { seed: 4, numRuns: 40 },
  );
});

test('no answer from too few points or a constant curve', () => {
  assert.equal(fitUsl(pointsOf([1, 2, 3])), undefined);
  assert.equal(fitSegmented([1, 2, 3, 4], [1, 2, 2, 2]), undefined);
  assert.equal(kneedle([1, 2], [1, 2]), undefined);
  assert.equal(kneedle([1, 2, 3], [5, 5, 5]), undefined);
});
