import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/host/free-port.ts';
import type { ReportDocument } from '../../src/model/documents.ts';
import {
  isAlive,
  MAIN,
  runCli,
  startCli,
  temporaryFolder,
  twoRoutesCommand,
  writeSmallLog,
} from '../support/cli.ts';

const LONG = [
  '--window',
  'all',
  '--users',
  '8',
  '--step',
  '30s',
  '--warmup',
  '500ms',
  '--think',
  '100ms..300ms',
  '-o',
  'out',
];

/** The pid that the tool says it watches. */
const watchedPid = (stderr: string): number => Number(/watching process (\d+)/.exec(stderr)![1]);

/** A run of half a minute against a service that it starts. */
async function startLongRun(t: TestContext) {
  const folder = temporaryFolder(t);
  const port = await freePort();
  const service = ['--url', `http://127.0.0.1:${port}`, '--start', twoRoutesCommand(port)];
  return { folder, running: startCli(['run', writeSmallLog(folder), ...LONG, ...service], folder) };
}

async function untilGone(pid: number): Promise<void> {
  for (let i = 0; i < 100 && isAlive(pid); i += 1) await sleep(50);
  assert.ok(!isAlive(pid), `process ${pid} was left behind`);
}

test('Ctrl-C: exit 130, what was measured is reported and readable, the service is gone', async (t) => {
  const { folder, running } = await startLongRun(t);
  await running.untilSaid(/watching process/);
  await sleep(3000);
  running.child.kill('SIGINT');
  const { code, stdout, stderr } = await running.finished;
  assert.equal(code, 130, stderr);
  assert.match(stdout, /interrupted/);
  await untilGone(watchedPid(stderr));
  const report = await runCli(['report', 'out', '--json'], folder);
  const document = JSON.parse(report.stdout) as ReportDocument;
  assert.equal(document.state, 'interrupted');
  assert.ok(document.steps[0]!.completionCount! > 20);
});

test('a terminal that is closed: what was measured is kept, the service is gone', async (t) => {
  const { folder, running } = await startLongRun(t);
  await running.untilSaid(/watching process/);
  await sleep(2500);
  // Its other end is gone too: nothing that is said arrives.
  running.child.stderr!.destroy();
  running.child.kill('SIGHUP');
  const { code, stderr } = await running.finished;
  assert.equal(code, 143, stderr);
  await untilGone(watchedPid(stderr));
  const report = await runCli(['report', 'out', '--json'], folder);
  assert.equal((JSON.parse(report.stdout) as ReportDocument).state, 'interrupted');
});

test('a result that cannot be printed is exit 4, not a short one', async (t) => {
  if (!existsSync('/dev/full')) {
    t.skip('there is no /dev/full');
    return;
  }
  const folder = temporaryFolder(t);
  const line = `'${process.execPath}' '${MAIN}' model '${writeSmallLog(folder)}' --window all --json > /dev/full`;
  const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 4, stderr);
  assert.match(stderr, /the disk is full/);
});

test('SIGTERM: exit 143', async (t) => {
  const { running } = await startLongRun(t);
  await running.untilSaid(/watching process/);
  await sleep(1500);
  running.child.kill('SIGTERM');
  assert.equal((await running.finished).code, 143);
});

test('SIGKILL of the tool: the service is gone, all but the last second can be reported', async (t) => {
  const { folder, running } = await startLongRun(t);
  let said = '';
  running.child.stderr!.on('data', (chunk: string) => (said += chunk));
  await running.untilSaid(/watching process/);
  await sleep(4500);
  running.child.kill('SIGKILL');
  await running.finished;
  await untilGone(watchedPid(said));
  const report = await runCli(['report', 'out', '--json'], folder);
  assert.equal(report.code, 0, report.stderr);
  const document = JSON.parse(report.stdout) as ReportDocument;
  assert.equal(document.state, 'interrupted');
  assert.ok(
    document.steps[0]!.windowSeconds! >= 2,
    `${document.steps[0]!.windowSeconds} s of about 4 were kept`,
  );
});

test('a service that dies in mid-run: exit 3, its name for it, what was measured is kept', async (t) => {
  const folder = temporaryFolder(t);
  const port = await freePort();
  const start = twoRoutesCommand(port, { 'die-after-ms': 4000 });
  const { code, stdout, stderr } = await runCli(
    ['run', writeSmallLog(folder), ...LONG, '--url', `http://127.0.0.1:${port}`, '--start', start, '--json'],
    folder,
  );
  assert.equal(code, 3, stderr);
  assert.match(stderr, /\[service-gone\]/);
  const document = JSON.parse(stdout) as ReportDocument;
  assert.equal(document.state, 'service-gone');
  assert.ok(document.steps[0]!.completionCount! > 20);
  assert.ok(existsSync(join(folder, 'out', 'record.json')));
});

test('nothing at the url, a port in use, a start command that ends, one that never listens: exit 4 and nothing left', async (t) => {
  const folder = temporaryFolder(t);
  const log = writeSmallLog(folder);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const holder = createServer((_, response) => response.end());
  t.after(() => holder.close());
  const cases = [
    { args: [], code: /service-unreachable/ },
    {
      args: ['--start', 'echo out of paint >&2; exit 3'],
      code: /out of paint[\s\S]*service-start-failed|service-start-failed[\s\S]*out of paint/,
    },
    { args: ['--start', 'exec sleep 30', '--ready-timeout', '500ms'], code: /service-never-ready/ },
  ];
  for (const { args, code } of cases) {
    const finished = await runCli(['run', log, ...LONG, '--url', url, ...args], folder);
    assert.equal(finished.code, 4, finished.stderr);
    assert.match(finished.stderr, code);
    assert.equal(finished.stdout, '');
  }
  await new Promise<void>((resolve) => holder.listen(port, '127.0.0.1', resolve));
  const taken = await runCli(['run', log, ...LONG, '--url', url, '--start', twoRoutesCommand(port)], folder);
  assert.equal(taken.code, 4);
  assert.match(taken.stderr, /port-in-use/);
  assert.ok(!existsSync(join(folder, 'out')), 'no half-written run folder');
});

test('places that cannot be written: exit 4 at once, also where a parent refuses children', async (t) => {
  const folder = temporaryFolder(t);
  const log = writeSmallLog(folder);
  const port = await freePort();
  for (const place of ['/proc/nowhere', `${log}/x`]) {
    const args = [
      'run',
      log,
      '--window',
      'all',
      '--users',
      '8',
      '-o',
      place,
      '--url',
      `http://127.0.0.1:${port}`,
      '--start',
      twoRoutesCommand(port),
    ];
    const { code, stderr } = await runCli(args, folder);
    assert.equal(code, 4, stderr);
    assert.match(stderr, /cannot-write/);
  }
});

test('a disk that fills up: exit 4, the result is printed all the same, what was written can be reported', async (t) => {
  const folder = temporaryFolder(t);
  const small = join(folder, 'small');
  mkdirSync(small);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40k', 'tmpfs', small], { stdio: 'ignore' });
  } catch {
    t.skip('mounting a small file system takes root');
    return;
  }
  try {
    await fillDisk(folder);
  } finally {
    execFileSync('umount', [small]);
  }
});

async function fillDisk(folder: string): Promise<void> {
  const port = await freePort();
  const args = [
    ...LONG.slice(0, -2),
    '--step',
    '8s',
    '--url',
    `http://127.0.0.1:${port}`,
    '--start',
    twoRoutesCommand(port),
    '-o',
    'small/out',
    '--json',
  ];
  const { code, stdout, stderr } = await runCli(['run', writeSmallLog(folder), ...args], folder);
  assert.equal(code, 4, stderr);
  assert.match(stderr, /the disk is full/);
  assert.ok((JSON.parse(stdout) as ReportDocument).steps[0]!.completionCount! > 100);
  const left = readdirSync(join(folder, 'small', 'out'));
  assert.deepEqual(
    left.filter((name) => name.endsWith('.part')),
    [],
    'no half-written file',
  );
  const report = await runCli(['report', 'small/out', '--json'], folder);
  assert.equal(report.code, 0, report.stderr);
  assert.ok((JSON.parse(report.stdout) as ReportDocument).steps[0]!.completionCount! > 50);
}

test('two runs into one folder: the second is refused and the first stays', async (t) => {
  const folder = temporaryFolder(t);
  const log = writeSmallLog(folder);
  const port = await freePort();
  const args = [
    'run',
    log,
    '--window',
    'all',
    '--users',
    '4',
    '--step',
    '2s',
    '--warmup',
    '500ms',
    '--think',
    '50ms',
    '-o',
    'out',
    '--url',
    `http://127.0.0.1:${port}`,
    '--start',
    twoRoutesCommand(port),
  ];
  assert.notEqual((await runCli(args, folder)).code, 4);
  const before = readFileSync(join(folder, 'out', 'record.json'));
  const second = await runCli(args, folder);
  assert.equal(second.code, 4);
  assert.match(second.stderr, /run-folder-in-use/);
  assert.deepEqual(readFileSync(join(folder, 'out', 'record.json')), before);
});
