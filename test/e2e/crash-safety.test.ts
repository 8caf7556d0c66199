import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/host/free-port.ts';
import { startService } from '../../src/host/service-process.ts';
import type { ReportDocument } from '../../src/model/documents.ts';
import { MAIN, runCli, startCli, temporaryFolder, twoRoutesCommand, writeSmallLog } from '../support/cli.ts';
import { killRuns } from '../support/kill-runs.ts';

const SHORT = '--window all --users 4 --think 30ms..70ms --warmup 500ms --no-isolate -o out --json'.split(
  ' ',
);

const codesOf = (document: ReportDocument): readonly string[] =>
  document.steps.flatMap((step) => step.notices.map((notice) => notice.code));

function runShell(line: string, folder: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('/bin/sh', ['-c', line], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

test('runs killed at seeded moments leave readable reports, and their services end', async () => {
  for (const run of await killRuns(3, 11)) {
    assert.equal(run.exitCode, 0, run.complaint);
    assert.ok(run.serviceIsGone);
    // Seconds are counted, not timed: a busy machine may delay the tool, never lose what it stored.
    assert.ok(run.storedSeconds >= Math.floor(run.loadSeconds) - 1, JSON.stringify(run));
  }
});

test('a tool that was stopped and continued marks the step it stood still in, and only that', async (t) => {
  const folder = temporaryFolder(t);
  const port = await freePort();
  const service = ['--url', `http://127.0.0.1:${port}`, '--start', twoRoutesCommand(port)];
  const running = startCli(
    ['run', writeSmallLog(folder), ...SHORT, '--users', '2,4', '--step', '6s', ...service],
    folder,
  );
  await running.untilSaid(/watching process/);
  await sleep(1800);
  running.child.kill('SIGSTOP');
  await sleep(3000);
  running.child.kill('SIGCONT');
  const { stdout, stderr } = await running.finished;
  const document = JSON.parse(stdout) as ReportDocument;
  assert.deepEqual(
    document.steps.map((step) => step.notices.some(({ code }) => code === 'generator-stood-still')),
    [true, false],
    stderr,
  );
  assert.equal(document.steps[0]!.valid, false);
});

test('a wall clock that is set in mid-run changes no figure and is told', async (t) => {
  const folder = temporaryFolder(t);
  const port = await freePort();
  const stepping = join(folder, 'stepping.mjs');
  // As soon as the file `jump` is there the wall clock is a day back, as a time server or a person would set it.
  writeFileSync(
    stepping,
    `import { existsSync } from 'node:fs';
    const real = Date.now;
    Date.now = () => real() - (existsSync('jump') ? 86400e3 : 0);`,
  );
  const service = ['--url', `http://127.0.0.1:${port}`, '--start', twoRoutesCommand(port)];
  const running = startCli(['run', writeSmallLog(folder), ...SHORT, '--step', '4s', ...service], folder, {
    nodeArguments: ['--import', stepping],
  });
  await running.untilSaid(/watching process/);
  await sleep(2000);
  writeFileSync(join(folder, 'jump'), '');
  const { code, stdout, stderr } = await running.finished;
  // A machine with other work may spoil the step, which is told; its clock is what is asked here.
  assert.ok(code === 0 || code === 3, stderr);
  const document = JSON.parse(stdout) as ReportDocument;
  assert.ok(Math.abs(document.steps[0]!.windowSeconds! - 3.5) < 0.5);
  assert.ok(codesOf(document).includes('wall-clock-stepped'));
  assert.ok(!codesOf(document).includes('machine-suspended'));
});

test('out of descriptors: the step is marked as the generator’s fault, the record is written', async (t) => {
  const folder = temporaryFolder(t);
  const port = await freePort();
  // Started outside the limit, so that only the generator is short of descriptors.
  const service = await startService({
    command: twoRoutesCommand(port, { kind: 'async', 'slow-ms': 400 }),
    url: `http://127.0.0.1:${port}`,
    readyPath: '/stats',
    readyTimeoutSeconds: 20,
  });
  t.after(() => service.stop());
  const line = [
    `ulimit -n 256; '${process.execPath}' '${MAIN}' run '${writeSmallLog(folder)}'`,
    ...SHORT.map((word) => `'${word}'`),
    `--users 400 --users-per-second 4000 --step 3s --url http://127.0.0.1:${port} --port ${port} 2>talk`,
  ].join(' ');
  const { code, output } = await runShell(line, folder);
  const talk = readFileSync(join(folder, 'talk'), 'utf8');
  assert.equal(code, 3, talk);
  const document = JSON.parse(output) as ReportDocument;
  assert.equal(document.state, 'completed', talk);
  assert.ok(codesOf(document).includes('generator-out-of-resources'));
  assert.equal((await runCli(['report', 'out', '--json'], folder)).code, 0);
});
