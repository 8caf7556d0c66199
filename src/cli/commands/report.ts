import { EXIT, ShiploadError } from '../../errors.ts';
import { spreadsOf } from '../../record/noise-floor.ts';
import { REPORTERS } from '../../report/index.ts';
import { jsonReporter } from '../../report/json.ts';
import { brokerRunsJson, brokerRunsText } from '../../report/broker-runs.ts';
import { renderRepeats } from '../../report/repeats-text.ts';
import { findNoiseFloor } from '../../session/noise-floors.ts';
import { redactCommand } from '../../session/redact.ts';
import { readRuns } from '../../session/run-set.ts';
import { withSharedServerCount } from '../../session/shared-server-count.ts';
import { readRunOnBroker, runsOnBroker } from '../../session/stream-report.ts';
import { brokerRequest } from '../agents-request.ts';
import type { Command } from '../command.ts';
import { importOptions } from '../import-request.ts';
import { OPTION_GROUPS } from '../options/index.ts';
import { writeOutput } from '../write-output.ts';

export const report: Command = {
  name: 'report',
  usage: '[run|results]',
  summary: `a stored run, or another tool’s results, as ${REPORTERS.map((reporter) => reporter.name).join(', ')}`,
  optionWords: { as: REPORTERS.map(({ name }) => name) },
  options: ['as', 'out', ...OPTION_GROUPS.results, ...OPTION_GROUPS.broker],
  example: 'shipload report runs/before --as html -o before.html',
  async run([path], options, { terminal, commandLine }) {
    const name = options.json === true ? jsonReporter.name : options.as;
    const reporter = REPORTERS.find((candidate) => candidate.name === name);
    if (reporter === undefined) {
      throw new ShiploadError('option-invalid', `there is no report "${name}"`, {
        where: '--as',
        hint: `Reports: ${REPORTERS.map((candidate) => candidate.name).join(', ')}`,
      });
    }
    const broker = brokerRequest(options);
    if (path === undefined) {
      if (broker === undefined)
        throw new ShiploadError('usage', 'which run?', { hint: 'For example: shipload report runs/before' });
      const runs = await runsOnBroker(broker);
      terminal.print(options.json === true ? brokerRunsJson(runs) : brokerRunsText(runs));
      return EXIT.done;
    }
    const request = { ...importOptions(options), command: redactCommand(commandLine) };
    const records =
      broker === undefined
        ? withSharedServerCount(await readRuns(path, request))
        : [await readRunOnBroker(broker, path)];
    const [record] = records;
    if (records.length > 1 && reporter.name !== 'text') {
      throw new ShiploadError('option-invalid', `${path} holds ${records.length} runs; name one`, {
        where: path,
        hint: `For example: shipload report ${path}/1 --as ${reporter.name}`,
      });
    }
    const rendered =
      records.length > 1
        ? renderRepeats(records, spreadsOf(records), path, await findNoiseFloor(path, record!), terminal)
        : reporter.render(record!, terminal);
    await writeOutput(rendered, options.out, terminal);
    return EXIT.done;
  },
};
