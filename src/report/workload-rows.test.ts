import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleRecord, sampleWorkload } from '../../test/support/sample-record.ts';
import { toReportDocument } from './json.ts';
import { workloadRows } from './workload-rows.ts';

test('the log stands beside the step at its own load, request by request', () => {
  const record = { ...sampleRecord(), workload: sampleWorkload() };
  const rows = workloadRows(record, toReportDocument(record));
  const byName = new Map(rows.map(([name, ...values]) => [name, values]));
  assert.equal(byName.get('load')![1], '200 users');
  assert.equal(byName.get('throughput X')![1], '97.9/s');
  assert.deepEqual(byName.get('share of GET /search'), ['25 %', '25 %']);
});

test('without a log there is nothing to hold beside it', () => {
  const record = sampleRecord();
  assert.deepEqual(workloadRows(record, toReportDocument(record)), []);
});
