import { ShiploadError } from '../../errors.ts';
import { RUN_FILES, RunFolder } from '../../host/run-folder.ts';
import type { RunRecord } from '../../model/record.ts';
import { htmlReporter } from '../../report/html.ts';
import { jsonReporter } from '../../report/json.ts';
import { renderText } from '../../report/text.ts';
import { importRun } from '../../session/imported-run.ts';
import { redactCommand } from '../../session/redact.ts';
import { checkTargetRoutes } from '../../verdict/target-routes.ts';
import type { Command } from '../command.ts';
import { exitCodeOf } from '../exit-code.ts';
import { importOptions } from '../import-request.ts';
import { OPTION_GROUPS } from '../options/index.ts';
import { parseTargets, runPlace } from '../run-request.ts';

export const importResults: Command = {
  name: 'import',
  usage: '<results...>',
  summary:
    'results of k6, JMeter, Vegeta, hey, oha, Locust, wrk, wrk2, autocannon, Artillery or ab as a stored run; several files are its steps',
  options: ['as', ...OPTION_GROUPS.results, 'importFrom', 'target', 'margin', 'cores', 'label', 'out'],
  fallbacks: { as: 'run' },
  optionWords: { as: ['run'] },
  example: 'shipload import wrk-c1.txt wrk-c8.txt wrk-c64.txt -o runs/wrk',
  async run(paths, options, { terminal, commandLine }) {
    if (options.as !== 'run') {
      throw new ShiploadError('option-invalid', `results do not become a ${options.as}`, {
        where: '--as',
        hint:
          options.as === 'workload'
            ? 'A workload comes from a log, a HAR, an OpenAPI document …: shipload init FILE.'
            : 'They become a run: --as run, which is what is done without it.',
      });
    }
    const { label, path } = runPlace(options, new Date());
    await RunFolder.requireUnused(path);
    const targets = parseTargets(options);
    const record = await importRun(paths, {
      ...importOptions(options),
      command: redactCommand(commandLine),
      targets,
      ...(options.margin !== undefined && { marginRatio: options.margin }),
      label,
    });
    checkTargetRoutes(targets, [
      ...new Set(record.analysis.steps.flatMap((row) => Object.keys(row.byRoute))),
    ]);
    await store(record, path);
    terminal.print(options.json === true ? jsonReporter.render(record) : renderText(record, terminal));
    terminal.say(`Stored in ${path}: shipload report ${path}`);
    return exitCodeOf(record);
  },
};

/** The folder of a run without what only a run of our own has: its seconds and its counters. */
async function store(record: RunRecord, path: string): Promise<void> {
  const folder = await RunFolder.create(path, record.manifest);
  try {
    await folder.write(RUN_FILES.record, `${JSON.stringify(record)}\n`);
    await folder.write(RUN_FILES.html, htmlReporter.render(record));
  } finally {
    await folder.close();
  }
}
