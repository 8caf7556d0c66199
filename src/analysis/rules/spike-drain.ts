import type { Evidence, Finding, StepRow } from '../../model/analysis.ts';
import type { Slice, StepMeasurement } from '../../model/measurement.ts';
import { figure, loadText, secondsText } from '../../stats/wording.ts';
import type { DiagnosisRule } from './rule.ts';
import { stepEvidence } from './threshold-rule.ts';

/** Base, burst, after. */
const STEP_COUNT = 3;
/** So many standard deviations of the base's slices above its mean still count as the base. */
const DEVIATIONS = 3;
/** As does half a request more, where the base hardly varies. */
const LEAST_SLACK = 0.5;

/**
 * How long a spike takes to drain: from the burst's end until as few requests are in flight as before it, to the
 * second. For an open burst of Ts at λs on a service of rate μ it should be (λs − μ)·Ts/(μ − λb).
 */
export const spikeDrain: DiagnosisRule = {
  id: 'spike-drain',
  examine: ({ plan, measurements, rows }) => {
    const [base, burst, after] = measurements;
    const row = rows.find(({ index }) => index === after?.step.index);
    if (plan?.shape !== 'spike' || measurements.length !== STEP_COUNT || row === undefined) return [];
    const drained = drainSeconds(base!, after!);
    return [findingOf(drained, burst!, after!, row, expectedDrainSeconds(base!, burst!))];
  },
};

/** Seconds from the start of `after` until a slice is back at the base; undefined when none is. */
export function drainSeconds(
  base: Pick<StepMeasurement, 'slices'>,
  after: Pick<StepMeasurement, 'slices' | 'startedAtSeconds'>,
): number | undefined {
  const { mean, deviation } = inFlightOf(base.slices);
  const limit = mean + Math.max(DEVIATIONS * deviation, LEAST_SLACK);
  const back = after.slices.find(({ meanInFlight }) => meanInFlight <= limit);
  return back === undefined ? undefined : back.atSeconds - after.startedAtSeconds;
}

function inFlightOf(slices: readonly Slice[]): { readonly mean: number; readonly deviation: number } {
  const mean = slices.reduce((sum, slice) => sum + slice.meanInFlight, 0) / slices.length;
  const squares = slices.reduce((sum, slice) => sum + (slice.meanInFlight - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / Math.max(1, slices.length - 1)) };
}

/** (λs − μ)·Ts/(μ − λb), μ the throughput under the burst; undefined where users, not rates, make the load. */
export function expectedDrainSeconds(base: StepMeasurement, burst: StepMeasurement): number | undefined {
  const [before, during] = [base.step.driver, burst.step.driver];
  if (before.kind !== 'open' || during.kind !== 'open') return undefined;
  const capacity = burst.completionCount / burst.windowSeconds;
  const excess = (during.arrivalRatePerSecond - capacity) * burst.windowSeconds;
  const room = capacity - before.arrivalRatePerSecond;
  return excess > 0 && room > 0 ? excess / room : undefined;
}

function findingOf(
  drained: number | undefined,
  burst: StepMeasurement,
  after: StepMeasurement,
  row: StepRow,
  expected: number | undefined,
): Finding {
  const length = secondsText(burst.windowSeconds);
  const outcome =
    drained === undefined
      ? `it has not recovered ${secondsText(after.windowSeconds)} later`
      : `it takes ${secondsText(drained)} to recover`;
  return {
    ruleId: 'spike-drain',
    claim: `after a burst of ${length} at ${loadText(loadRow(burst))} ${outcome}`,
    confidence: row.valid ? 'high' : 'medium',
    evidence: [backlogEvidence(burst, row), ...(expected === undefined ? [] : [lawEvidence(expected, row)])],
    counterEvidence: [],
    ...(drained === undefined && { nextExperiment: 'longer steps (--step), until the backlog is gone' }),
  };
}

function loadRow({ step }: StepMeasurement): Pick<StepRow, 'index' | 'users' | 'arrivalRatePerSecond'> {
  const { driver, index } = step;
  return driver.kind === 'open'
    ? { index, arrivalRatePerSecond: driver.arrivalRatePerSecond }
    : { index, users: driver.users };
}

function backlogEvidence({ slices }: StepMeasurement, row: StepRow): Evidence {
  const value = slices.at(-1)?.meanInFlight ?? 0;
  const text = `${figure(value)} requests in flight in the last second of the burst, before the load was back`;
  return stepEvidence(row, 'meanInFlight', value, 'count', text);
}

function lawEvidence(expected: number, row: StepRow): Evidence {
  const text = `(λs − μ)·Ts/(μ − λb) gives ${secondsText(expected)}, μ the throughput under the burst, back`;
  return stepEvidence(row, 'drainSeconds', expected, 'seconds', text);
}
