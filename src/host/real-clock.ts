import type { Clock, Task } from './host.ts';
import { Pacer } from './pacer.ts';
import { TimerQueue } from './timer-queue.ts';

/** How often the number of wake-ups is looked at. */
const WINDOW_SECONDS = 0.5;
/**
 * Up to so many wake-ups a second a pacer is worth its 25 µs each (at most 7 % of a core). Above, answers come so
 * often that what is due is noticed with them, and the timer's step is the most that anything waits.
 */
const PACED_PER_SECOND = 2500;
/** Fewer than that come from what every run waits for: the end of a second, a sweep over timeouts. */
const RARE_PER_SECOND = 15;
/** A timer is late by up to this much. */
const TIMER_STEP_SECONDS = 1e-3;
/** Longer waits begin with the timer: a pacer has to bridge the last milliseconds alone. */
const PACED_WAIT_SECONDS = 0.02;

/**
 * Monotonic time of the process and one timer for all tasks. A timer fires up to 1.3 ms late. So whoever handles an
 * answer offers to call what is due by then, and a thread that can sleep more exactly wakes this one as long as
 * that costs little. What remains late shows as schedule lag.
 */
export class RealClock implements Clock {
  readonly #queue = new TimerQueue();
  #timer: NodeJS.Timeout | undefined;
  #armedForSeconds = Infinity;
  #isFiring = false;
  /** The newest reading. */
  #lastSeconds = 0;
  #pacer: Pacer | undefined;
  #windowBeganSeconds = 0;
  #wakeUpCount = 0;
  /** Whether so few tasks came due lately that a pacer is worth it. */
  #isPaced = false;

  nowSeconds(): number {
    return (this.#lastSeconds = performance.now() / 1e3);
  }

  schedule(atSeconds: number, task: Task): void {
    this.#queue.push(atSeconds, task);
    if (atSeconds < this.#armedForSeconds && !this.#isFiring) this.#arm(this.nowSeconds());
  }

  /** By the newest reading of the clock, which whoever handled the answer has made: asking costs no reading. */
  catchUp(): void {
    if (this.#queue.firstAtSeconds <= this.#lastSeconds && !this.#isFiring) this.#fire();
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    this.#armedForSeconds = Infinity;
    this.#fire();
  };

  readonly #fire = (): void => {
    this.#isFiring = true; // tasks that schedule others must not arm in between
    // Only what is due now: a task that schedules itself for "now" must not keep the sockets waiting.
    const now = this.nowSeconds();
    if (this.#queue.firstAtSeconds <= now) this.#countWakeUp(now);
    while (this.#queue.firstAtSeconds <= now && this.#queue.size > 0) this.#queue.pop().onTime();
    this.#isFiring = false;
    this.#arm(this.nowSeconds());
  };

  #arm(nowSeconds: number): void {
    const firstAt = this.#queue.firstAtSeconds;
    if (firstAt === Infinity) {
      this.#rest();
      return;
    }
    const waitSeconds = Math.max(0, firstAt - nowSeconds);
    if (!this.#isPaced) {
      // A timer that is set to an earlier time fires for nothing and arms again.
      if (this.#timer === undefined || firstAt < this.#armedForSeconds) this.#setTimer(firstAt, waitSeconds);
    } else if (waitSeconds > PACED_WAIT_SECONDS) {
      this.#setTimer(firstAt, waitSeconds - PACED_WAIT_SECONDS / 2);
    } else {
      this.#pacer ??= new Pacer(this.#fire);
      this.#pacer.wakeAt(firstAt);
      this.#setTimer(firstAt, waitSeconds + TIMER_STEP_SECONDS);
    }
  }

  #setTimer(forSeconds: number, delaySeconds: number): void {
    clearTimeout(this.#timer);
    this.#armedForSeconds = forSeconds;
    // Node takes delays above 2^31 ms as 1 ms; far tasks are armed again on the way.
    this.#timer = setTimeout(this.#onTimer, Math.min(Math.max(Math.ceil(delaySeconds * 1e3), 1), 2 ** 30));
  }

  /** Nothing to wait for: no timer and no thread is left behind. */
  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#armedForSeconds = Infinity;
    this.#pacer?.stop();
    this.#pacer = undefined;
    this.#isPaced = false;
    this.#windowBeganSeconds = 0;
    this.#wakeUpCount = 0;
  }

  /** Looks at the last window for whether a pacer is worth it. */
  #countWakeUp(nowSeconds: number): void {
    this.#wakeUpCount += 1;
    const passedSeconds = nowSeconds - this.#windowBeganSeconds;
    if (passedSeconds < WINDOW_SECONDS) return;
    const isFirst = this.#windowBeganSeconds === 0;
    const perSecond = this.#wakeUpCount / passedSeconds;
    this.#isPaced = !isFirst && perSecond > RARE_PER_SECOND && perSecond < PACED_PER_SECOND;
    this.#windowBeganSeconds = nowSeconds;
    this.#wakeUpCount = 0;
  }
}
