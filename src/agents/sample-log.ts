import type { CounterSample } from '../drive/counter-log.ts';
import type { LoadPlan } from '../model/load.ts';

/** Frames that are told later than this are no longer expected. */
const KEPT_SECONDS = 300;

/**
 * Samples of the service's counters by their time in the run. Events of agents come late, after an outage by many
 * seconds; the counters that belong to them were read when their second ended.
 */
export class SampleLog {
  readonly #keptSeconds: number;
  #samples: CounterSample[] = [];

  /** `keptSeconds`: how far back from the newest sample at least; Infinity keeps all. */
  constructor(keptSeconds = KEPT_SECONDS) {
    this.#keptSeconds = keptSeconds;
  }

  add(sample: CounterSample): void {
    this.#samples.push(sample);
    const oldest = sample.atSeconds - this.#keptSeconds;
    if (this.#samples[0]!.atSeconds < oldest - this.#keptSeconds)
      this.#samples = this.#samples.filter(({ atSeconds }) => atSeconds >= oldest);
  }

  /** The sample nearest to a second of the run; undefined before the first. */
  nearest(runSeconds: number): CounterSample | undefined {
    const distance = (sample: CounterSample): number => Math.abs(sample.atSeconds - runSeconds);
    // They came in order: the first one at or after the time, or the one before it.
    let low = 0;
    let high = this.#samples.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#samples[middle]!.atSeconds < runSeconds) low = middle + 1;
      else high = middle;
    }
    const after = this.#samples[low];
    const before = this.#samples[low - 1];
    if (after === undefined || before === undefined) return after ?? before;
    return distance(before) < distance(after) ? before : after;
  }
}

/**
 * Seconds of a run at which its plan's frames are cut: every second of a phase, and its end; after the plan every
 * second, without an end.
 */
export function* frameTimes(plan: LoadPlan): Generator<number> {
  let at = 0;
  for (const { restSeconds = 0, warmupSeconds, measureSeconds } of plan.steps) {
    for (const length of [restSeconds + warmupSeconds, measureSeconds]) {
      const end = at + length;
      for (at += 1; at < end; at += 1) yield at;
      at = end;
      yield end;
    }
  }
  for (;;) yield (at += 1);
}
