import { EXIT, ShiploadError } from '../../errors.ts';
import type { RunRecord } from '../../model/record.ts';
import { compareRecords } from '../../record/compare-records.ts';
import { renderComparisonHtml } from '../../report/comparison-html.ts';
import { renderComparison } from '../../report/comparison-text.ts';
import { toComparisonDocument } from '../../report/json.ts';
import { comparisonVega } from '../../report/vega.ts';
import { readKeptPredictions } from '../../session/kept-predictions.ts';
import { findNoiseFloor } from '../../session/noise-floors.ts';
import { readRuns } from '../../session/run-set.ts';
import type { Command } from '../command.ts';
import type { OptionValues } from '../options/index.ts';
import { writeOutput } from '../write-output.ts';

/** Forms a comparison can take. */
const FORMS = ['text', 'json', 'html', 'vega'] as const;

export const compare: Command = {
  name: 'compare',
  usage: '[before] [after]',
  summary:
    'runs before and after a change: the differences, tested where there are several, and predictions scored',
  options: ['before', 'after', 'as', 'out'],
  example:
    'shipload compare --before runs/a1 runs/a2 runs/a3 runs/a4 --after runs/b1 runs/b2 runs/b3 runs/b4',
  async run(paths, options, { terminal }) {
    const sides = sidesOf(paths, options);
    const runsBefore = await readAll(sides.before);
    const runsAfter = distinct(await readAll(sides.after), runsBefore);
    const whatIfs = await Promise.all(sides.before.map(readKeptPredictions));
    const floor =
      (await findNoiseFloor(sides.before[0]!, runsBefore[0]!)) ??
      (await findNoiseFloor(sides.after[0]!, runsAfter[0]!));
    const comparison = compareRecords(runsBefore, runsAfter, floor, whatIfs.flat());
    const [before] = runsBefore as [RunRecord];
    const [after] = runsAfter as [RunRecord];
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

interface Sides {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Two paths, or the lists of `--before` and `--after`; not both. Throws `usage`. */
function sidesOf(paths: readonly string[], { before = [], after = [] }: OptionValues): Sides {
  const [first, second] = paths;
  if (before.length === 0 && after.length === 0 && first !== undefined && second !== undefined)
    return { before: [first], after: [second] };
  if (first === undefined && before.length > 0 && after.length > 0) return { before, after };
  throw new ShiploadError('usage', 'a comparison needs runs on two sides', {
    hint: 'shipload compare runs/before runs/after, or --before a1 a2 … --after b1 b2 …',
  });
}

async function readAll(paths: readonly string[]): Promise<readonly RunRecord[]> {
  const records: RunRecord[] = [];
  for (const path of paths) records.push(...(await readRuns(path)));
  return records;
}

/** Two sides of one label could not be told apart in a table. */
function distinct(after: readonly RunRecord[], before: readonly RunRecord[]): readonly RunRecord[] {
  const taken = new Set(before.map(({ manifest }) => manifest.label));
  return after.map((record) => {
    const { manifest } = record;
    if (!taken.has(manifest.label)) return record;
    return { ...record, manifest: { ...manifest, label: `${manifest.label} (after)` } };
  });
}
