import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepRow } from '../model/analysis.ts';
import { stepRow } from '../../test/support/step-rows.ts';
import { samplePoolRecord, sampleRecord } from '../../test/support/sample-record.ts';
import { toReportDocument } from './json.ts';
import { capacityFacts } from './facts.ts';
import { stepColumns, stepNotes } from './step-columns.ts';

const cell = (heading: string, row: StepRow): string =>
  stepColumns([row])
    .find((column) => column.heading === heading)!
    .cell(row);
const timed = (sampleCount?: number): StepRow =>
  stepRow({
    concurrency: 4,
    overall: { p50Seconds: 0.01, p95Seconds: 0.02, ...(sampleCount !== undefined && { sampleCount }) },
  });

for (const [count, p50, p95, p99] of [
  [19, '10.0?', '20.0?', '–'],
  [20, '10.0', '20.0?', '–'],
  [199, '10.0', '20.0?', '–'],
  [200, '10.0', '20.0', '–'],
  [undefined, '10.0', '20.0', '–'],
] as const) {
  test(`percentiles of ${count ?? 'an unknown number of'} samples: ${p50}, ${p95}, ${p99}`, () => {
    const row = timed(count);
    assert.deepEqual([cell('p50', row), cell('p95', row), cell('p99', row)], [p50, p95, p99]);
    const marked = p95.endsWith('?');
    assert.deepEqual(stepNotes([row]), marked ? ['? fewer than ten samples beyond'] : []);
  });
}

test('errors are a count, else a share, else a dash', () => {
  assert.equal(cell('err', stepRow({ users: 1, errorCount: 3 })), '3');
  assert.equal(cell('err', stepRow({ users: 1, errorRatio: 0.03, errorCountUnknown: true })), '3%');
  const unknown = { errorCountUnknown: true, errorRatioUnknown: true } as const;
  assert.equal(cell('err', stepRow({ users: 1, ...unknown })), '–');
});

test('steps of which nothing could be checked are not called valid without saying so', () => {
  const record = sampleRecord();
  const validity = (steps: readonly StepRow[]): string =>
    capacityFacts({ ...toReportDocument(record), steps })[0]!.value;
  const unchecked = [1, 2].map((users, index) => stepRow({ index, users }));
  assert.equal(
    validity(unchecked),
    "all 2 steps are valid as far as the table tells: the generator and Little's law could not be checked",
  );
  assert.equal(validity(record.analysis.steps), `all ${record.analysis.steps.length} steps are valid`);
  assert.match(capacityFacts(toReportDocument(samplePoolRecord()))[0]!.value, /1 of 9 steps not valid/);
});
