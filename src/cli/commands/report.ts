import { EXIT, ShiploadError } from '../../errors.ts';
import { REPORTERS } from '../../report/index.ts';
import { jsonReporter } from '../../report/json.ts';
import { readRun } from '../../session/stored-run.ts';
import type { Command } from '../command.ts';
import { writeOutput } from '../write-output.ts';

export const report: Command = {
  name: 'report',
  usage: '<run>',
  summary: `a stored run as ${REPORTERS.map((reporter) => reporter.name).join(', ')}`,
  options: ['as', 'out'],
  example: 'shipload report runs/before --as html -o before.html',
  async run([path], options, { terminal }) {
    const name = options.json === true ? jsonReporter.name : options.as;
    const reporter = REPORTERS.find((candidate) => candidate.name === name);
    if (reporter === undefined) {
      throw new ShiploadError('option-invalid', `there is no report "${name}"`, {
        where: '--as',
        hint: `Reports: ${REPORTERS.map((candidate) => candidate.name).join(', ')}`,
      });
    }
    const record = await readRun(path!);
    await writeOutput(reporter.render(record, terminal), options.out, terminal);
    return EXIT.done;
  },
};
