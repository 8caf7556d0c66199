import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  comparisonDocumentSchema,
  explanationDocumentSchema,
  predictionDocumentSchema,
} from '../../src/record/schema/documents.ts';
import { toIsolationDocument } from '../../src/report/json.ts';
import { baselineText } from '../../src/session/baseline.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';
import { sampleIsolation, sampleRecord, sampleWorkload } from '../support/sample-record.ts';

test('predict reads a run, an isolation, and an isolation with another workload', async (t) => {
  const folder = temporaryFolder(t);
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  write('record.json', sampleRecord());
  write('isolation.json', toIsolationDocument(sampleIsolation()));
  write('workload.json', sampleWorkload());
  const ofRun = await runCli(['predict', 'record.json', '--json'], folder);
  assert.equal(ofRun.code, 0, ofRun.stderr);
  const prediction = predictionDocumentSchema.parse(JSON.parse(ofRun.stdout));
  assert.ok(prediction.steps.length > 0);
  const alone = await runCli(['predict', 'isolation.json', '--users', '1,50', '--think', '2s'], folder);
  assert.equal(alone.code, 0, alone.stderr);
  assert.match(alone.stdout, /Predicted curve/);
  const mixed = await runCli(['predict', 'isolation.json', 'workload.json', '--json'], folder);
  assert.equal(mixed.code, 0, mixed.stderr);
  assert.equal(predictionDocumentSchema.parse(JSON.parse(mixed.stdout)).basis, 'isolated routes');
  const refused = await runCli(['predict', 'isolation.json', '--what-if', 'D(/none)*2'], folder);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /no demands of \/none/);
});

test('explain tells where a number comes from, and what was meant by a field that is not there', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'record.json'), JSON.stringify(sampleRecord()));
  const known = await runCli(['explain', 'record.json', 'plan.seed', '--json'], folder);
  assert.equal(known.code, 0, known.stderr);
  assert.equal(explanationDocumentSchema.parse(JSON.parse(known.stdout)).field, 'plan.seed');
  const absent = await runCli(['explain', 'record.json', 'knee.users'], folder);
  assert.equal(absent.code, 0, absent.stderr);
  // The record is concluded again: without measurements no step is left.
  assert.match(absent.stdout, /^knee\.users = not seen\n +why +no valid step with any throughput\n/);
  const mistyped = await runCli(['explain', 'record.json', 'plan.sead'], folder);
  assert.equal(mistyped.code, 2);
  assert.match(mistyped.stderr, /Did you mean seed\?/);
});

test('compare takes several runs a side, and two sides or none', async (t) => {
  const folder = temporaryFolder(t);
  const names = ['a1', 'a2', 'b1', 'b2'].map((name) => `${name}.json`);
  // As baselines: they keep their steps, where a run without measurements is concluded to have none.
  for (const name of names) writeFileSync(join(folder, name), baselineText({ records: [sampleRecord()] }));
  const several = await runCli(
    ['compare', '--before', ...names.slice(0, 2), '--after', ...names.slice(2), '--json'],
    folder,
  );
  assert.equal(several.code, 0, several.stderr);
  const { before, after } = comparisonDocumentSchema.parse(JSON.parse(several.stdout));
  assert.deepEqual([before.runCount, after.runCount], [2, 2]);
  const oneSided = await runCli(['compare', '--before', 'a1.json'], folder);
  assert.equal(oneSided.code, 2);
  assert.match(oneSided.stderr, /no run was given after the change/);
  const none = await runCli(['compare', 'a1.json'], folder);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /two sides/);
  const both = await runCli(
    ['compare', 'a1.json', 'a2.json', '--before', 'b1.json', '--after', 'b2.json'],
    folder,
  );
  assert.equal(both.code, 2);
  assert.match(both.stderr, /a1\.json stands outside --before and --after/);
});
