import type { ErrorStop } from '../model/load.ts';
import type { Frame } from '../model/measurement.ts';

/** With fewer requests a share says nothing. */
const FEWEST_REQUESTS = 10;

/** Watches the share of failed requests over the last seconds, across steps. */
export class ErrorWatch {
  readonly #limit: ErrorStop | undefined;
  #frames: { readonly seconds: number; readonly failed: number; readonly all: number }[] = [];

  constructor(limit: ErrorStop | undefined) {
    this.#limit = limit;
  }

  /** Takes in a frame; true once errors and timeouts exceed their share over the whole time asked for. */
  exceeds(frame: Frame): boolean {
    const limit = this.#limit;
    if (limit === undefined) return false;
    const count = (pick: (route: Frame['routes'][number]) => number): number =>
      frame.routes.reduce((sum, route) => sum + pick(route), 0);
    const failed = count((route) => route.errorCount + route.timeoutCount);
    const seconds = frame.endedAtSeconds - frame.startedAtSeconds;
    this.#frames.push({ seconds, failed, all: failed + count((route) => route.okCount) });
    const sum = (pick: (entry: { seconds: number; failed: number; all: number }) => number): number =>
      this.#frames.reduce((total, entry) => total + pick(entry), 0);
    while (sum((entry) => entry.seconds) - this.#frames[0]!.seconds >= limit.seconds) this.#frames.shift();
    // Frames are cut a little late or early: nine and a half seconds of ten are the ten that were meant.
    if (sum((entry) => entry.seconds) < 0.95 * limit.seconds) return false;
    const all = sum((entry) => entry.all);
    return all >= FEWEST_REQUESTS && sum((entry) => entry.failed) > limit.ratio * all;
  }
}
