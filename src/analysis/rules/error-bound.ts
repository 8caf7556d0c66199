import type { Evidence, Finding, StepRow } from '../../model/analysis.ts';
import { countText, loadOf, loadText, percentText, secondsText } from '../../stats/wording.ts';
import type { DiagnosisRule } from './rule.ts';
import { stepEvidence } from './threshold-rule.ts';

/** The share of failures from which a step's laws hold for its successes only. */
const ERROR_RATIO = 0.01;

/**
 * Failures above 1 % of the requests. When their share grows with load the service sheds load or breaks, and
 * successes are what it can do; the same share at every load is a fault of the requests or the data instead.
 */
export const errorBound: DiagnosisRule = {
  id: 'error-bound',
  examine: ({ rows }) => {
    const rising = [...rows].sort((a, b) => (loadOf(a)?.value ?? 0) - (loadOf(b)?.value ?? 0));
    const failing = rising.filter(({ errorRatio }) => errorRatio > ERROR_RATIO);
    if (failing.length === 0) return [];
    return [grows(rising) ? boundFinding(rising, failing) : constantFinding(rising, failing)];
  },
};

const grows = (rows: readonly StepRow[]): boolean => rows.at(-1)!.errorRatio > 2 * rows[0]!.errorRatio;

const errorEvidence = (row: StepRow): Evidence =>
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
  const stillGrows =
    before !== undefined && rows.at(-1)!.throughputPerSecond > 1.1 * before.throughputPerSecond;
  return {
    ruleId: 'error-bound',
    claim: `requests fail from ${loadText(first)} on: ${percentText(rows.at(-1)!.errorRatio)} at ${loadText(rows.at(-1)!)}; only successes count as throughput`,
    confidence: failing.length > 1 && !stillGrows ? 'high' : 'medium',
    evidence: [...failing.map(errorEvidence), ...fasterWhileFailing(before, rows.at(-1)!)],
    counterEvidence: stillGrows
      ? [
          stepEvidence(
            rows.at(-1)!,
            'throughputPerSecond',
            rows.at(-1)!.throughputPerSecond,
            'perSecond',
            'successes still grow beyond the first failing step',
          ),
        ]
      : [],
    nextExperiment: 'read the service’s log at the first failing step for the status or error code',
  };
}

/** Fast failures flatter a response time: said where R falls as the errors rise. */
function fasterWhileFailing(before: StepRow | undefined, last: StepRow): Evidence[] {
  const then = before?.responseTimeSeconds;
  const now = last.responseTimeSeconds;
  if (then === undefined || now === undefined || now >= then) return [];
  const text = `the mean response time fell from ${secondsText(then)} to ${secondsText(now)} while errors rose`;
  return [stepEvidence(last, 'responseTimeSeconds', now, 'seconds', text)];
}

function constantFinding(rows: readonly StepRow[], failing: readonly StepRow[]): Finding {
  return {
    ruleId: 'error-bound',
    claim: `requests fail whatever the load (${countText(failing.length, 'step')} of ${rows.length}): a fault of the requests or the data, not of capacity`,
    confidence: failing.length === rows.length && rows.length > 1 ? 'high' : 'low',
    evidence: failing.map(errorEvidence),
    counterEvidence: rows.filter((row) => !failing.includes(row)).map(errorEvidence),
    nextExperiment: 'send one request of each route by hand and read the answers',
  };
}
