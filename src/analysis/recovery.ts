import { median } from '../stats/rank-test.ts';

/** One window of a spike run. */
export interface SpikeWindow {
  readonly atSeconds: number;
  readonly durationSeconds: number;
  readonly offeredPerSecond: number;
  readonly throughputPerSecond: number;
  readonly errorRatio: number;
  readonly p95Seconds?: number;
}

export interface Recovery {
  readonly recovered: boolean;
  /** From the end of the spike to the first window from which all held; missing: not within `observedSeconds`. */
  readonly afterSeconds?: number;
  /** What was watched after the end of the spike. */
  readonly observedSeconds: number;
  readonly baselineP95Seconds: number;
  readonly worstP95Seconds: number;
  /** ∫(p95 − baseline) from the beginning of the spike, where above it. */
  readonly excessSecondsSquared: number;
  /** Requests offered from the beginning of the spike on and not answered: lost, or waiting still. */
  readonly unservedCount: number;
  /** Time to drain that the capacity allows at least; missing when not known. */
  readonly expectedDrainSeconds?: number;
  /** Recovery took over twice the drain time, or never came: retries, cold caches, a pool that does not come back. */
  readonly metastable: boolean;
}

export interface FluidSpike {
  readonly capacityPerSecond: number;
  readonly baseRatePerSecond: number;
  readonly spikeRatePerSecond: number;
  readonly spikeSeconds: number;
  /** Of a closed loop: no more than its users can wait. */
  readonly users?: number;
}

/**
 * The least a spike costs in a fluid queue without loss: backlog (λₛ − μ)·Tₛ, longest wait backlog/μ, drain
 * backlog/(μ − λ_b). Nothing waits where λₛ ≤ μ; the drain is infinite where the base rate is not below μ.
 */
export function fluidRecovery(spike: FluidSpike): {
  readonly backlogCount: number;
  readonly longestWaitSeconds: number;
  readonly drainSeconds: number;
} {
  const { capacityPerSecond, baseRatePerSecond, spikeRatePerSecond, spikeSeconds, users } = spike;
  const built = Math.max(0, spikeRatePerSecond - capacityPerSecond) * spikeSeconds;
  const backlogCount = Math.min(built, users ?? Infinity);
  const spare = capacityPerSecond - baseRatePerSecond;
  return {
    backlogCount,
    longestWaitSeconds: backlogCount / capacityPerSecond,
    drainSeconds: backlogCount === 0 ? 0 : spare > 0 ? backlogCount / spare : Infinity,
  };
}

const LEAST_HOLD_SECONDS = 30;
const HOLD_WINDOWS = 5;
const BASELINE_SECONDS = 60;

/**
 * Recovered at the first window after the spike from which, for max(30 s, five windows), every p95 is at most
 * base·(1 + max(10 %, three robust deviations)), errors at most half a point above base and X at least 97 % of what
 * is offered. The baseline is what came before the spike. Undefined with less than 60 s of it: nothing to compare
 * with.
 */
export function recoveryOf(
  windows: readonly SpikeWindow[],
  spike: { readonly fromSeconds: number; readonly toSeconds: number },
  fluid?: FluidSpike,
): Recovery | undefined {
  const before = windows.filter((w) => w.atSeconds + w.durationSeconds <= spike.fromSeconds);
  const timed = before.flatMap(({ p95Seconds }) => p95Seconds ?? []);
  if (timed.length === 0 || spanOf(before) < BASELINE_SECONDS) return undefined;
  const base = median(timed);
  const deviation = 1.4826 * median(timed.map((value) => Math.abs(value - base)));
  const limit = base + Math.max(0.1 * base, 3 * deviation);
  const errorLimit = median(before.map(({ errorRatio }) => errorRatio)) + 0.005;
  const isWell = (w: SpikeWindow): boolean =>
    (w.p95Seconds === undefined ? w.offeredPerSecond === 0 : w.p95Seconds <= limit) &&
    w.errorRatio <= errorLimit &&
    w.throughputPerSecond >= 0.97 * w.offeredPerSecond;
  const after = windows.filter(({ atSeconds }) => atSeconds >= spike.toSeconds);
  const since = windows.filter(({ atSeconds }) => atSeconds >= spike.fromSeconds);
  const start = firstThatHolds(after, isWell);
  const afterSeconds = start === undefined ? undefined : start - spike.toSeconds;
  const expected = fluid === undefined ? undefined : fluidRecovery(fluid).drainSeconds;
  return {
    recovered: afterSeconds !== undefined,
    ...(afterSeconds === undefined ? {} : { afterSeconds }),
    observedSeconds: spanOf(after),
    baselineP95Seconds: base,
    worstP95Seconds: Math.max(base, ...since.flatMap(({ p95Seconds }) => p95Seconds ?? [])),
    excessSecondsSquared: total(since, (w) => Math.max(0, (w.p95Seconds ?? base) - base) * w.durationSeconds),
    unservedCount: Math.max(
      0,
      total(since, (w) => (w.offeredPerSecond - w.throughputPerSecond) * w.durationSeconds),
    ),
    ...(expected === undefined ? {} : { expectedDrainSeconds: expected }),
    metastable: expected !== undefined && isMetastable(afterSeconds, expected, after),
  };
}

/** A recovery that is not seen counts only where twice the drain time was watched. */
function isMetastable(
  afterSeconds: number | undefined,
  expected: number,
  after: readonly SpikeWindow[],
): boolean {
  const windowSeconds = after[0]?.durationSeconds ?? 0;
  // Within one window of the end nothing can be told apart.
  const allowed = 2 * Math.max(expected, windowSeconds);
  return afterSeconds === undefined ? spanOf(after) > allowed + LEAST_HOLD_SECONDS : afterSeconds > allowed;
}

function firstThatHolds(
  after: readonly SpikeWindow[],
  isWell: (window: SpikeWindow) => boolean,
): number | undefined {
  const hold = Math.max(LEAST_HOLD_SECONDS, HOLD_WINDOWS * (after[0]?.durationSeconds ?? 0));
  const end = after.length === 0 ? 0 : after.at(-1)!.atSeconds + after.at(-1)!.durationSeconds;
  return after.find(({ atSeconds }) => {
    if (atSeconds + hold > end + 1e-9) return false;
    return after.every((w) => w.atSeconds < atSeconds || w.atSeconds >= atSeconds + hold || isWell(w));
  })?.atSeconds;
}

const total = (windows: readonly SpikeWindow[], of: (window: SpikeWindow) => number): number =>
  windows.reduce((sum, window) => sum + of(window), 0);

const spanOf = (windows: readonly SpikeWindow[]): number => total(windows, (w) => w.durationSeconds);
