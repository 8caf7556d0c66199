import { join } from 'node:path';
import { LEDGER_TRIALS, trialName, type LedgerFix } from '../../demo/ledger/index.ts';
import type { LedgerForetold } from '../../demo/ledger/foretell.ts';
import { driftSentence, lockDrift } from '../../demo/ledger/lock-drift.ts';
import { LEDGER_MIXES, type LedgerMix } from '../../demo/ledger/mix.ts';
import {
  ledgerMoves,
  type LedgerSweep,
  peakOf,
  readLedger,
  readWriteCostRatio,
  sweepAsItIs,
} from '../../demo/ledger/readings.ts';
import { makeFolder } from '../../host/make-folder.ts';
import { writeError } from '../../host/write-file.ts';
import { scorePredictions } from '../../record/score-predictions.ts';
import { renderPredictions } from '../../report/comparison-text.ts';
import { toReportDocument } from '../../report/json.ts';
import { bullets, renderText } from '../../report/text.ts';
import { figure, percentText, secondsText } from '../../stats/wording.ts';
import type { RunRequest } from '../../session/run-request.ts';
import type { CommandContext } from '../command.ts';
import type { OptionValues } from '../options/index.ts';
import { type FinishedRun, runToEnd } from '../run-to-end.ts';
import { foretell, ledgerAt, planOf } from './ledger-setup.ts';

/** A sweep that was run, as the readings want it and as it is kept. */
interface Swept extends LedgerSweep {
  readonly run: FinishedRun;
}

/** Read-heavy and write-heavy sweeps of the ledger, as it is and with each remedy alone: what moves the peak. */
export async function demoLedger(
  folder: string,
  options: OptionValues,
  context: CommandContext,
): Promise<number> {
  const { terminal } = context;
  await makeFolder(folder).catch((cause: unknown) => {
    throw writeError(folder, cause);
  });
  terminal.say(
    'The ledger: entries in SQLite, one connection, and a lock held until the disk has each commit.',
  );
  const foretold = await foretell(folder, options, context);
  const swept: Swept[] = [];
  for (const mix of Object.keys(LEDGER_MIXES) as LedgerMix[]) {
    for (const fixes of LEDGER_TRIALS) {
      const one = await sweep(mix, fixes, folder, options, context);
      swept.push(one);
      if (one.run.record.manifest.state !== 'completed')
        return finish(swept, foretold, folder, options, context);
    }
  }
  return finish(swept, foretold, folder, options, context);
}

async function sweep(
  mix: LedgerMix,
  fixes: readonly LedgerFix[],
  folder: string,
  options: OptionValues,
  context: CommandContext,
): Promise<Swept> {
  const label = `${mix}-${trialName(fixes).replaceAll(' ', '-')}`;
  const { plan, peakLoad, notices } = planOf(mix, options);
  const request: RunRequest = {
    label,
    plan,
    peakLoad,
    targets: [],
    marginRatio: 0.1,
    writeSamples: false,
    commandLine: context.commandLine,
    planNotices: notices,
  };
  const service = await ledgerAt(join(folder, `${label}.sqlite`), fixes);
  const run = await runToEnd(request, join(folder, label), service, context);
  if (fixes.length === 0 && options.json !== true) {
    context.terminal.print(renderText(run.record, context.terminal));
  }
  return { mix, fixes, rows: run.record.analysis.steps, run };
}

/** The trials that were foretold, beside what their sweeps showed. */
const scoresOf = (foretold: readonly LedgerForetold[], swept: readonly Swept[]) =>
  foretold.flatMap(({ mix, fixes, prediction }) => {
    const name = trialName(fixes);
    const run = swept.find((one) => one.mix === mix && trialName(one.fixes) === name)?.run;
    if (run === undefined) return [];
    const lock = lockDrift(prediction, run.record);
    const scored = scorePredictions([], [run.record], [prediction]);
    return [{ mix, trial: name, scored, ...(lock !== undefined && { lock }) }];
  });

function finish(
  swept: readonly Swept[],
  foretold: readonly LedgerForetold[],
  folder: string,
  options: OptionValues,
  { terminal }: CommandContext,
): number {
  const reading = sweepAsItIs(swept, 'read-heavy')?.rows;
  const writing = sweepAsItIs(swept, 'write-heavy')?.rows;
  if (options.json === true) {
    const runs = Object.fromEntries(
      swept.map(({ run }) => [run.record.manifest.label, toReportDocument(run.record)]),
    );
    const ratio =
      reading === undefined || writing === undefined
        ? {}
        : {
            readWriteCostRatio: readWriteCostRatio(
              peakOf(reading).throughputPerSecond,
              peakOf(writing).throughputPerSecond,
            ),
          };
    const predictions = scoresOf(foretold, swept);
    terminal.print(`${JSON.stringify({ runs, moves: ledgerMoves(swept), predictions, ...ratio })}\n`);
  } else {
    terminal.print(`${tableOf(swept)}\n`);
    terminal.say('What to read from it');
    for (const line of bullets(readLedger(swept), terminal.width)) terminal.say(line);
    for (const { mix, trial, scored, lock } of scoresOf(foretold, swept)) {
      terminal.say(`${mix}, ${trial}: foretold from each route alone, beside what came true`);
      const drift = lock && driftSentence(lock);
      if (drift !== undefined) for (const line of bullets([drift], terminal.width)) terminal.say(line);
      terminal.print(renderPredictions(scored, terminal));
    }
  }
  terminal.say(`Reports and measurements are in ${folder}/.`);
  return Math.max(...swept.map(({ run }) => run.exitCode));
}

function tableOf(swept: readonly Swept[]): string {
  const rows = swept.map(({ mix, fixes, rows: steps }) => {
    const peak = peakOf(steps);
    const cpu = peak.utilizationRatio['cpu'];
    return [
      mix,
      trialName(fixes),
      `${figure(steps[0]!.throughputPerSecond)}/s`,
      `${figure(peak.throughputPerSecond)}/s`,
      String(peak.concurrency ?? ''),
      secondsText(steps.at(-1)!.overall.p99Seconds ?? 0),
      cpu === undefined ? '' : percentText(cpu * (peak.serverCount['cpu'] ?? 1)),
    ];
  });
  const head = ['mix', 'remedies', 'X at 1', 'highest X', 'at workers', 'p99 at 32', 'CPU of a core'];
  const widths = head.map((word, i) => Math.max(word.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  return [head, ...rows].map(line).join('\n');
}
