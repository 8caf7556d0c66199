import { join } from 'node:path';
import { poolCommand, POOL_STATS_PATH, type PoolStatistics } from '../../demo/pool/index.ts';
import { readPool, readWork } from '../../demo/pool/readings.ts';
import { freePort } from '../../host/free-port.ts';
import { startService } from '../../host/service-process.ts';
import { toReportDocument } from '../../report/json.ts';
import { bullets, renderText } from '../../report/text.ts';
import type { RunRequest } from '../../session/run-request.ts';
import type { CommandContext } from '../command.ts';
import type { OptionValues } from '../options/index.ts';
import { plannedUrl } from '../run-request.ts';
import { type FinishedRun, runToEnd } from '../run-to-end.ts';

const QUICK = { duration: 2.5, warmup: 0.5 } as const;
const FULL = { duration: 15, warmup: 2 } as const;
const POOL_WORKERS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const WORK_WORKERS = [1, 2, 4, 8, 16, 50];
const READY_SECONDS = 10;

/** Two throughput curves of one small service, and what bends each: a full pool, and a core that is shared. */
export async function demoPool(
  folder: string,
  options: OptionValues,
  context: CommandContext,
): Promise<number> {
  const { terminal } = context;
  const url = new URL(`http://127.0.0.1:${await freePort()}/`);
  const service = await startService({
    command: poolCommand(Number(url.port)),
    url: url.href,
    readyPath: POOL_STATS_PATH,
    readyTimeoutSeconds: READY_SECONDS,
  });
  const place = { url, pid: service.pid, folder, options, context };
  try {
    terminal.say('1. /pool: 8 slots, each request holds one for 5 ms and hardly uses the CPU.');
    const pool = await sweepRoute('/pool', POOL_WORKERS, place);
    const statistics = (await (await fetch(new URL(POOL_STATS_PATH, url))).json()) as PoolStatistics;
    show(pool, readPool(pool.record.analysis.steps, statistics), place);
    if (pool.record.manifest.state !== 'completed') return finish([pool], place);
    terminal.say('2. /work: nothing but CPU, on one thread.');
    const work = await sweepRoute('/work', WORK_WORKERS, place);
    show(work, readWork(work.record.analysis.steps), place);
    return finish([pool, work], place);
  } finally {
    await service.stop();
  }
}

interface Place {
  readonly url: URL;
  readonly pid: number;
  readonly folder: string;
  readonly options: OptionValues;
  readonly context: CommandContext;
}

function sweepRoute(route: string, workers: readonly number[], place: Place): Promise<FinishedRun> {
  const { url, pid, folder, options, context } = place;
  const target = new URL(route, url);
  const label = route.slice(1);
  const pace = options.full === true ? FULL : QUICK;
  const sweep = { ...pace, concurrency: workers, seed: options.seed ?? 7 };
  const { plan, peakLoad, notices } = plannedUrl(target, undefined, [], sweep);
  const request: RunRequest = {
    label,
    plan,
    peakLoad,
    targets: [],
    marginRatio: 0.1,
    writeSamples: false,
    commandLine: commandLineOf(target, workers, pace),
    planNotices: notices,
  };
  const service = {
    url: target,
    readyPath: POOL_STATS_PATH,
    readyTimeoutSeconds: READY_SECONDS,
    pid,
    pages: [POOL_STATS_PATH],
  };
  return runToEnd(request, join(folder, label), service, context);
}

/** The same sweep by hand, for a service that is left running. */
const commandLineOf = (target: URL, workers: readonly number[], pace: typeof QUICK | typeof FULL) => {
  const times = ['-z', `${pace.duration}s`, '--warmup', `${pace.warmup}s`];
  return ['shipload', 'run', target.href, '-c', workers.join(','), ...times, '--stats', POOL_STATS_PATH];
};

function show({ record }: FinishedRun, readings: readonly string[], { options, context }: Place): void {
  if (options.json === true) return;
  const { terminal } = context;
  terminal.print(renderText(record, terminal));
  terminal.say('What to read from it');
  for (const line of bullets(readings, terminal.width)) terminal.say(line);
}

function finish(runs: readonly FinishedRun[], { folder, options, context }: Place): number {
  if (options.json === true) {
    const documents = runs.map(({ record }) => [record.manifest.label, toReportDocument(record)]);
    context.terminal.print(`${JSON.stringify(Object.fromEntries(documents))}\n`);
  }
  context.terminal.say(`Reports and measurements are in ${folder}/.`);
  return Math.max(...runs.map(({ exitCode }) => exitCode));
}
