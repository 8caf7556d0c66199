import { EXIT, ShiploadError } from '../../errors.ts';
import type { Comparison } from '../../model/record.ts';
import { machineOf } from '../../record/noise-floor.ts';
import { renderComparisonHtml } from '../../report/comparison-html.ts';
import { renderComparison } from '../../report/comparison-text.ts';
import { toComparisonDocument } from '../../report/json.ts';
import { comparisonVega } from '../../report/vega.ts';
import { readSide, type RunSide } from '../../session/baseline.ts';
import { compareRuns } from '../../session/compare-runs.ts';
import type { ImportOptions } from '../../session/import-results.ts';
import { readKeptPredictions } from '../../session/kept-predictions.ts';
import type { Command } from '../command.ts';
import { importOptions } from '../import-request.ts';
import { OPTION_GROUPS, type OptionValues } from '../options/index.ts';
import { PLAIN_TEXT } from '../../report/reporter.ts';
import { tellGithubComparison } from '../github.ts';
import { writeOutput } from '../write-output.ts';

/** Forms a comparison can take. */
const FORMS = ['text', 'json', 'html', 'vega'] as const;

export const compare: Command = {
  name: 'compare',
  usage: '[before] [after]',
  summary:
    'runs before and after a change: the differences, tested where there are several, and predictions scored',
  optionWords: { as: FORMS },
  options: ['before', 'after', 'as', 'out', 'github', ...OPTION_GROUPS.results],
  example:
    'shipload compare --before runs/a1 runs/a2 runs/a3 runs/a4 --after runs/b1 runs/b2 runs/b3 runs/b4',
  async run(paths, options, { terminal }) {
    const sides = sidesOf(paths, options);
    const request = importOptions(options);
    const before = await readAll(sides.before, request);
    const after = await readAll(sides.after, request);
    const runsBefore = before.records;
    const runsAfter = after.records;
    const whatIfs = await Promise.all(sides.before.map(readKeptPredictions));
    // Of a baseline the floor may be that of another machine.
    const floor = [before.noiseFloor, after.noiseFloor].find(
      (one) => one?.machine === machineOf(runsAfter[0]!.manifest),
    );
    const compared = compareRuns(runsBefore, runsAfter, floor, whatIfs.flat());
    const { comparison, before: first, after: second } = compared;
    const form = options.json === true ? 'json' : options.as;
    const render: Readonly<Record<(typeof FORMS)[number], () => string>> = {
      text: () => renderComparison(comparison, first, second, terminal),
      json: () => `${JSON.stringify(toComparisonDocument(comparison), null, 1)}\n`,
      html: () => renderComparisonHtml(comparison, first, second),
      vega: () => `${JSON.stringify(comparisonVega(first, second), null, 1)}\n`,
    };
    const chosen = FORMS.find((name) => name === form);
    if (chosen === undefined) {
      throw new ShiploadError('option-invalid', `a comparison has no form "${form}"`, {
        where: '--as',
        hint: `Forms: ${FORMS.join(', ')}`,
      });
    }
    if (options.github === true)
      await tellGithubComparison(
        comparison,
        renderComparison(comparison, first, second, PLAIN_TEXT),
        terminal,
      );
    await writeOutput(render[chosen](), options.out, terminal);
    return exitCodeOf(comparison);
  },
};

/** Where nothing could be compared, or what came after carries no verdict, a build must not read it as calm. */
function exitCodeOf({ regression, metrics, after }: Comparison): number {
  if (regression) return EXIT.targetMissed;
  return metrics.length === 0 || after.decision === 'invalid' ? EXIT.invalidRun : EXIT.done;
}

interface Sides {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Two paths, or the lists of `--before` and `--after`; not both. Throws `usage`. */
function sidesOf(paths: readonly string[], { before = [], after = [] }: OptionValues): Sides {
  const [first, second] = paths;
  if (before.length === 0 && after.length === 0 && first !== undefined && second !== undefined)
    return { before: [first], after: [second] };
  const isListed = before.length > 0 || after.length > 0;
  if (first !== undefined && isListed) {
    throw new ShiploadError(
      'usage',
      `${first} stands outside --before and --after: which side it is on is open`,
      {
        hint: 'either two paths, or every run behind --before or --after',
      },
    );
  }
  if (before.length > 0 && after.length > 0) return { before, after };
  if (isListed) {
    throw new ShiploadError(
      'usage',
      `no run was given ${before.length === 0 ? 'before' : 'after'} the change`,
      {
        where: before.length === 0 ? '--before' : '--after',
      },
    );
  }
  throw new ShiploadError('usage', 'a comparison needs runs on two sides', {
    hint: 'shipload compare runs/before runs/after, or --before a1 a2 … --after b1 b2 …',
  });
}

/** The runs of several paths, and the first noise floor that was measured beside one. */
async function readAll(paths: readonly string[], request: ImportOptions): Promise<RunSide> {
  const sides: RunSide[] = [];
  for (const path of paths) sides.push(await readSide(path, request));
  const noiseFloor = sides.find((side) => side.noiseFloor !== undefined)?.noiseFloor;
  return {
    records: sides.flatMap(({ records }) => records),
    ...(noiseFloor !== undefined && { noiseFloor }),
  };
}
