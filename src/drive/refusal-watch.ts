import type { Frame } from '../model/measurement.ts';

/** After so many seconds in which every request was refused, the service is called gone. */
const REFUSED_SECONDS_LIMIT = 3;

/** Counts the frames, about a second each, in which connections were refused and nothing was answered. */
export class RefusalWatch {
  #refusedSeconds = 0;

  add(frame: Frame): void {
    const refused = frame.errorCodes['ECONNREFUSED'] ?? 0;
    const answered = Object.keys(frame.statusCounts).length > 0;
    if (answered) this.#refusedSeconds = 0;
    else if (refused > 0) this.#refusedSeconds += 1;
  }

  get isServiceGone(): boolean {
    return this.#refusedSeconds >= REFUSED_SECONDS_LIMIT;
  }
}
