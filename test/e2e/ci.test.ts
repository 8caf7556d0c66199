import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RunRecord } from '../../src/model/record.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';
import { sampleRecord } from '../support/sample-record.ts';
import { closedStep, request, simulatePlan } from '../support/simulate.ts';

/** Twenty users for a minute on one processor whose requests take so long on average. */
function simulatedRun(serviceSeconds: number, seed: number): RunRecord {
  const plan = {
    seed,
    shape: 'steps',
    requests: [request('/a', 1)],
    thinkTimeSeconds: { kind: 'constant', meanSeconds: 1 },
    requestTimeoutSeconds: 30,
    steps: [closedStep(0, 20, 5, 60)],
  } as const;
  const { events } = simulatePlan(plan, {
    stations: [{ name: 'cpu', serverCount: 1 }],
    visits: { 'GET /a': [{ station: 'cpu', service: { kind: 'exponential', meanSeconds: serviceSeconds } }] },
  });
  const record = sampleRecord();
  return {
    ...record,
    manifest: { ...record.manifest, plan, targets: [] },
    measurements: events.flatMap((event) => (event.kind === 'step-finished' ? [event.measurement] : [])),
  };
}

/** Four runs in the folders 1 to 4, as `run --repeat 4` leaves them. */
function storeSet(folder: string, name: string, serviceSeconds: number): void {
  for (const seed of [1, 2, 3, 4]) {
    const record = simulatedRun(serviceSeconds, seed);
    mkdirSync(join(folder, name, String(seed)), { recursive: true });
    writeFileSync(join(folder, name, String(seed), 'run.json'), JSON.stringify(record.manifest));
    writeFileSync(join(folder, name, String(seed), 'record.json'), JSON.stringify(record));
  }
}

test('a baseline file passes equal runs and fails worse ones, with summary and annotations', async (t) => {
  const folder = temporaryFolder(t);
  storeSet(folder, 'good', 0.01);
  storeSet(folder, 'bad', 0.03);
  const made = await runCli(['export', 'good', '--to', 'baseline', '-o', 'baseline.json'], folder);
  assert.equal(made.code, 0, made.stderr);
  const env = { GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
  const equal = await runCli(['compare', 'baseline.json', 'good', '--github'], folder, { env });
  assert.equal(equal.code, 0, equal.stderr);
  assert.doesNotMatch(equal.stderr, /^::error/m);
  const worse = await runCli(['compare', 'baseline.json', 'bad', '--github'], folder, { env });
  assert.equal(worse.code, 1, worse.stderr);
  assert.match(worse.stderr, /^::error title=Load test%3A regression::p95/m);
  assert.match(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8'), /changed/);
});

test('outside GitHub Actions --github says what it needs; a file that is no baseline is refused', async (t) => {
  const folder = temporaryFolder(t);
  storeSet(folder, 'good', 0.01);
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
