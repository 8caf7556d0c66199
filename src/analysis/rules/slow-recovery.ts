import { figure, secondsText } from '../../stats/wording.ts';
import type { StepMeasurement } from '../../model/measurement.ts';
import type { DiagnosisRule } from './rule.ts';
import { drainSeconds, expectedDrainSeconds } from './spike-drain.ts';
import { stepEvidence } from './threshold-rule.ts';

const TIMES_EXPECTED = 2.5;
/** A slice: the drain is known to the second. */
const RESOLUTION_SECONDS = 1;

/**
 * Slow recovery: after a burst the backlog takes 2.5 times as long as arithmetic gives it, (λs − μ)·Ts/(μ − λb) and a second,
 * or is still there at the end though there was time. The service is slower after the burst than under it (retries,
 * timeouts that are worked off, caches lost): a metastable failure (Bronson et al., HotOS 2021).
 */
export const slowRecovery: DiagnosisRule = {
  id: 'slow-recovery',
  examine: ({ plan, measurements, rows }) => {
    const [base, burst, after] = measurements;
    const row = rows.find(({ index }) => index === after?.step.index);
    if (plan?.shape !== 'spike' || measurements.length !== 3 || row === undefined) return [];
    const expected = expectedDrainSeconds(base!, burst!);
    if (expected === undefined) return [];
    const limit = TIMES_EXPECTED * expected + RESOLUTION_SECONDS;
    const drained = drainSeconds(base!, after!);
    const seconds = drained ?? after!.windowSeconds;
    if (seconds <= limit) return [];
    const ratio = lateRatio(burst!, after!);
    const words = drained === undefined ? 'is not gone after' : 'takes';
    return [
      {
        ruleId: 'slow-recovery',
        claim: `the backlog of the burst ${words} ${secondsText(seconds)} where its size gives ${secondsText(expected)}: the service does not come back to its speed`,
        confidence: drained === undefined || seconds > 2 * limit ? 'high' : 'medium',
        resource: 'queue',
        evidence: [
          stepEvidence(row, 'drainSeconds', seconds, 'seconds', `${secondsText(seconds)} to drain`),
          stepEvidence(
            row,
            'expectedDrainSeconds',
            expected,
            'seconds',
            `(λs − μ)·Ts/(μ − λb) gives ${secondsText(expected)}`,
          ),
          stepEvidence(
            row,
            'throughputRatio',
            ratio,
            'ratio',
            `while work was waiting it answers ${figure(ratio)} times as many as under the burst`,
          ),
        ],
        counterEvidence: [],
        nextExperiment:
          'no load for a while, then the base again: it recovers if the backlog itself keeps it slow',
        experiment: {
          kind: 'load-off',
          stepIndex: row.index,
          reads: { quantity: 'responseTimeSeconds' },
          supports: { atMost: 0.3 },
          refutes: { atLeast: 0.8 },
        },
      },
    ];
  },
};

/** X of the first half of the last step over X under the burst. */
function lateRatio(burst: StepMeasurement, after: StepMeasurement): number {
  const half = after.slices.slice(0, Math.max(1, Math.floor(after.slices.length / 2)));
  const rate = (slices: typeof half): number =>
    slices.reduce((sum, one) => sum + one.okCount, 0) /
    slices.reduce((sum, one) => sum + one.durationSeconds, 0);
  return rate(half) / (burst.completionCount / burst.windowSeconds);
}
