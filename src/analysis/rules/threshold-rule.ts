import type { Evidence, StepRow } from '../../model/analysis.ts';
import { loadText } from '../../stats/wording.ts';
import type { DiagnosisRule } from './rule.ts';

export interface ThresholdRule {
  readonly id: string;
  readonly resource: string;
  readonly quantity: string;
  /** The quantity in a reader's words. */
  readonly label: string;
  readonly unit: string;
  readonly limit: number;
  /** The quantity of a step; missing: not measured there. */
  readonly read: (row: StepRow) => number | undefined;
  readonly text: (value: number) => string;
  /** The claim, given the highest value in words and the load of the first step beyond the limit. */
  readonly claim: (highest: string, from: string) => string;
  readonly nextExperiment: string;
}

/** Evidence of one step, the load named in the text. */
export function stepEvidence(
  row: StepRow,
  quantity: string,
  value: number,
  unit: string,
  text: string,
): Evidence {
  return { stepIndex: row.index, quantity, value, unit, text: `${text} at ${loadText(row)}` };
}

/**
 * A red flag: a gauge above its limit at some step. The evidence is every step beyond; high confidence from two
 * steps on, medium for a single one.
 */
export function thresholdRule(rule: ThresholdRule): DiagnosisRule {
  return {
    id: rule.id,
    examine: ({ rows }) => {
      const beyond = rows.flatMap((row) => {
        const value = rule.read(row);
        return value !== undefined && value > rule.limit ? [{ row, value }] : [];
      });
      if (beyond.length === 0) return [];
      const highest = Math.max(...beyond.map(({ value }) => value));
      return [
        {
          ruleId: rule.id,
          claim: rule.claim(rule.text(highest), loadText(beyond[0]!.row)),
          confidence: beyond.length > 1 ? 'high' : 'medium',
          resource: rule.resource,
          evidence: beyond.map(({ row, value }) =>
            stepEvidence(row, rule.quantity, value, rule.unit, `${rule.label} ${rule.text(value)}`),
          ),
          counterEvidence: [],
          nextExperiment: rule.nextExperiment,
        },
      ];
    },
  };
}
