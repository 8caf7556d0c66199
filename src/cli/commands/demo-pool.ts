import { join } from 'node:path';
import {
  MORE_POOL_SLOTS,
  POOL_SLOTS,
  poolCommand,
  POOL_STATS_PATH,
  type PoolStatistics,
} from '../../demo/pool/index.ts';
import { readPool, readWork } from '../../demo/pool/readings.ts';
import { ShiploadError } from '../../errors.ts';
import { freePort } from '../../host/free-port.ts';
import { startService } from '../../host/service-process.ts';
import type { Prediction } from '../../model/prediction.ts';
import type { Comparison, RunRecord } from '../../model/record.ts';
import { compareRecords } from '../../record/compare-records.ts';
import { renderComparison } from '../../report/comparison-text.ts';
import { toComparisonDocument, toPredictionDocument, toReportDocument } from '../../report/json.ts';
import { renderPrediction } from '../../report/prediction-text.ts';
import { bullets, renderText } from '../../report/text.ts';
import { predictionFile } from '../../session/kept-predictions.ts';
import { predictRun } from '../../session/predict-run.ts';
import type { RunRequest } from '../../session/run-request.ts';
import type { CommandContext } from '../command.ts';
import type { OptionValues } from '../options/index.ts';
import { plannedUrl } from '../run-request.ts';
import { type FinishedRun, runToEnd } from '../run-to-end.ts';
import { writeOutput } from '../write-output.ts';

const QUICK = { duration: 2.5, warmup: 0.5 } as const;
const FULL = { duration: 15, warmup: 2 } as const;
const POOL_WORKERS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const WORK_WORKERS = [1, 2, 4, 8, 16, 50];
const READY_SECONDS = 10;
const WAIT_MILLISECONDS = 5;

/**
 * Two throughput curves of one small service, and what bends each: a full pool, and a core that is shared. Then the
 * remedy of the pool: predicted from its curve, built, and the prediction scored at every load.
 */
export async function demoPool(
  folder: string,
  options: OptionValues,
  context: CommandContext,
): Promise<number> {
  const { terminal } = context;
  const eight = await withService(POOL_SLOTS, folder, options, context, async (place) => {
    terminal.say(`1. /pool: ${POOL_SLOTS} slots, each request holds one for 5 ms and hardly uses the CPU.`);
    const pool = await sweepRoute('/pool', POOL_WORKERS, place);
    const statistics = (await (await fetch(new URL(POOL_STATS_PATH, place.url))).json()) as PoolStatistics;
    show(pool, readPool(pool.record.analysis.steps, statistics), place);
    if (pool.record.manifest.state !== 'completed') return [pool];
    terminal.say('2. /work: nothing but CPU, on one thread.');
    const work = await sweepRoute('/work', WORK_WORKERS, place);
    show(work, readWork(work.record.analysis.steps), place);
    return [pool, work];
  });
  const [before] = eight as [FinishedRun];
  if (eight.some(({ record }) => record.manifest.state !== 'completed'))
    return finish(eight, undefined, folder, options, context);
  terminal.say(
    `3. The remedy of /pool, ${MORE_POOL_SLOTS} slots: what it would bring, from the curve of 1., before it is built.`,
  );
  const prediction = await foretell(before.record, folder, options, context);
  const after = await withService(MORE_POOL_SLOTS, folder, options, context, (place) =>
    sweepRoute('/pool', POOL_WORKERS, place, `pool-${MORE_POOL_SLOTS}`),
  );
  const comparison = compareRecords([before.record], [after.record], undefined, prediction);
  if (options.json !== true) {
    terminal.say('   Before and after, and the prediction beside what came true.');
    terminal.print(renderComparison(comparison, before.record, after.record, terminal));
  }
  return finish([...eight, after], comparison, folder, options, context);
}

/** The sweep with more slots as `shipload predict` foretells it, kept beside the run; none where the run has no demands. */
async function foretell(
  before: RunRecord,
  folder: string,
  options: OptionValues,
  { terminal }: CommandContext,
): Promise<readonly Prediction[]> {
  const whatIf = [`pool=${MORE_POOL_SLOTS}`];
  try {
    const prediction = predictRun(before, whatIf);
    if (options.json !== true) terminal.print(renderPrediction(prediction, terminal));
    const text = `${JSON.stringify(toPredictionDocument(prediction), null, 1)}\n`;
    await writeOutput(text, predictionFile(join(folder, 'pool'), whatIf), terminal);
    return [prediction];
  } catch (error) {
    if (!(error instanceof ShiploadError) || !['run-invalid', 'option-invalid'].includes(error.code))
      throw error;
    terminal.say(`   It cannot be predicted: ${error.message}.`);
    return [];
  }
}

/** The service with so many slots for as long as `use` takes. */
async function withService<Result>(
  slots: number,
  folder: string,
  options: OptionValues,
  context: CommandContext,
  use: (place: Place) => Promise<Result>,
): Promise<Result> {
  const url = new URL(`http://127.0.0.1:${await freePort()}/`);
  const service = await startService({
    command: poolCommand(Number(url.port), WAIT_MILLISECONDS, slots),
    url: url.href,
    readyPath: POOL_STATS_PATH,
    readyTimeoutSeconds: READY_SECONDS,
  });
  try {
    return await use({ url, pid: service.pid, folder, options, context });
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

function sweepRoute(
  route: string,
  workers: readonly number[],
  place: Place,
  label = route.slice(1),
): Promise<FinishedRun> {
  const { url, pid, folder, options, context } = place;
  const target = new URL(route, url);
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

function finish(
  runs: readonly FinishedRun[],
  comparison: Comparison | undefined,
  folder: string,
  options: OptionValues,
  context: CommandContext,
): number {
  if (options.json === true) {
    const documents = Object.fromEntries(
      runs.map(({ record }) => [record.manifest.label, toReportDocument(record)]),
    );
    const compared = comparison === undefined ? {} : { comparison: toComparisonDocument(comparison) };
    context.terminal.print(`${JSON.stringify({ ...documents, ...compared })}\n`);
  }
  context.terminal.say(`Reports and measurements are in ${folder}/.`);
  return Math.max(...runs.map(({ exitCode }) => exitCode));
}
