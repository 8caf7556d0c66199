import type { RemedyOption, StepRow } from '../model/analysis.ts';
import type { Prediction } from '../model/prediction.ts';
import type { RunRecord, ScoredPrediction } from '../model/record.ts';
import { median } from '../stats/rank-test.ts';
import { loadOf } from '../stats/wording.ts';

/**
 * The option that the last record before the change chose, beside what was measured after it at the same load
 * (medians over runs): X, U of the process, p95 by route, and the saturation. Where none was chosen every open
 * option is scored, and which one was built is for the reader to say. Quantities that were not measured are left
 * out. Before them the changes that `predict --what-if` was asked about, at the highest load both sides have.
 */
export function scorePredictions(
  before: readonly RunRecord[],
  after: readonly RunRecord[],
  whatIfs: readonly Prediction[] = [],
): ScoredPrediction[] {
  const options = before.findLast((record) => record.options !== undefined)?.options ?? [];
  const open = options.filter(({ notOpen }) => notOpen === undefined);
  const chosen = open.filter(({ verdict }) => verdict === 'chosen');
  const made: readonly Foretold[] = [
    ...whatIfs.flatMap((prediction) => foretold(prediction, after)),
    ...(chosen.length > 0 ? chosen : open),
  ];
  return made.flatMap((one) => score(one, after));
}

/** What can be scored: an option of the run, or a change that was asked about. */
type Foretold = Pick<RemedyOption, 'option' | 'predicted'>;

/** A prediction under a change at the highest load that was measured after it; none where no load is common. */
function foretold(prediction: Prediction, after: readonly RunRecord[]): Foretold[] {
  const { steps, whatIf, saturationUsers } = prediction;
  const loads = new Set(
    after.flatMap(({ analysis }) =>
      analysis.steps.flatMap((row) => (row.valid ? (loadOf(row)?.value ?? []) : [])),
    ),
  );
  const step = steps.filter(({ users }) => loads.has(users)).at(-1);
  if (step === undefined) return [];
  const { users, throughputPerSecond, utilizationRatio, p95ByRoute = {} } = step;
  return [
    {
      option: `what if ${whatIf.join(', ')}`,
      predicted: {
        users,
        throughputPerSecond,
        utilizationRatio: utilizationRatio['cpu'] ?? 0,
        saturationUsers,
        p95ByRoute,
      },
    },
  ];
}

function score(option: Foretold, after: readonly RunRecord[]): ScoredPrediction[] {
  const { predicted } = option;
  const rows = after.flatMap(({ analysis }) =>
    analysis.steps.filter((row) => row.valid && loadOf(row)?.value === predicted.users),
  );
  const compare = (
    quantity: string,
    expected: number,
    unit: ScoredPrediction['unit'],
    measured: readonly (number | undefined)[],
  ): ScoredPrediction[] => {
    const known = measured.filter((value) => value !== undefined);
    if (known.length === 0) return [];
    const value = median(known);
    const base = { option: option.option, quantity, predicted: expected, measured: value, unit };
    return [expected === 0 ? base : { ...base, errorRatio: value / expected - 1 }];
  };
  const of = (read: (row: StepRow) => number | undefined): (number | undefined)[] => rows.map(read);
  const at = `at ${predicted.users} users`;
  return [
    ...compare(
      `throughputPerSecond ${at}`,
      predicted.throughputPerSecond,
      'perSecond',
      of((row) => row.throughputPerSecond),
    ),
    ...compare(
      `utilizationRatio.cpu ${at}`,
      predicted.utilizationRatio,
      'ratio',
      of((row) => row.utilizationRatio['cpu']),
    ),
    ...Object.entries(predicted.p95ByRoute).flatMap(([route, seconds]) =>
      compare(
        `p95 ${route} ${at}`,
        seconds,
        'seconds',
        of((row) => row.byRoute[route]?.p95Seconds),
      ),
    ),
    ...compare(
      'saturation',
      predicted.saturationUsers,
      'users',
      after.map(({ analysis }) => analysis.saturation?.users),
    ),
  ];
}
