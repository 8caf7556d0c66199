import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/cli.ts';
import { sampleAfterRecord, sampleRecord } from '../../test/support/sample-record.ts';
import { compareRecords } from '../record/compare-records.ts';
import { machineOf } from '../record/noise-floor.ts';
import { baselineText, readSide } from './baseline.ts';

test('a baseline compares as the runs it was made of, and fits a repository', async (t) => {
  const path = join(temporaryFolder(t), 'baseline.json');
  const before = Array.from({ length: 4 }, () => sampleRecord());
  const after = Array.from({ length: 4 }, () => sampleAfterRecord());
  const noiseFloor = {
    kind: 'noise-floor' as const,
    schemaVersion: 1 as const,
    planHash: 'abc',
    machine: machineOf(before[0]!.manifest),
    runCount: 4,
    ratios: { 'throughputPerSecond at 200 users': 0.05 },
  };
  const text = baselineText({ records: before, noiseFloor });
  writeFileSync(path, text);
  const side = await readSide(path);
  assert.deepEqual(side.noiseFloor, noiseFloor);
  assert.deepEqual(
    compareRecords(side.records, after, noiseFloor),
    compareRecords(before, after, noiseFloor),
  );
  assert.ok(text.length / before.length < 40_000, `${text.length / before.length} characters a run`);
});

test('a baseline of another version is refused with what to do', async (t) => {
  const path = join(temporaryFolder(t), 'baseline.json');
  writeFileSync(path, '{"kind":"baseline","schemaVersion":2,"records":[]}');
  await assert.rejects(readSide(path), { code: 'record-invalid', hint: /--to baseline/ });
});
