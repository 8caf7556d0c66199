import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RunRecord } from '../../src/model/record.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';
import { sampleAfterRecord, sampleRecord } from '../support/sample-record.ts';

/** Four runs in the folders 1 to 4, as `run --repeat 4` leaves them. */
function storeSet(folder: string, name: string, record: RunRecord): void {
  for (const run of ['1', '2', '3', '4']) {
    mkdirSync(join(folder, name, run), { recursive: true });
    writeFileSync(join(folder, name, run, 'run.json'), JSON.stringify(record.manifest));
    writeFileSync(join(folder, name, run, 'record.json'), JSON.stringify(record));
  }
}

test('a baseline file passes equal runs and fails worse ones, with summary and annotations', async (t) => {
  const folder = temporaryFolder(t);
  storeSet(folder, 'good', sampleAfterRecord());
  storeSet(folder, 'bad', sampleRecord());
  const made = await runCli(['export', 'good', '--to', 'baseline', '-o', 'baseline.json'], folder);
  assert.equal(made.code, 0, made.stderr);
  const env = { GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
  const equal = await runCli(['compare', 'baseline.json', 'good', '--github'], folder, { env });
  assert.equal(equal.code, 0, equal.stderr);
  assert.doesNotMatch(equal.stderr, /^::error/m);
  const worse = await runCli(['compare', 'baseline.json', 'bad', '--github'], folder, { env });
  assert.equal(worse.code, 1, worse.stderr);
  assert.match(worse.stderr, /^::error title=[^\n]+$/m);
  assert.match(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8'), /no longer/);
});

test('outside GitHub Actions --github says what it needs; a file that is no baseline is refused', async (t) => {
  const folder = temporaryFolder(t);
  storeSet(folder, 'good', sampleAfterRecord());
  const outside = await runCli(['compare', 'good', 'good', '--github'], folder, {
    env: { GITHUB_STEP_SUMMARY: '' },
  });
  assert.equal(outside.code, 2);
  assert.match(outside.stderr, /GITHUB_STEP_SUMMARY/);
  writeFileSync(join(folder, 'baseline.json'), '{"kind":"baseline","schemaVersion":9}');
  const wrong = await runCli(['compare', 'baseline.json', 'good'], folder);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /holds no run of version 1/);
});
