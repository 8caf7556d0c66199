import type { Slice, StepMeasurement } from '../model/measurement.ts';
import type { SpikeResult } from '../model/shape-result.ts';
import { secondsText } from '../stats/wording.ts';
import { type FluidSpike, type Recovery, recoveryOf, type SpikeWindow } from './recovery.ts';
import { drainSeconds, expectedDrainSeconds } from './rules/spike-drain.ts';

/** Slices of a second join to windows of this many: steadier, and still far shorter than a recovery. */
const WINDOW_SLICES = 5;

/**
 * How a service came back from a burst: base, burst and base again are the three measurements. The drain ends when
 * as few requests are in flight as before the burst; recovered is what `recoveryOf` calls so, which takes a minute
 * of base. Undefined unless all three were measured.
 */
export function spikeResult(measurements: readonly StepMeasurement[]): SpikeResult | undefined {
  const [base, burst, after] = measurements;
  if (base === undefined || burst === undefined || after === undefined) return undefined;
  const fluid = fluidOf(base, burst);
  const recovery = recoveryOf(
    measurements.flatMap(windowsOf),
    { fromSeconds: burst.startedAtSeconds, toSeconds: after.startedAtSeconds },
    fluid,
  );
  const drained = drainSeconds(base, after);
  const expected = expectedDrainSeconds(base, burst);
  const recovered = recovery?.recovered ?? drained !== undefined;
  return {
    kind: 'spike',
    recovered,
    observedSeconds: after.windowSeconds,
    ...(recovery?.afterSeconds !== undefined && { recoveredAfterSeconds: recovery.afterSeconds }),
    ...(drained !== undefined && { drainedAfterSeconds: drained }),
    ...(expected !== undefined && { expectedDrainSeconds: expected }),
    ...(fluid !== undefined && { capacityPerSecond: fluid.capacityPerSecond }),
    ...(recovery !== undefined && {
      baselineP95Seconds: recovery.baselineP95Seconds,
      worstP95Seconds: recovery.worstP95Seconds,
    }),
    lostCount: lostOf(burst) + lostOf(after),
    ...waitingAtEnd(base, after),
    metastable: recovery?.metastable ?? false,
    reason: reasonOf(recovery, drained, after.windowSeconds),
  };
}

/** Requests that failed, timed out, or were never sent. */
const lostOf = ({ outcomeCounts }: StepMeasurement): number =>
  outcomeCounts.error + outcomeCounts.timeout + outcomeCounts.dropped;

/** What was in flight in the last second, where that is more than before the burst: cut off, and not lost. */
function waitingAtEnd(base: StepMeasurement, after: StepMeasurement): Pick<SpikeResult, 'waitingCount'> {
  const waitingCount = Math.round(after.slices.at(-1)?.meanInFlight ?? 0);
  return waitingCount > 2 * Math.max(1, base.meanInFlight) && drainSeconds(base, after) === undefined
    ? { waitingCount }
    : {};
}

/** μ is the throughput under a burst that it could not keep up with; undefined where it could, or users make the load. */
function fluidOf(base: StepMeasurement, burst: StepMeasurement): FluidSpike | undefined {
  const [before, during] = [base.step.driver, burst.step.driver];
  if (expectedDrainSeconds(base, burst) === undefined) return undefined;
  if (before.kind !== 'open' || during.kind !== 'open') return undefined;
  return {
    capacityPerSecond: burst.completionCount / burst.windowSeconds,
    baseRatePerSecond: before.arrivalRatePerSecond,
    spikeRatePerSecond: during.arrivalRatePerSecond,
    spikeSeconds: burst.windowSeconds,
  };
}

function windowsOf({ slices }: StepMeasurement): readonly SpikeWindow[] {
  const windows: SpikeWindow[] = [];
  for (let from = 0; from < slices.length; from += WINDOW_SLICES)
    windows.push(windowOf(slices.slice(from, from + WINDOW_SLICES)));
  return windows;
}

function windowOf(slices: readonly Slice[]): SpikeWindow {
  const sum = (pick: (slice: Slice) => number): number =>
    slices.reduce((total, slice) => total + pick(slice), 0);
  const durationSeconds = sum((slice) => slice.durationSeconds);
  const answered = sum((slice) => slice.okCount);
  const failed = sum((slice) => slice.errorCount + slice.timeoutCount);
  const timed = slices.flatMap((slice) => slice.p95ResponseTimeSeconds ?? []);
  return {
    atSeconds: slices[0]!.atSeconds,
    durationSeconds,
    offeredPerSecond: sum((slice) => slice.offeredCount ?? slice.okCount) / durationSeconds,
    throughputPerSecond: answered / durationSeconds,
    errorRatio: failed === 0 ? 0 : failed / (answered + failed),
    ...(timed.length > 0 && { p95Seconds: timed.reduce((total, value) => total + value, 0) / timed.length }),
  };
}

function reasonOf(recovery: Recovery | undefined, drained: number | undefined, watched: number): string {
  const drain =
    drained === undefined
      ? `what queued up was not answered within ${secondsText(watched)}`
      : `what queued up was answered ${secondsText(drained)} after the burst`;
  if (recovery === undefined)
    return `${drain}; whether response times came back takes a minute of base before the burst to tell`;
  if (recovery.afterSeconds !== undefined) {
    const slow = recovery.metastable ? ', over twice the time its capacity allows' : '';
    return `${drain}; all was as before ${secondsText(recovery.afterSeconds)} after it${slow}`;
  }
  return `${drain}; response times, errors and throughput did not come back for good within ${secondsText(recovery.observedSeconds)}`;
}
