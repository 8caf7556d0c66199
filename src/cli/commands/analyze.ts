import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { analyze as analyzeRows } from '../../analysis/analyze.ts';
import { importTable } from '../../analysis/import-table.ts';
import { DIAGNOSIS_RULES } from '../../analysis/rules/index.ts';
import { ShiploadError } from '../../errors.ts';
import { readEnvironment } from '../../host/environment.ts';
import type { RunRecord } from '../../model/record.ts';
import type { Target } from '../../model/verdict.ts';
import { concludeRun } from '../../pipeline.ts';
import { kindOfText, takenByText } from '../../record/document-kinds.ts';
import { jsonReporter } from '../../report/json.ts';
import { renderText } from '../../report/text.ts';
import { redactCommand } from '../../session/redact.ts';
import { readText } from '../../session/read-text.ts';
import { readRun } from '../../session/stored-run.ts';
import { judge } from '../../verdict/judge.ts';
import { checkTargetRoutes } from '../../verdict/target-routes.ts';
import type { Command } from '../command.ts';
import { exitCodeOf } from '../exit-code.ts';
import { optionCheck } from '../option-check.ts';
import type { OptionValues } from '../options/index.ts';
import { parseTargets } from '../run-request.ts';

export const analyze: Command = {
  name: 'analyze',
  usage: '<run|steps.csv>',
  summary: 'knee, saturation, capacity, findings and verdict again: of a stored run, or of any tool’s table',
  options: ['target', 'margin', 'cores'],
  example: "shipload analyze steps.csv --target 'p95 of /search <= 200 ms at 200 users'",
  async run([path], options, { terminal, commandLine, given }) {
    const targets = parseTargets(options);
    const isRun = await stat(path!).then(
      (entry) => entry.isDirectory() || path!.endsWith('.json'),
      () => false,
    );
    optionCheck(given)({ input: isRun ? 'run' : 'nothing', options });
    const record = isRun
      ? judgedAgain(await readRun(path!), targets, options)
      : await analyzeTable(path!, targets, options, commandLine);
    terminal.print(options.json === true ? jsonReporter.render(record) : renderText(record, terminal));
    return exitCodeOf(record);
  },
};

/** A stored run under new targets or another m; without either just as it is. */
function judgedAgain(record: RunRecord, targets: readonly Target[], options: OptionValues): RunRecord {
  const { manifest } = record;
  checkTargetRoutes(
    targets,
    manifest.plan.requests.map((request) => request.route),
  );
  const service =
    options.cores === undefined
      ? manifest.service
      : { ...manifest.service, serverCount: options.cores, serverCountSource: '--cores' };
  return concludeRun({
    ...record,
    manifest: {
      ...manifest,
      service,
      targets: targets.length > 0 ? targets : manifest.targets,
      marginRatio: options.margin ?? manifest.marginRatio,
    },
  });
}

/** Enough to see what a document is. */
const HEAD_LENGTH = 200;

/** A table has steps and nothing else: no plan, no machine, no counters of ours. */
async function analyzeTable(
  path: string,
  targets: readonly Target[],
  options: OptionValues,
  commandLine: readonly string[],
): Promise<RunRecord> {
  const text = await readText(path);
  const kind = kindOfText(text.slice(0, HEAD_LENGTH));
  if (kind !== undefined) {
    throw new ShiploadError('table-invalid', `this is ${kind.what}, not a table of steps`, {
      where: path,
      hint: takenByText(kind),
    });
  }
  const { rows, notices } = importTable(text, {
    file: path,
    ...(options.cores !== undefined && { serverCount: options.cores }),
  });
  checkTargetRoutes(targets, [...new Set(rows.flatMap((row) => Object.keys(row.byRoute)))]);
  const analysis = analyzeRows(rows, { rules: DIAGNOSIS_RULES, notices });
  const marginRatio = options.margin ?? 0.1;
  return {
    manifest: {
      kind: 'run',
      schemaVersion: 1,
      label: basename(path),
      startedAt: new Date().toISOString(),
      state: 'completed',
      command: redactCommand(commandLine),
      plan: { seed: 0, shape: 'imported', requests: [], requestTimeoutSeconds: 0, steps: [] },
      service: { url: basename(path), sameHost: false },
      targets,
      marginRatio,
      environment: readEnvironment(),
    },
    measurements: [],
    analysis,
    verdict: judge(targets, analysis.steps, { marginRatio }),
    limits: [
      'A table of steps: what is not in it (samples, counters, the generator’s condition) cannot be checked.',
    ],
  };
}
