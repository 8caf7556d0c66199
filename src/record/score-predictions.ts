import type { RemedyOption, StepRow } from '../model/analysis.ts';
import type { Prediction } from '../model/prediction.ts';
import type { RunRecord, ScoredPrediction } from '../model/record.ts';
import { median } from '../stats/rank-test.ts';
import { countText, loadOf } from '../stats/wording.ts';

/** Within these a model of the service holds: the usual acceptance of capacity planning (Menascé; Lazowska et al.). */
const LIMIT_RATIO = { throughput: 0.1, p95: 0.3 } as const;

/**
 * The option that the last record before the change chose, beside what was measured after it at the same load
 * (medians over runs): X, U of the process, p95 by route, and the saturation. Where none was chosen every open
 * option is scored, and which one was built is for the reader to say. Quantities that were not measured are left
 * out. Before them the changes that `predict --what-if` was asked about: X and p95 at every load both sides have. X is
 * kept within 10 %, p95 within 30 %.
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

/** What can be scored: an option of the run, or a change that was asked about, at one load. */
interface Foretold {
  readonly option: string;
  readonly predicted: Pick<RemedyOption['predicted'], 'users' | 'throughputPerSecond' | 'p95ByRoute'> &
    Partial<RemedyOption['predicted']>;
}

/** A prediction under a change at every load that was measured after it, U and saturation at the highest. */
function foretold(prediction: Prediction, after: readonly RunRecord[]): Foretold[] {
  const { whatIf, saturationUsers } = prediction;
  const loads = new Set(
    after.flatMap(({ analysis }) =>
      analysis.steps.flatMap((row) => (row.valid ? (loadOf(row)?.value ?? []) : [])),
    ),
  );
  const steps = prediction.steps.filter(({ users }) => loads.has(users));
  return steps.map((step) => {
    const { users, throughputPerSecond, utilizationRatio, p95ByRoute = {} } = step;
    const ofAll = { utilizationRatio: utilizationRatio['cpu'] ?? 0, saturationUsers };
    return {
      option: whatIf.length === 0 ? 'no change' : `what if ${whatIf.join(', ')}`,
      predicted: { users, throughputPerSecond, p95ByRoute, ...(step === steps.at(-1) && ofAll) },
    };
  });
}

function score({ option, predicted }: Foretold, after: readonly RunRecord[]): ScoredPrediction[] {
  const rows = after.flatMap(({ analysis }) =>
    analysis.steps.filter((row) => row.valid && loadOf(row)?.value === predicted.users),
  );
  const compare = (
    quantity: string,
    expected: number | undefined,
    unit: ScoredPrediction['unit'],
    measured: readonly (number | undefined)[],
    limitRatio?: number,
  ): ScoredPrediction[] => {
    const known = measured.filter((value) => value !== undefined);
    if (known.length === 0 || expected === undefined) return [];
    const value = median(known);
    const base = { option, quantity, predicted: expected, measured: value, unit };
    return [expected === 0 ? base : { ...base, ...judged(value / expected - 1, limitRatio) }];
  };
  const of = (read: (row: StepRow) => number | undefined): (number | undefined)[] => rows.map(read);
  const noun = rows[0]?.users === undefined ? 'worker' : 'user';
  const at = `at ${countText(predicted.users, noun)}`;
  return [
    ...compare(
      `throughputPerSecond ${at}`,
      predicted.throughputPerSecond,
      'perSecond',
      of((row) => row.throughputPerSecond),
      LIMIT_RATIO.throughput,
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
        LIMIT_RATIO.p95,
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

const judged = (errorRatio: number, limitRatio: number | undefined): Partial<ScoredPrediction> =>
  limitRatio === undefined
    ? { errorRatio }
    : { errorRatio, limitRatio, outcome: Math.abs(errorRatio) <= limitRatio ? 'kept' : 'missed' };
