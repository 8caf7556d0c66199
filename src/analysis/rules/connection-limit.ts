import type { Finding, StepRow } from '../../model/analysis.ts';
import { figure, loadText } from '../../stats/wording.ts';
import { ERROR_RATIO, failingSteps, failuresGrow, type FailingStep } from './failures.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { counterOf, gaugeMean } from '../counter-window.ts';
import { byLoad, loadValue, measurementOf, risingRows } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

/**
 * A limit of connections: refused, reset or closed ones are most of the failures, none below some load, and their
 * share grows with the load. The users that are served at the lowest failing step bound the limit; where the
 * connections of the port were counted, their plateau is it.
 */
export const connectionLimit: DiagnosisRule = {
  id: 'connection-limit',
  examine: (input) => {
    const failing = failingSteps(input).filter(({ kind }) => kind === 'connection');
    const first = failing[0];
    if (first === undefined || !failuresGrow(byLoad(input))) return [];
    const below = risingRows(input).filter((row) => loadValue(row) < loadValue(first.row));
    if (below.length === 0 || below.some((row) => row.errorRatio > ERROR_RATIO)) return [];
    return [findingOf(below.at(-1)!, failing, input)];
  },
};

function findingOf(below: StepRow, failing: readonly FailingStep[], input: DiagnosisInput): Finding {
  const open = failing.flatMap(({ row }) => {
    const measurement = measurementOf(row, input);
    const count = measurement && gaugeMean(counterOf(measurement, 'listener', 'connectionCount'));
    if (count === undefined || count >= loadValue(row)) return [];
    return [stepEvidence(row, 'connectionCount', count, 'count', `${figure(count)} connections are open`)];
  });
  const first = failing[0]!.row;
  return {
    ruleId: 'connection-limit',
    claim: `connections fail from ${loadText(first)} on and not at ${loadText(below)}: the service takes no more than about as many`,
    confidence: failing.length > 1 || open.length > 0 ? 'high' : 'medium',
    resource: 'connections',
    evidence: [...failing.map(({ evidence }) => evidence), ...open],
    counterEvidence: [],
    nextExperiment:
      'the highest load that went well once more: the failures vanish; then read the limits of connections and descriptors',
    experiment: {
      kind: 'light-load',
      stepIndex: first.index,
      reads: { quantity: 'errorRatio' },
      supports: { atMost: 0.1 },
      refutes: { atLeast: 0.5 },
    },
  };
}
