import type { ReplaySchedule } from '../model/replay.ts';
import type { ArrivalTimes } from './arrival-times.ts';

/**
 * Hands out the requests of a log one by one: when the next one is due, and what it asks for. Like a
 * `RequestStream`, a draw leaves its result in two fields; chance has no part in it.
 */
export class ReplayStream {
  requestIndex = 0;
  target = '';
  #next = 0;
  readonly #schedule: ReplaySchedule;

  constructor(schedule: ReplaySchedule) {
    this.#schedule = schedule;
  }

  draw(): void {
    const { classIndex, targetIndex, targets } = this.#schedule;
    this.requestIndex = classIndex[this.#next]!;
    this.target = targets[targetIndex[this.#next]!]!;
    this.#next += 1;
  }

  /** Asks again and again when the request to be drawn next is due; Infinity past the last. */
  arrivalTimes(originSeconds: number, speedFactor: number): ArrivalTimes {
    return () => {
      const at = this.#schedule.atSeconds[this.#next];
      return at === undefined ? Infinity : originSeconds + at / speedFactor;
    };
  }
}
