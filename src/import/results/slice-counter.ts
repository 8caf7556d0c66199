import type { Slice } from '../../model/measurement.ts';
import { type Histogram, meanOf, percentileOf } from '../../stats/histogram.ts';

/** A step is shown in seconds; one of many hours in longer slices. */
const MOST_SLICES = 10_000;

/** What began and ended in one slice. */
export interface SliceCounts {
  ok: number;
  error: number;
  timeout: number;
  began: number;
  responseTime: Histogram | undefined;
}

/** The seconds of a window: what ended in each, and how much was in flight. */
export class SliceCounter {
  readonly #fromSeconds: number;
  readonly #windowSeconds: number;
  readonly #sliceSeconds: number;
  readonly #slices: SliceCounts[];
  /** Request-seconds in flight: those of a request's first and last slice, and as differences those it passed whole. */
  readonly #edgeSeconds: Float64Array;
  readonly #passing: Float64Array;

  constructor({ fromSeconds, toSeconds }: { readonly fromSeconds: number; readonly toSeconds: number }) {
    this.#fromSeconds = fromSeconds;
    this.#windowSeconds = toSeconds - fromSeconds;
    this.#sliceSeconds = Math.max(1, Math.ceil(this.#windowSeconds / MOST_SLICES));
    const count = Math.max(1, Math.ceil(this.#windowSeconds / this.#sliceSeconds));
    this.#slices = Array.from({ length: count }, () => ({
      ok: 0,
      error: 0,
      timeout: 0,
      began: 0,
      responseTime: undefined,
    }));
    this.#edgeSeconds = new Float64Array(count);
    this.#passing = new Float64Array(count + 1);
  }

  /** The slice of a time; the first or last for one outside the window. */
  at(seconds: number): SliceCounts {
    return this.#slices[this.#indexOf(seconds)]!;
  }

  /** A request was in flight from one time to the other, both within the window. */
  addInFlight(from: number, to: number): void {
    const [first, last] = [this.#indexOf(from), this.#indexOf(to)];
    if (first === last) {
      this.#edgeSeconds[first]! += to - from;
      return;
    }
    const edge = (slice: number): number => this.#fromSeconds + slice * this.#sliceSeconds;
    this.#edgeSeconds[first]! += edge(first + 1) - from;
    this.#edgeSeconds[last]! += to - edge(last);
    this.#passing[first + 1]! += 1;
    this.#passing[last]! -= 1;
  }

  /** The slices, counted from the run's start, and the request-seconds in flight over the window. */
  toData(originSeconds: number): { readonly slices: readonly Slice[]; readonly inFlightSeconds: number } {
    let passing = 0;
    let inFlightSeconds = 0;
    const slices = this.#slices.map(({ ok, error, timeout, began, responseTime }, i): Slice => {
      passing += this.#passing[i]!;
      const durationSeconds = Math.min(this.#sliceSeconds, this.#windowSeconds - i * this.#sliceSeconds);
      const seconds = this.#edgeSeconds[i]! + passing * durationSeconds;
      inFlightSeconds += seconds;
      const data = responseTime?.toData();
      const [mean, p95] = data === undefined ? [] : [meanOf(data), percentileOf(data, 95)];
      return {
        atSeconds: this.#fromSeconds - originSeconds + i * this.#sliceSeconds,
        durationSeconds,
        okCount: ok,
        errorCount: error,
        timeoutCount: timeout,
        meanInFlight: durationSeconds > 0 ? seconds / durationSeconds : 0,
        offeredCount: began,
        ...(mean !== undefined && { meanResponseTimeSeconds: mean }),
        ...(p95 !== undefined && { p95ResponseTimeSeconds: p95 }),
      };
    });
    return { slices, inFlightSeconds };
  }

  #indexOf(seconds: number): number {
    const at = Math.floor((seconds - this.#fromSeconds) / this.#sliceSeconds);
    return Math.min(Math.max(at, 0), this.#slices.length - 1);
  }
}
