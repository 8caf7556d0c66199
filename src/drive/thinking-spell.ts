import type { Recorder } from './recorder.ts';

/** Whether one user is thinking, told to the recorder: from an answer to its next request. */
export class ThinkingSpell {
  readonly #recorder: Recorder;
  #isOn = false;
  #sinceSeconds = 0;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  begin(atSeconds: number): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#sinceSeconds = atSeconds;
    this.#recorder.thinkingBegan(atSeconds);
  }

  /** A request ends it. */
  end(atSeconds: number): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#recorder.thinkingEnded(atSeconds, atSeconds - this.#sinceSeconds);
  }

  /** The user leaves, and no request follows. */
  abandon(atSeconds: number): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#recorder.thinkingAbandoned(atSeconds);
  }
}
