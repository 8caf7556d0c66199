import type { Clock, Task } from './host.ts';
import { TimerQueue } from './timer-queue.ts';

/**
 * Time that passes only when nothing is left to do at the present moment: the event list of a discrete-event
 * simulation. The driver that runs here is the one that runs on the real clock.
 */
export class VirtualClock implements Clock {
  readonly #queue = new TimerQueue();
  #nowSeconds = 0;

  nowSeconds(): number {
    return this.#nowSeconds;
  }

  schedule(atSeconds: number, task: Task): void {
    this.#queue.push(Math.max(atSeconds, this.#nowSeconds), task);
  }

  /** Time stands still until all that is due has run. */
  catchUp(): void {}

  /** Runs the one task that is due first, for those who must look between two; false where there is none. */
  runNext(): boolean {
    if (this.#queue.size === 0) return false;
    this.#nowSeconds = this.#queue.firstAtSeconds;
    this.#queue.pop().onTime();
    return true;
  }

  /** Runs every task due up to `untilSeconds`, or until none is left. Time then stands at the last task run. */
  run(untilSeconds = Infinity): void {
    while (this.#queue.firstAtSeconds <= untilSeconds && this.#queue.size > 0) {
      this.#nowSeconds = this.#queue.firstAtSeconds;
      this.#queue.pop().onTime();
    }
  }
}
