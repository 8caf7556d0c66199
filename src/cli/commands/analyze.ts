import { concludeRun } from '../../pipeline.ts';
import type { RunRecord } from '../../model/record.ts';
import type { Target } from '../../model/verdict.ts';
import { jsonReporter } from '../../report/json.ts';
import { renderText } from '../../report/text.ts';
import { redactCommand } from '../../session/redact.ts';
import { readRun } from '../../session/stored-run.ts';
import { checkTargetRoutes } from '../../verdict/target-routes.ts';
import type { Command } from '../command.ts';
import { exitCodeOf } from '../exit-code.ts';
import { importOptions } from '../import-request.ts';
import { OPTION_GROUPS, type OptionValues } from '../options/index.ts';
import { optionCheck } from '../option-check.ts';
import { parseTargets } from '../run-request.ts';

export const analyze: Command = {
  name: 'analyze',
  usage: '<run|results|steps.csv>',
  summary:
    'knee, saturation, capacity, findings and verdict again: of a stored run, of another tool’s results, or of a table of steps',
  options: ['target', 'margin', 'cores', ...OPTION_GROUPS.results],
  example: "shipload analyze steps.csv --target 'p95 of /search <= 200 ms at 200 users'",
  async run([path], options, { terminal, commandLine, given }) {
    const targets = parseTargets(options);
    const command = redactCommand(commandLine);
    const read = await readRun(path!, { ...importOptions(options), command });
    // Results of another tool come without targets; what is said of them needs one.
    const isJudged = read.imported === undefined || read.manifest.targets.length > 0;
    optionCheck(given)({ input: isJudged ? 'run' : 'nothing', options });
    const record = judgedAgain(read, targets, options);
    terminal.print(options.json === true ? jsonReporter.render(record) : renderText(record, terminal));
    return exitCodeOf(record);
  },
};

/** A run under new targets or another m; without either just as it is. */
function judgedAgain(record: RunRecord, targets: readonly Target[], options: OptionValues): RunRecord {
  const { manifest, imported, analysis } = record;
  checkTargetRoutes(
    targets,
    imported === undefined
      ? manifest.plan.requests.map((request) => request.route)
      : [...new Set(analysis.steps.flatMap((row) => Object.keys(row.byRoute)))],
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
