import type { Confirmation } from '../model/analysis.ts';
import type { ReportDocument } from '../model/documents.ts';

const OUTCOME_WORDS: Readonly<Record<Confirmation['outcome'], string>> = {
  supports: 'supported',
  refutes: 'refuted',
  undecided: 'left open',
  'not-run': 'not tried',
};

/** One line an experiment: the finding, what became of it, what was done and seen. */
export function confirmationLines({
  confirmations = [],
}: Pick<ReportDocument, 'confirmations'>): readonly string[] {
  return confirmations.map(
    ({ ruleId, route, outcome, text }) =>
      `${ruleId}${route === undefined ? '' : ` (${route})`} ${OUTCOME_WORDS[outcome]}: ${text}`,
  );
}
