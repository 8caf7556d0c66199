import type { Evidence, Finding, StepRow } from '../../model/analysis.ts';
import { figure, loadText, percentText, secondsText } from '../../stats/wording.ts';
import { connectionLimit } from './connection-limit.ts';
import { ERROR_RATIO, failuresGrow } from './failures.ts';
import { rateLimited } from './rate-limited.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { byLoad } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

/** Successes grow when they rise by more than a tenth. */
const GROWTH = 1.1;

/**
 * Failures above 1 % of the requests. When their share grows with load the service sheds load or breaks, and
 * successes are what it can do; the same share at every load is a fault of the requests or the data instead. Left
 * to the rules of rate and connection limits where they know better.
 */
export const errorBound: DiagnosisRule = {
  id: 'error-bound',
  examine: (input) => {
    const rising = byLoad(input);
    const failing = rising.filter(({ errorRatio }) => errorRatio > ERROR_RATIO);
    if (failing.length === 0 || isKnownLimit(input)) return [];
    return failuresGrow(rising) ? [boundFinding(rising, failing)] : [];
  },
};

const isKnownLimit = (input: DiagnosisInput): boolean =>
  [rateLimited, connectionLimit].some((rule) => rule.examine(input).length > 0);

export const errorEvidence = (row: StepRow): Evidence =>
  stepEvidence(
    row,
    'errorRatio',
    row.errorRatio,
    'ratio',
    `${percentText(row.errorRatio)} of the requests failed`,
  );

function boundFinding(rows: readonly StepRow[], failing: readonly StepRow[]): Finding {
  const first = failing[0]!;
  const before = rows[rows.indexOf(first) - 1];
  const growth = growthOfSuccesses(rows, first);
  return {
    ruleId: 'error-bound',
    claim: `requests fail from ${loadText(first)} on: ${percentText(rows.at(-1)!.errorRatio)} at ${loadText(rows.at(-1)!)}; only successes count as throughput`,
    confidence: failing.length > 1 && growth.length === 0 ? 'high' : 'medium',
    evidence: [...failing.map(errorEvidence), ...fasterWhileFailing(before, rows.at(-1)!)],
    counterEvidence: growth,
    nextExperiment: 'read the service’s log at the first failing step for the status or error code',
    experiment: {
      kind: 'light-load',
      stepIndex: rows.at(-1)!.index,
      reads: { quantity: 'errorRatio' },
      supports: { atMost: 0.3 },
      refutes: { atLeast: 0.7 },
    },
  };
}

/**
 * Successes that grow with the load all the same: beyond the first failing step, or, where that is the last, up to it,
 * which leaves open what would come.
 */
function growthOfSuccesses(rows: readonly StepRow[], first: StepRow): Evidence[] {
  const last = rows.at(-1)!;
  const from = last === first ? rows[rows.indexOf(first) - 1] : first;
  if (from === undefined || last.throughputPerSecond <= GROWTH * from.throughputPerSecond) return [];
  const rates = `from ${figure(from.throughputPerSecond)}/s at ${loadText(from)} to ${figure(last.throughputPerSecond)}/s`;
  const text =
    last === first
      ? `no step lies beyond the first failing one, so whether successes rise on is not known: they rose ${rates}`
      : `successes still rise beyond the first failing step, ${rates}`;
  return [stepEvidence(last, 'throughputPerSecond', last.throughputPerSecond, 'perSecond', text)];
}

/** Fast failures flatter a response time: said where R falls as the errors rise. */
function fasterWhileFailing(before: StepRow | undefined, last: StepRow): Evidence[] {
  const then = before?.responseTimeSeconds;
  const now = last.responseTimeSeconds;
  if (then === undefined || now === undefined || now >= then) return [];
  const text = `the mean response time fell from ${secondsText(then)} to ${secondsText(now)} while errors rose`;
  return [stepEvidence(last, 'responseTimeSeconds', now, 'seconds', text)];
}
