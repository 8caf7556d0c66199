import type { Clock, Task } from './host.ts';
import { TimerQueue } from './timer-queue.ts';

/** A timer of Node fires up to this much late; the last stretch before a task is waited in the event loop. */
const TIMER_STEP_SECONDS = 1e-3;
/** Share of wall time that may go into such waiting; beyond it tasks fire on the timer's step. */
const SPIN_SHARE = 0.05;

/**
 * Monotonic time of the process and one timer for all tasks. A timer has steps of 1 ms: it is set to wake
 * before the task is due, and the rest is bridged by turning the event loop (sockets go on being read), as
 * long as that takes at most 5 % of the time. At higher rates tasks fire up to 1.3 ms late, which shows as
 * schedule lag.
 */
export class RealClock implements Clock {
  readonly #queue = new TimerQueue();
  #timer: NodeJS.Timeout | undefined;
  #armedForSeconds = Infinity;
  #isSpinning = false;
  #spunSeconds = 0;
  #spinWindowStart = 0;

  nowSeconds(): number {
    return performance.now() / 1e3;
  }

  schedule(atSeconds: number, task: Task): void {
    this.#queue.push(atSeconds, task);
    if (atSeconds < this.#armedForSeconds && !this.#isSpinning) this.#arm(this.nowSeconds());
  }

  #arm(nowSeconds: number): void {
    const firstAt = this.#queue.firstAtSeconds;
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#armedForSeconds = firstAt;
    if (firstAt === Infinity) return;
    const waitSeconds = firstAt - nowSeconds;
    if (waitSeconds < TIMER_STEP_SECONDS && this.#maySpin(nowSeconds)) {
      this.#isSpinning = true;
      setImmediate(this.#spin, nowSeconds);
      return;
    }
    const canSpinLater = this.#maySpin(nowSeconds);
    const milliseconds = canSpinLater ? Math.floor(waitSeconds * 1e3) : Math.ceil(waitSeconds * 1e3);
    // Node takes delays above 2^31 ms as 1 ms; far tasks are armed again on the way.
    this.#timer = setTimeout(this.#fire, Math.min(Math.max(milliseconds, 1), 2 ** 30));
  }

  #maySpin(nowSeconds: number): boolean {
    if (nowSeconds - this.#spinWindowStart > 1) {
      this.#spinWindowStart = nowSeconds;
      this.#spunSeconds = 0;
    }
    return this.#spunSeconds < SPIN_SHARE;
  }

  readonly #spin = (sinceSeconds: number): void => {
    const now = this.nowSeconds();
    if (this.#queue.firstAtSeconds > now) {
      setImmediate(this.#spin, sinceSeconds);
      return;
    }
    this.#spunSeconds += now - sinceSeconds;
    this.#isSpinning = false;
    this.#fire();
  };

  readonly #fire = (): void => {
    this.#timer = undefined;
    this.#armedForSeconds = -Infinity; // keeps tasks that schedule others from arming in between
    // Only what is due now: a task that schedules itself for "now" must not keep the sockets waiting.
    const now = this.nowSeconds();
    while (this.#queue.size > 0 && this.#queue.firstAtSeconds <= now) this.#queue.pop().onTime();
    this.#arm(this.nowSeconds());
  };
}
