import type { Clock } from '../host/host.ts';
import type { Bus } from './bus.ts';
import { sleep } from './deadline.ts';
import { EventChain } from './event-chain.ts';
import { LIMITS } from './limits.ts';
import { SUBJECTS } from './subjects.ts';

/**
 * The way of an agent's events into the run's stream: in order, each again and again until the broker has said that
 * it is kept. The broker drops what it has already by the id `run:agent:seq`, and whoever reads merges by the same
 * pair, so that sending twice counts once. While the broker is away events wait here.
 */
export class EventStream {
  readonly chain = new EventChain();
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #runId: string;
  readonly #agentId: string;
  readonly #waiting: Uint8Array[] = [];
  #storedCount = 0;
  #retryCount = 0;
  #trouble: string | undefined;
  #isSending = false;
  #isClosed = false;
  #onEmpty: (() => void) | undefined;

  constructor(bus: Bus, clock: Clock, runId: string, agentId: string) {
    this.#bus = bus;
    this.#clock = clock;
    this.#runId = runId;
    this.#agentId = agentId;
  }

  get storedCount(): number {
    return this.#storedCount;
  }

  get retryCount(): number {
    return this.#retryCount;
  }

  /** Why the broker does not keep what waits, in its words; undefined while it does. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Throws a RangeError for an event that the broker would refuse for its size: no retry could mend that. */
  add(event: Uint8Array): void {
    if (event.length > this.#bus.mostBytes)
      throw new RangeError(
        `a second of this run takes ${event.length} bytes, and the broker carries ${this.#bus.mostBytes} at most`,
      );
    this.chain.add(event);
    this.#waiting.push(event);
    void this.#send();
  }

  /** Resolves when everything is kept. */
  flushed(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#onEmpty = resolve));
  }

  /** Gives up what is not kept yet. */
  close(): void {
    this.#isClosed = true;
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#waiting.length > 0 && !this.#isClosed) {
      if (await this.#store(this.#storedCount, this.#waiting[0]!)) {
        this.#waiting.shift();
        this.#storedCount += 1;
      } else {
        this.#retryCount += 1;
        await sleep(this.#clock, LIMITS.storePauseSeconds);
      }
    }
    this.#isSending = false;
    if (this.#waiting.length === 0) this.#onEmpty?.();
  }

  async #store(seq: number, event: Uint8Array): Promise<boolean> {
    const id = `${this.#runId}:${this.#agentId}:${seq}`;
    const subject = SUBJECTS.event(this.#runId, this.#agentId, seq);
    return this.#bus.store(subject, event, id, LIMITS.storeSeconds).then(
      () => {
        this.#trouble = undefined;
        return true;
      },
      (error: unknown) => {
        this.#trouble = error instanceof Error ? error.message : String(error);
        return false;
      },
    );
  }
}
