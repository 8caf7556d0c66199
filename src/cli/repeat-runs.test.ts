import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sampleRecord } from '../../test/support/sample-record.ts';
import type { RunRecord } from '../model/record.ts';
import { findNoiseFloor } from '../session/noise-floors.ts';
import { readRuns } from '../session/run-set.ts';
import { repeatRuns } from './repeat-runs.ts';
import type { RepeatSide } from './repeat-runs.ts';

/** A terminal that keeps what is printed. */
function keptTerminal() {
  const printed: string[] = [];
  const terminal = {
    color: false,
    width: 100,
    print: (text: string) => printed.push(text),
    say: () => undefined,
  } as unknown as Parameters<typeof repeatRuns>[1]['terminal'];
  return { terminal, printed };
}

/** A record whose throughputs are a factor off, stored as a run folder. */
async function storeRun(path: string, factor: number, state: RunRecord['manifest']['state'] = 'completed') {
  const sample = sampleRecord();
  const steps = sample.analysis.steps.map((row) => ({
    ...row,
    throughputPerSecond: row.throughputPerSecond * factor,
  }));
  const record = {
    ...sample,
    manifest: { ...sample.manifest, state },
    analysis: { ...sample.analysis, steps },
  };
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'run.json'), JSON.stringify(record.manifest));
  await writeFile(join(path, 'record.json'), JSON.stringify(record));
  return { record, exitCode: 0 };
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shipload-repeat-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const sideOf = (folder: string, order: string[], state?: RunRecord['manifest']['state']): RepeatSide => ({
  folder,
  run: (path) => {
    order.push(path.slice(-3));
    return storeRun(path, 1 + 0.01 * order.length, state);
  },
});

test('repeats go into folders of their own; the floor lies beside the set and is found from every run', async () => {
  await inFolder(async (runs) => {
    const { terminal, printed } = keptTerminal();
    const set = join(runs, 'before');
    const exitCode = await repeatRuns([sideOf(set, [])], { count: 3, json: false, github: false, terminal });
    assert.equal(exitCode, 0);
    assert.match(printed[0]!, /3 runs in .*before\//);
    const records = await readRuns(set);
    assert.equal(records.length, 3);
    for (const path of [set, join(set, '2')]) {
      const floor = await findNoiseFloor(path, records[0]!);
      assert.equal(floor?.runCount, 3);
      const ratio = floor.ratios['throughputPerSecond at 200 users']!;
      assert.ok(ratio > 0.015 && ratio < 0.021, `${ratio}`);
    }
    assert.equal(JSON.parse(await readFile(join(runs, 'noise-floors.json'), 'utf8')).length, 1);
  });
});

test('a plan that was not repeated has no floor', async () => {
  await inFolder(async (runs) => {
    const { terminal } = keptTerminal();
    await repeatRuns([sideOf(join(runs, 'a'), [])], { count: 2, json: false, github: false, terminal });
    const { record } = await storeRun(join(runs, 'other'), 1);
    const plan = { ...record.manifest.plan, requestTimeoutSeconds: 5 };
    const other = { ...record, manifest: { ...record.manifest, plan } };
    assert.equal(await findNoiseFloor(join(runs, 'other'), other), undefined);
  });
});

test('two sides take turns and are compared', async () => {
  await inFolder(async (runs) => {
    const order: string[] = [];
    const { terminal, printed } = keptTerminal();
    const sides = [sideOf(join(runs, 'a'), order), sideOf(join(runs, 'b'), order)];
    await repeatRuns(sides, { count: 2, json: true, github: false, terminal });
    assert.deepEqual(order, ['a/1', 'b/1', 'b/2', 'a/2']);
    assert.equal((JSON.parse(printed[0]!) as { kind: string }).kind, 'comparison');
  });
});

test('a run that does not come to its end is the last', async () => {
  await inFolder(async (runs) => {
    const order: string[] = [];
    const { terminal } = keptTerminal();
    await repeatRuns([sideOf(join(runs, 'a'), order, 'interrupted')], {
      count: 5,
      json: false,
      github: false,
      terminal,
    });
    assert.deepEqual(order, ['a/1']);
  });
});

test('runs that lie side by side and are no repeats are not read as one', async () => {
  await inFolder(async (runs) => {
    await storeRun(join(runs, '1'), 1);
    await storeRun(join(runs, '2'), 1.01);
    assert.equal((await readRuns(runs)).length, 2);
    const { record } = await storeRun(join(runs, 'other'), 1);
    const rewrite = (manifest: object): Promise<void> =>
      writeFile(join(runs, 'other', 'record.json'), JSON.stringify({ ...record, manifest }));
    await rewrite({ ...record.manifest, label: 'other' });
    await assert.rejects(readRuns(runs), {
      code: 'usage',
      message: /3 runs of several names \(before, other\)/,
    });
    const [requestOf] = record.manifest.plan.requests;
    const plan = { ...record.manifest.plan, requests: [requestOf!] };
    await rewrite({ ...record.manifest, plan });
    await assert.rejects(readRuns(runs), {
      code: 'usage',
      message: /of several plans/,
      hint: /compare --before/,
    });
  });
});

test('--github tells of the whole set: how far the runs lay apart, the medians, one annotation a missed target', async (t) => {
  await inFolder(async (folder) => {
    const path = join(folder, 'summary.md');
    const before = process.env['GITHUB_STEP_SUMMARY'];
    process.env['GITHUB_STEP_SUMMARY'] = path;
    t.after(() => {
      if (before === undefined) delete process.env['GITHUB_STEP_SUMMARY'];
      else process.env['GITHUB_STEP_SUMMARY'] = before;
    });
    const { terminal } = keptTerminal();
    const said: string[] = [];
    const telling = { ...terminal, color: true, say: (text: string) => said.push(text) };
    await repeatRuns([sideOf(join(folder, 'set'), [])], {
      count: 2,
      json: true,
      github: true,
      terminal: telling,
    });
    const summary = await readFile(path, 'utf8');
    assert.match(summary, /2 runs in /);
    assert.match(summary, /^# /m);
    assert.ok(!summary.includes('\u001b'), 'colours do not belong into a file');
    const failed = sampleRecord().verdict.checks.filter(({ result }) => result !== 'pass').length;
    assert.equal(said.filter((line) => line.startsWith('::')).length, failed);
  });
});
