import { stat } from 'node:fs/promises';
import { basisOfIsolation } from '../../analysis/demand-basis.ts';
import type { DemandBasis } from '../../analysis/demand-basis.ts';
import { predictCurve } from '../../analysis/predict.ts';
import type { PredictOptions } from '../../analysis/predict.ts';
import { basisOfRun } from '../../analysis/run-basis.ts';
import { EXIT, ShiploadError } from '../../errors.ts';
import { ladderOf } from '../../load/ladder.ts';
import type { Distribution } from '../../model/distribution.ts';
import type { WorkloadModel } from '../../model/workload.ts';
import { parseIsolation } from '../../record/validate.ts';
import { toPredictionDocument } from '../../report/json.ts';
import { renderPrediction } from '../../report/prediction-text.ts';
import { predictionFile } from '../../session/kept-predictions.ts';
import { openWorkload } from '../../session/open-workload.ts';
import { simulateOn } from '../../session/predict-run.ts';
import { parseJson, readText } from '../../session/read-text.ts';
import { readRun } from '../../session/stored-run.ts';
import type { Command } from '../command.ts';
import { inputKindOf } from '../input-kind.ts';
import { optionCheck } from '../option-check.ts';
import type { OptionValues } from '../options/index.ts';
import { logOptions } from '../run-request.ts';
import { writeOutput } from '../write-output.ts';

export const predict: Command = {
  name: 'predict',
  usage: '<run|isolation.json> [workload]',
  summary: 'the step curve from isolated demands, before it is measured or under a change',
  options: ['users', 'think', 'cores', 'whatIf', 'format', 'window', 'sessionTimeout', 'out'],
  example: "shipload predict runs/before --what-if 'D(/search)*0.02'",
  async run([path, workloadPath], options, { terminal, given }) {
    optionCheck(given)({
      input: workloadPath === undefined ? 'run' : await inputKindOf(workloadPath, true),
      options,
    });
    const { basis, more, thinkTime, folder } = await openBasis(path!, workloadPath, options);
    const prediction = predictCurve(
      options.cores === undefined ? basis : { ...basis, coreCount: options.cores },
      {
        ...more,
        ...(options.users !== undefined && { users: options.users }),
        ...(options.think !== undefined && { thinkTimeSeconds: options.think.meanSeconds }),
        ...(options.whatIf !== undefined && { whatIf: options.whatIf }),
        simulate: simulateOn(options.think ?? thinkTime),
      },
    );
    const document = toPredictionDocument(prediction);
    const text =
      options.json === true
        ? `${JSON.stringify(document, null, 1)}\n`
        : renderPrediction(prediction, terminal);
    await writeOutput(text, options.out, terminal);
    if (folder !== undefined && options.whatIf !== undefined) {
      const file = predictionFile(folder, options.whatIf);
      await writeOutput(`${JSON.stringify(document, null, 1)}\n`, file, terminal);
      terminal.say(`shipload compare ${folder} <after> scores it.`);
    }
    return EXIT.done;
  },
};

interface Opened {
  readonly basis: DemandBasis;
  readonly more: PredictOptions;
  readonly thinkTime?: Distribution;
  /** Of a run, where a prediction can be kept beside it. */
  readonly folder?: string;
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );

async function openBasis(
  path: string,
  workloadPath: string | undefined,
  options: OptionValues,
): Promise<Opened> {
  const stored = (await isFolder(path)) ? undefined : await readDocument(path);
  const isIsolation = (stored as { readonly kind?: unknown } | null | undefined)?.kind === 'isolation';
  if (!isIsolation) return ofRun(path, workloadPath);
  const workload =
    workloadPath === undefined ? undefined : await openWorkload(workloadPath, logOptions(options));
  const isolation = parseIsolation(stored, path);
  if (workload === undefined) return { basis: basisOfIsolation(isolation), more: { thinkTimeSeconds: 0 } };
  return {
    basis: basisOfIsolation(isolation, sharesOf(workload)),
    more: {
      thinkTimeSeconds: workload.thinkTimeSeconds?.mean ?? 0,
      ...(workload.activeUsers !== undefined && { users: ladderOf(workload.activeUsers) }),
    },
    ...(workload.thinkTimeSeconds !== undefined && {
      thinkTime: { kind: 'exponential', meanSeconds: workload.thinkTimeSeconds.mean },
    }),
  };
}

/** Throws `record-invalid`, and says what to do with a log. */
async function readDocument(path: string): Promise<unknown> {
  const text = await readText(path);
  try {
    return parseJson(text, path);
  } catch (error) {
    if (!(error instanceof ShiploadError) || /^\s*[{[]/.test(text)) throw error;
    throw new ShiploadError(error.code, error.message, {
      ...(error.where !== undefined && { where: error.where }),
      cause: error.cause,
      hint: 'A prediction takes a run or an isolation. Of an access log: shipload model, then shipload isolate.',
    });
  }
}

async function ofRun(path: string, workloadPath: string | undefined): Promise<Opened> {
  if (workloadPath !== undefined) {
    throw new ShiploadError('usage', 'a run has a workload of its own; a second one was given', {
      where: workloadPath,
      hint: 'shipload predict isolation.json workload.json takes the mix from another workload',
    });
  }
  const { analysis, isolation, manifest, measurements } = await readRun(path);
  const { thinkTimeSeconds: thinkTime } = manifest.plan;
  return {
    basis: basisOfRun(analysis, measurements, isolation),
    ...(thinkTime !== undefined && { thinkTime }),
    ...((await isFolder(path)) && { folder: path }),
    more: {
      thinkTimeSeconds: manifest.plan.thinkTimeSeconds?.meanSeconds ?? 0,
      measured: analysis.steps,
    },
  };
}

function sharesOf(workload: WorkloadModel): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { route, shareRatio } of workload.requestClasses)
    shares.set(route, (shares.get(route) ?? 0) + shareRatio);
  return shares;
}
