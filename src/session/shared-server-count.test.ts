import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cumulative, soundStep } from '../../test/support/measurements.ts';
import { sampleRecord } from '../../test/support/sample-record.ts';
import type { RunRecord } from '../model/record.ts';
import { concludeRun } from '../pipeline.ts';
import { compareRuns } from './compare-runs.ts';
import { withSharedServerCount } from './shared-server-count.ts';

/** A run of one step whose process may use `allowed` cores, `threadPerSecond` of 0.8 on its busiest thread. */
function runOf(label: string, threadPerSecond: number, allowed: number, cores?: number): RunRecord {
  const { manifest } = sampleRecord();
  const counters = [
    cumulative('process', 'cpuSeconds', 0.8, 60, allowed),
    cumulative('process', 'busiestThreadCpuSeconds', threadPerSecond, 60),
  ];
  const { serverCount: _, serverCountSource: __, ...service } = manifest.service;
  const given = cores === undefined ? {} : { serverCount: cores, serverCountSource: '--cores' };
  return concludeRun({
    manifest: { ...manifest, label, targets: [], service: { ...service, ...given } },
    measurements: [soundStep({ counters })],
  });
}

const countsOf = (records: readonly RunRecord[]) =>
  records.map(({ manifest }) => manifest.service.serverCount);
const cpuOf = ({ analysis }: RunRecord) => analysis.steps[0]!.utilizationRatio['cpu']!;

test('runs that are compared are divided by one m, the largest that any of them showed, and it is said', () => {
  const idle = runOf('before', 0.78, 2);
  const busy = runOf('after', 0.5, 2);
  assert.deepEqual(countsOf([idle, busy]), [1, 2]);
  const { comparison, before, after } = compareRuns([idle], [busy]);
  assert.deepEqual(countsOf([before, after]), [2, 2]);
  // The same CPU seconds of the same window: the same utilisation, B/(T·m) = 0.8/2.
  for (const record of [before, after]) assert.ok(Math.abs(cpuOf(record) - 0.4) < 1e-9);
  const codes = comparison.notices.map(({ code }) => code);
  assert.ok(codes.includes('server-count-shared') && !codes.includes('server-count-differs'), codes.join());
});

test('an m that was given stays, and so does that of services that are allowed different numbers of cores', () => {
  const given = [runOf('before', 0.78, 2, 1), runOf('after', 0.5, 2)];
  assert.deepEqual(countsOf(withSharedServerCount(given)), [1, 2]);
  const larger = [runOf('before', 0.5, 2), runOf('after', 0.5, 4)];
  assert.deepEqual(countsOf(withSharedServerCount(larger)), [2, 4]);
  const { notices } = compareRuns([larger[0]!], [larger[1]!]).comparison;
  assert.ok(notices.some(({ code }) => code === 'server-count-differs'));
});

test('runs of one m stay the very records they were', () => {
  const records = [runOf('a', 0.5, 2), runOf('b', 0.5, 2)];
  assert.equal(withSharedServerCount(records), records);
});
