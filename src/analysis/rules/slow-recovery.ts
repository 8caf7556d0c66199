import { figure, secondsText } from '../../stats/wording.ts';
import type { StepMeasurement } from '../../model/measurement.ts';
import type { DiagnosisRule } from './rule.ts';
import { drainSeconds } from './spike-drain.ts';
import { stepEvidence } from './threshold-rule.ts';

const TIMES_EXPECTED = 2;
/** A slice: the drain is known to the second. */
const RESOLUTION_SECONDS = 1;
/** The last slice of a window may be short, and its rate chance. */
const WHOLE_SLICE_SECONDS = 0.9;

/**
 * Slow recovery: after a burst the backlog takes twice as long, and a second, as it would at the speed that the
 * service had at first under the burst, (λs − μ)·Ts/(μ − λb) with μ its fastest second; or it is still there at the
 * end. The service is slower for having been overloaded (retries, work for those who have left, lost caches): a
 * metastable failure (Bronson et al., HotOS 2021).
 */
export const slowRecovery: DiagnosisRule = {
  id: 'slow-recovery',
  examine: ({ plan, measurements, rows }) => {
    const [base, burst, after] = measurements;
    const row = rows.find(({ index }) => index === after?.step.index);
    if (plan?.shape !== 'spike' || measurements.length !== 3 || row === undefined) return [];
    const expected = drainAtFullSpeed(base!, burst!);
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

/** (λs − μ)·Ts/(μ − λb), at least 0; undefined where users make the load, or the base alone is too much. */
function drainAtFullSpeed(base: StepMeasurement, burst: StepMeasurement): number | undefined {
  const [before, during] = [base.step.driver, burst.step.driver];
  if (before.kind !== 'open' || during.kind !== 'open') return undefined;
  const whole = burst.slices.filter(({ durationSeconds }) => durationSeconds >= WHOLE_SLICE_SECONDS);
  const fastest = Math.max(...whole.map(({ okCount, durationSeconds }) => okCount / durationSeconds));
  const room = fastest - before.arrivalRatePerSecond;
  if (!(room > 0)) return undefined;
  return Math.max(0, (during.arrivalRatePerSecond - fastest) * burst.windowSeconds) / room;
}

/** X of the first half of the last step over X under the burst. */
function lateRatio(burst: StepMeasurement, after: StepMeasurement): number {
  const half = after.slices.slice(0, Math.max(1, Math.floor(after.slices.length / 2)));
  const rate = (slices: typeof half): number =>
    slices.reduce((sum, one) => sum + one.okCount, 0) /
    slices.reduce((sum, one) => sum + one.durationSeconds, 0);
  return rate(half) / (burst.completionCount / burst.windowSeconds);
}
