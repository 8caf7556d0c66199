import type { Evidence, StepRow } from '../../model/analysis.ts';
import { mergeHistograms, percentileOf } from '../../stats/histogram.ts';
import { countText, secondsText } from '../../stats/wording.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';

/**
 * A mistake: one row of numbers for a run of several steps. Its percentiles mix the loads and hold at none of
 * them; with the measurements at hand, the p95 of all steps together stands beside that of each.
 */
export const oneRowForAStepRun: DiagnosisRule = {
  id: 'one-row-for-a-step-run',
  examine: (input) => {
    const row = input.rows[0];
    const stepCount = row === undefined ? 0 : stepsMade(row, input);
    if (row === undefined || input.rows.length > 1 || stepCount < 2) return [];
    return [
      {
        ruleId: 'one-row-for-a-step-run',
        claim: `one row of numbers stands for a run of ${countText(stepCount, 'step')}: it matches no load level`,
        confidence: 'high',
        evidence: [countEvidence(row, stepCount), ...mixedPercentiles(input)],
        counterEvidence: [],
        nextExperiment: 'report each step over its own steady part: one row a step',
      },
    ];
  },
};

/** Steps of the row's mix that were made; those planned where nobody measured. */
function stepsMade({ writeRatio }: StepRow, { measurements, plan }: DiagnosisInput): number {
  const steps = measurements.length > 0 ? measurements.map(({ step }) => step) : (plan?.steps ?? []);
  return steps.filter((step) => step.writeRatio === writeRatio).length;
}

const countEvidence = (row: StepRow, stepCount: number): Evidence => ({
  stepIndex: row.index,
  quantity: 'steps',
  value: stepCount,
  unit: 'count',
  text: `1 row for ${countText(stepCount, 'step')}`,
});

function mixedPercentiles({ measurements }: DiagnosisInput): Evidence[] {
  if (measurements.length === 0) return [];
  const whole = percentileOf(mergeHistograms(measurements.map(({ responseTime }) => responseTime)), 95);
  const each = measurements
    .map(({ responseTime }) => percentileOf(responseTime, 95))
    .filter((value) => value !== undefined);
  if (whole === undefined) return [];
  const text = `p95 of all steps together ${secondsText(whole)}, of each step ${each.map(secondsText).join(', ')}`;
  return [{ quantity: 'p95Seconds', value: whole, unit: 'seconds', text }];
}
