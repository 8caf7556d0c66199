import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { build as buildHdr } from 'hdr-histogram-js';
import { binsOf, Histogram, meanOf, mergeHistograms, percentileOf, percentileRank } from './histogram.ts';

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

const microseconds = fc.array(fc.integer({ min: 0, max: 3_600_000_000 }), { minLength: 1, maxLength: 300 });

test('a percentile lies in the bin of the sample at its nearest rank, within 0.1 % above it and never above the maximum', () => {
  fc.assert(
    fc.property(microseconds, fc.double({ min: 0, max: 100, noNaN: true }), (units, percentile) => {
      const sorted = units.map((u) => u / 1e6).sort((a, b) => a - b);
      const exact = sorted[percentileRank(percentile, sorted.length) - 1]!;
      const read = percentileOf(histogramOf(sorted).toData(), percentile)!;
      assert.ok(read >= exact - 1e-9 && read <= exact * (1 + 2 ** -10) + 1e-9, `${read} for ${exact}`);
      assert.ok(read <= sorted.at(-1)!);
    }),
    { seed: 1 },
  );
});

test('merging is recording everything into one', () => {
  fc.assert(
    fc.property(microseconds, microseconds, (left, right) => {
      const toSeconds = (units: number[]) => units.map((u) => u / 1e6);
      const merged = mergeHistograms([
        histogramOf(toSeconds(left)).toData(),
        histogramOf(toSeconds(right)).toData(),
      ]);
      const together = histogramOf(toSeconds([...left, ...right])).toData();
      assert.deepEqual({ ...merged, sumSeconds: 0 }, { ...together, sumSeconds: 0 });
      assert.ok(Math.abs(merged.sumSeconds - together.sumSeconds) <= 1e-9 * together.sumSeconds + 1e-12);
    }),
    { seed: 2 },
  );
});

test('percentiles agree with HdrHistogram at three digits', () => {
  const hdr = buildHdr({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 3_600_000_000,
    numberOfSignificantValueDigits: 3,
  });
  const ours = new Histogram();
  let value = 17;
  for (let i = 0; i < 20_000; i += 1) {
    value = (value * 48_271) % 2_147_483_647;
    const units = Math.floor(Math.exp((value / 2_147_483_647) * 20));
    hdr.recordValue(units);
    ours.record(units / 1e6);
  }
  for (const p of [0.1, 10, 50, 90, 95, 99, 99.9, 100]) {
    const theirs = hdr.getValueAtPercentile(p) / 1e6;
    const read = percentileOf(ours.toData(), p)!;
    assert.ok(Math.abs(read - theirs) <= theirs * 1e-3, `p${p}: ${read} against ${theirs}`);
  }
});

test('the definition: nearest rank, so p50 of 1…10 is 5 and p95 is 10', () => {
  const data = histogramOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((units) => units / 1e4)).toData();
  assert.equal(percentileOf(data, 50), 0.0005);
  assert.equal(percentileOf(data, 95), 0.001);
  assert.equal(percentileRank(50.00000000000001, 2), 1);
});

test('edges: empty, zero, negative, beyond the range', () => {
  assert.equal(percentileOf(new Histogram().toData(), 50), undefined);
  assert.equal(meanOf(new Histogram().toData()), undefined);
  const data = histogramOf([0, -1, 5000]).toData();
  assert.equal(data.totalCount, 3);
  assert.equal(data.maxSeconds, 5000);
  assert.equal(percentileOf(data, 1), 0);
  assert.ok(percentileOf(data, 100)! <= 5000);
});

test('one sample of 575 ms reads 575 ms at every percentile', () => {
  const data = histogramOf([0.575]).toData();
  for (const p of [0, 50, 99, 100]) assert.equal(percentileOf(data, p), 0.575);
});

test('reset forgets everything, and bins tell all counts', () => {
  const histogram = histogramOf([0.001, 0.001, 2]);
  assert.equal(
    [...binsOf(histogram.toData())].reduce((sum, bin) => sum + bin.count, 0),
    3,
  );
  histogram.reset();
  assert.deepEqual(histogram.toData().bins, []);
  histogram.record(0.002);
  assert.deepEqual(histogram.toData().bins, [2000, 1]);
});

test('histograms of different resolution do not merge', () => {
  const data = histogramOf([1]).toData();
  assert.throws(() => mergeHistograms([data, { ...data, bits: 7 }]), RangeError);
});
