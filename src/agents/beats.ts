import type { KeyObject } from 'node:crypto';
import type { Clock } from '../host/host.ts';
import type { Bus } from './bus.ts';
import { every } from './deadline.ts';
import { LIMITS } from './limits.ts';
import type { Beat } from './messages.ts';
import { signMessage } from './signature.ts';
import { SUBJECTS } from './subjects.ts';

/** The coordinator's signs of life to all agents of a run; each says what is wanted of them now. */
export class Beats {
  readonly #bus: Bus;
  readonly #key: KeyObject;
  readonly #runId: string;
  readonly #timer: { stop(): void };
  #state: Beat['state'] = { kind: 'run' };
  #count = 0;

  constructor(bus: Bus, clock: Clock, key: KeyObject, runId: string) {
    this.#bus = bus;
    this.#key = key;
    this.#runId = runId;
    this.#timer = every(clock, LIMITS.beatEverySeconds, () => this.#beat());
    this.#beat();
  }

  /** Says at once, and in every beat from now on, what is wanted. */
  say(state: Beat['state']): void {
    this.#state = state;
    this.#beat();
  }

  stop(): void {
    this.#timer.stop();
  }

  #beat(): void {
    const beat: Beat = { runId: this.#runId, count: this.#count++, state: this.#state };
    const subject = SUBJECTS.beat(this.#runId);
    this.#bus.publish(subject, signMessage(this.#key, subject, beat));
  }
}
