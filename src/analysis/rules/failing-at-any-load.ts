import type { Finding, StepRow } from '../../model/analysis.ts';
import { countText } from '../../stats/wording.ts';
import { errorEvidence } from './error-bound.ts';
import { ERROR_RATIO, failuresGrow } from './failures.ts';
import type { DiagnosisRule } from './rule.ts';
import { byLoad } from './step-counters.ts';

/** Failures above 1 % of the requests, as many at light load as at high: no limit of the service's. */
export const failingAtAnyLoad: DiagnosisRule = {
  id: 'failing-at-any-load',
  examine: (input) => {
    const rising = byLoad(input);
    const failing = rising.filter(({ errorRatio }) => errorRatio > ERROR_RATIO);
    return failing.length === 0 || failuresGrow(rising) ? [] : [constantFinding(rising, failing)];
  },
};

/** One load tells neither that others fail as well nor that they do not. */
const ONE_LOAD = {
  claim:
    'requests fail at the only load that was measured: it does not tell a fault of the requests or the data from a limit of the service',
  nextExperiment: 'measure a lighter load as well, and send one request of each route by hand',
};

function constantFinding(rows: readonly StepRow[], failing: readonly StepRow[]): Finding {
  return {
    ruleId: 'failing-at-any-load',
    claim: `requests fail whatever the load (${countText(failing.length, 'step')} of ${rows.length}): a fault of the requests or the data, not of capacity`,
    confidence:
      failing.length === rows.length && rows.length > 1 ? 'high' : isMost(failing, rows) ? 'medium' : 'low',
    evidence: failing.map(errorEvidence),
    counterEvidence: rows.filter((row) => !failing.includes(row)).map(errorEvidence),
    nextExperiment: 'send one request of each route by hand and read the answers',
    ...(rows.length === 1 && ONE_LOAD),
  };
}

/** A light step of few requests may show none of a small share. */
const isMost = (failing: readonly StepRow[], rows: readonly StepRow[]): boolean =>
  failing.length > 1 && 3 * failing.length >= 2 * rows.length;
