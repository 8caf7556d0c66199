import type { Clock, Task } from '../host/host.ts';
import type { TimeLimits, TimeoutCode } from './time-limits.ts';

/** Something that has at most one request in flight. */
export interface Watched {
  /** Since when the request in flight is waited for; Infinity when none is. */
  readonly startedAtSeconds: number;
  /** The timeout that the request in flight has met. */
  overdue(nowSeconds: number, limits: TimeLimits): TimeoutCode | undefined;
  /** The request in flight has waited too long. */
  expire(nowSeconds: number, code: TimeoutCode): void;
}

/**
 * The timeouts of all requests of a protocol: one timer looks at all of them every `limits.sweepSeconds` as long as any
 * is in flight, so that no request costs a timer of its own. A timeout is noticed up to one sweep late.
 */
export class TimeoutSweep<Channel extends Watched> implements Task {
  /** Whoever may have a request in flight. */
  readonly channels = new Set<Channel>();
  readonly #clock: Clock;
  readonly #limits: TimeLimits;
  #isPlanned = false;

  constructor(clock: Clock, limits: TimeLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** A request was begun at `atSeconds`: its timeout is to be watched. */
  watch(atSeconds: number): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#clock.schedule(atSeconds + this.#limits.sweepSeconds, this);
  }

  onTime(): void {
    const now = this.#clock.nowSeconds();
    this.#isPlanned = false;
    for (const channel of this.channels) {
      if (channel.startedAtSeconds === Infinity) continue;
      const timeout = channel.overdue(now, this.#limits);
      if (timeout !== undefined) channel.expire(now, timeout);
      this.watch(now);
    }
  }
}
