import type { Clock, Task } from '../host/host.ts';

/** What one user waits for: of several wake-ups that were asked for, the last counts. */
export class WakeUp implements Task {
  readonly #clock: Clock;
  #pendingCount = 0;
  #then: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  at(atSeconds: number, then: () => void): void {
    this.#pendingCount += 1;
    this.#then = then;
    this.#clock.schedule(atSeconds, this);
  }

  cancel(): void {
    this.#then = undefined;
  }

  onTime(): void {
    this.#pendingCount -= 1;
    if (this.#pendingCount > 0) return;
    const then = this.#then;
    this.#then = undefined;
    then?.();
  }
}
