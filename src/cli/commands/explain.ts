import { EXIT } from '../../errors.ts';
import { explainField } from '../../report/explain.ts';
import { renderExplanation } from '../../report/explanation-text.ts';
import { toExplanationDocument, toReportDocument } from '../../report/json.ts';
import { readRun } from '../../session/stored-run.ts';
import type { Command } from '../command.ts';

export const explain: Command = {
  name: 'explain',
  usage: '<run> <field>',
  summary: 'the formula, inputs, window, sample count and source behind one number of the report',
  options: [],
  example: "shipload explain runs/before 'steps[5].byRoute./search.p95Seconds'",
  async run([path, field], options, { terminal }) {
    const explanation = explainField(toReportDocument(await readRun(path!)), field!);
    terminal.print(
      options.json === true
        ? `${JSON.stringify(toExplanationDocument(explanation), null, 1)}\n`
        : renderExplanation(explanation, terminal),
    );
    return EXIT.done;
  },
};
