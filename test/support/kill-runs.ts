import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/host/free-port.ts';
import { parseSegments } from '../../src/host/segments.ts';
import type { ReportDocument } from '../../src/model/documents.ts';
import { createRandom } from '../../src/stats/random.ts';
import { isAlive, runCli, startCli, twoRoutesCommand, writeSmallLog } from './cli.ts';

/** Two steps of two seconds: a kill may fall into a warm-up, a window, the end, or after it. */
const STEPS = ['--window', 'all', '--users', '4,8', '--step', '2s', '--warmup', '500ms', '--no-isolate'];
const LATEST_KILL_SECONDS = 5;

/** What was left of one run that was killed. */
export interface KilledRun {
  /** Since the load began, by the plan of the test. */
  readonly killedAfterSeconds: number;
  readonly exitCode: number | null;
  readonly complaint: string;
  readonly state: string | undefined;
  readonly storedSeconds: number;
  /** From the first to the last request the service saw: its own clock, not the tool's. */
  readonly loadSeconds: number;
  readonly serviceIsGone: boolean;
}

/** Kills runs by SIGKILL at seeded moments, and reads back what each left. */
export async function killRuns(count: number, seed: number): Promise<readonly KilledRun[]> {
  const random = createRandom(seed);
  const moments = Array.from({ length: count }, () => random.next() * LATEST_KILL_SECONDS);
  const killed: KilledRun[] = [];
  const work = async (): Promise<void> => {
    for (let moment = moments.pop(); moment !== undefined; moment = moments.pop())
      killed.push(await killRun(moment));
  };
  await Promise.all([work(), work()]);
  return killed;
}

async function killRun(killedAfterSeconds: number): Promise<KilledRun> {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-kill-'));
  try {
    const port = await freePort();
    const arrivals = join(folder, 'arrivals');
    const start = twoRoutesCommand(port, { 'arrivals-file': arrivals, 'slow-ms': 2 });
    const log = writeSmallLog(folder);
    const place = ['--url', `http://127.0.0.1:${port}`, '--start', start, '-o', 'out'];
    const running = startCli(['run', log, ...STEPS, '--think', '30ms..70ms', ...place], folder);
    let said = '';
    running.child.stderr!.on('data', (chunk: string) => (said += chunk));
    await running.untilSaid(/watching process/);
    const servicePid = Number(/watching process (\d+)/.exec(said)![1]);
    await sleep(killedAfterSeconds * 1000);
    running.child.kill('SIGKILL');
    await running.finished;
    const serviceIsGone = await isGone(servicePid);
    return { killedAfterSeconds, serviceIsGone, ...(await readBack(folder, arrivals)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isGone(pid: number): Promise<boolean> {
  for (let i = 0; i < 200 && isAlive(pid); i += 1) await sleep(25);
  return !isAlive(pid);
}

async function readBack(folder: string, arrivalsFile: string) {
  const report = await runCli(['report', 'out', '--json'], folder);
  const segmentsFile = join(folder, 'out', 'segments.jsonl');
  const segments = existsSync(segmentsFile)
    ? parseSegments(readFileSync(segmentsFile, 'utf8'), segmentsFile)
    : [];
  const times = existsSync(arrivalsFile)
    ? readFileSync(arrivalsFile, 'utf8').trim().split('\n').map(Number)
    : [0];
  return {
    exitCode: report.code,
    complaint: report.stderr,
    state: report.code === 0 ? (JSON.parse(report.stdout) as ReportDocument).state : undefined,
    storedSeconds: segments.at(-1)?.frame.endedAtSeconds ?? 0,
    loadSeconds: (times.at(-1)! - times[0]!) / 1000,
  };
}
