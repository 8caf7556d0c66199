import type { Clock } from '../../host/host.ts';

/**
 * Most connections for which one reading may serve all callbacks of a poll: beyond them the event loop polls
 * again before it reaches its check phase, and the reading goes stale.
 */
export const BATCH_CONNECTION_LIMIT = 1000;

/**
 * Gives all reads that one poll of the event loop reports the time of the first: they had all arrived by then,
 * and the later ones must not be charged for the work done on the earlier.
 */
export class BatchClock {
  readonly #clock: Clock;
  #nowSeconds = 0;
  #fresh = false;
  readonly #expire = (): void => {
    this.#fresh = false;
  };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  nowSeconds(connectionCount: number): number {
    if (connectionCount > BATCH_CONNECTION_LIMIT) return this.#clock.nowSeconds();
    if (!this.#fresh) {
      this.#nowSeconds = this.#clock.nowSeconds();
      this.#fresh = true;
      setImmediate(this.#expire);
    }
    return this.#nowSeconds;
  }
}
