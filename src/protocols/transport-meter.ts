import type { TransportMeasurement } from '../model/measurement.ts';
import { COARSE_BITS, Histogram } from '../stats/histogram.ts';

/** Counts what happens beneath the requests, from one cut to the next. */
export class TransportMeter {
  #connectionsOpenedCount = 0;
  readonly #connectTime = new Histogram(COARSE_BITS);

  /** A connection stood, TLS included, `seconds` after it was begun. */
  opened(seconds: number): void {
    this.#connectionsOpenedCount += 1;
    this.#connectTime.record(seconds);
  }

  take(): TransportMeasurement {
    const measurement = {
      connectionsOpenedCount: this.#connectionsOpenedCount,
      redirectsFollowedCount: 0,
      connectTime: this.#connectTime.toData(),
    };
    this.#connectionsOpenedCount = 0;
    this.#connectTime.reset();
    return measurement;
  }
}
