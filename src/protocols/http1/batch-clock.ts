import type { Clock } from '../../host/host.ts';

/**
 * Most connections for which one reading may serve all callbacks of a poll: beyond them the event loop polls
 * again before it reaches its check phase, and the reading goes stale.
 */
export const BATCH_CONNECTION_LIMIT = 1000;

/** Polls that report fewer reads than this gain nothing from a shared reading, and it costs them an immediate. */
const WORTHWHILE_BATCH = 4;
/** Reads timed one by one after such a poll, before the size of a batch is looked at again. */
const SINGLE_READINGS = 32;

/**
 * Gives all reads that one poll of the event loop reports the time of the first: they had all arrived by then,
 * and the later ones must not be charged for the work done on the earlier.
 */
export class BatchClock {
  readonly #clock: Clock;
  #nowSeconds = 0;
  /** Reads that took the shared reading; 0 when there is none. */
  #batchSize = 0;
  #singleReadings = 0;
  readonly #endBatch = (): void => {
    if (this.#batchSize < WORTHWHILE_BATCH) this.#singleReadings = SINGLE_READINGS;
    this.#batchSize = 0;
  };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  nowSeconds(connectionCount: number): number {
    if (this.#batchSize === 0) {
      this.#nowSeconds = this.#clock.nowSeconds();
      if (connectionCount > BATCH_CONNECTION_LIMIT) return this.#nowSeconds;
      if (this.#singleReadings > 0) {
        this.#singleReadings--;
        return this.#nowSeconds;
      }
      setImmediate(this.#endBatch);
    }
    this.#batchSize++;
    return this.#nowSeconds;
  }
}
