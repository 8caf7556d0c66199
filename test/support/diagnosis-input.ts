import type { DiagnosisInput } from '../../src/analysis/rules/rule.ts';
import type { StepRow } from '../../src/model/analysis.ts';

/** What a rule is given, with an analysis that says nothing. */
export function diagnosisInput(rows: readonly StepRow[], more: Partial<DiagnosisInput> = {}): DiagnosisInput {
  const analysis = {
    steps: rows,
    knee: { seen: false, reason: 'not looked for' },
    crossChecks: [],
    notices: [],
  };
  return { rows, measurements: [], analysis, ...more };
}
