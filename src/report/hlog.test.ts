import assert from 'node:assert/strict';
import { test } from 'node:test';
import hdr from 'hdr-histogram-js';
import { sampleRecord } from '../../test/support/sample-record.ts';
import type { RunRecord } from '../model/record.ts';
import { Histogram, percentileOf } from '../stats/histogram.ts';
import { createRandom } from '../stats/random.ts';
import { renderHlog } from './hlog.ts';

test('HdrHistogram reads back every interval: counts, percentiles and the maximum', () => {
  const random = createRandom(7);
  const recorder = new Histogram();
  // From below a microsecond to minutes, so that every kind of cell is used.
  for (let i = 0; i < 20_000; i += 1) recorder.record(10 ** (-6.5 + 8.5 * random.next()));
  const record = sampleRecord();
  const data = recorder.toData();
  const measurements: RunRecord['measurements'] = record.measurements.map((measurement) => ({
    ...measurement,
    byRoute: measurement.byRoute.map((route, i) => (i === 0 ? { ...route, responseTime: data } : route)),
  }));
  const reader = new hdr.HistogramLogReader(renderHlog({ ...record, measurements }));
  for (const { byRoute } of measurements) {
    for (const { responseTime } of byRoute) {
      const read = reader.nextIntervalHistogram();
      assert.ok(read !== null);
      assert.equal(read.totalCount, responseTime.totalCount);
      for (const percentile of [1, 50, 95, 99.9]) {
        const ours = percentileOf(responseTime, percentile)! * 1e6;
        const theirs = read.getValueAtPercentile(percentile);
        assert.ok(Math.abs(theirs - ours) <= 1 + ours * 2 ** -10, `p${percentile}: ${theirs} and ${ours}`);
      }
    }
  }
  assert.equal(reader.nextIntervalHistogram(), null);
});

test('the intervals lie at the times of their steps, tagged with step and route', () => {
  const record = sampleRecord();
  const reader = new hdr.HistogramLogReader(renderHlog(record));
  const first = reader.nextIntervalHistogram()!;
  assert.equal(first.tag, '1_users-GET_/books/[id]');
  const startSeconds =
    Date.parse(record.manifest.startedAt) / 1000 + record.measurements[0]!.startedAtSeconds;
  assert.ok(Math.abs(first.startTimeStampMsec - 1000 * startSeconds) < 1);
});
