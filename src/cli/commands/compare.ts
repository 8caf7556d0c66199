import { EXIT, ShiploadError } from '../../errors.ts';
import type { RunRecord } from '../../model/record.ts';
import { compareRecords } from '../../record/compare-records.ts';
import { renderComparisonHtml } from '../../report/comparison-html.ts';
import { renderComparison } from '../../report/comparison-text.ts';
import { toComparisonDocument } from '../../report/json.ts';
import { comparisonVega } from '../../report/vega.ts';
import { readRun } from '../../session/stored-run.ts';
import type { Command } from '../command.ts';
import { writeOutput } from '../write-output.ts';

/** Forms a comparison can take. */
const FORMS = ['text', 'json', 'html', 'vega'] as const;

export const compare: Command = {
  name: 'compare',
  usage: '<before> <after>',
  summary: 'two runs side by side, the differences, and the predictions scored',
  options: ['as', 'out'],
  example: 'shipload compare runs/before runs/after',
  async run([beforePath, afterPath], options, { terminal }) {
    const before = await readRun(beforePath!);
    const after = distinct(await readRun(afterPath!), before);
    const comparison = compareRecords([before], [after]);
    const form = options.json === true ? 'json' : options.as;
    const render: Readonly<Record<(typeof FORMS)[number], () => string>> = {
      text: () => renderComparison(comparison, before, after, terminal),
      json: () => `${JSON.stringify(toComparisonDocument(comparison), null, 1)}\n`,
      html: () => renderComparisonHtml(comparison, before, after),
      vega: () => `${JSON.stringify(comparisonVega(before, after), null, 1)}\n`,
    };
    const chosen = FORMS.find((name) => name === form);
    if (chosen === undefined) {
      throw new ShiploadError('option-invalid', `a comparison has no form "${form}"`, {
        where: '--as',
        hint: `Forms: ${FORMS.join(', ')}`,
      });
    }
    await writeOutput(render[chosen](), options.out, terminal);
    return comparison.regression ? EXIT.targetMissed : EXIT.done;
  },
};

/** Two runs of one label could not be told apart in a table. */
function distinct(after: RunRecord, before: RunRecord): RunRecord {
  const { manifest } = after;
  if (manifest.label !== before.manifest.label) return after;
  return { ...after, manifest: { ...manifest, label: `${manifest.label} (after)` } };
}
