import { EventChain } from './event-chain.ts';

/** What an inbox hands on: the events of one agent, each once, in order. */
export type EventSink = (seq: number, data: Uint8Array) => void;

/**
 * Events of one agent as they come from the broker: late, twice, in any order. What is handed on is each of them once
 * and in order of its number, so that merging is idempotent.
 */
export class EventInbox {
  /** Over what was handed on. */
  readonly chain = new EventChain();
  readonly #sink: EventSink;
  /** Came ahead of one that is missing. */
  readonly #early = new Map<number, Uint8Array>();
  #duplicateCount = 0;
  #reorderedCount = 0;

  constructor(sink: EventSink) {
    this.#sink = sink;
  }

  /** The number awaited next. */
  get nextSeq(): number {
    return this.chain.count;
  }

  /** Whether later events are here and this one is not. */
  get hasGap(): boolean {
    return this.#early.size > 0;
  }

  get duplicateCount(): number {
    return this.#duplicateCount;
  }

  get reorderedCount(): number {
    return this.#reorderedCount;
  }

  receive(seq: number, data: Uint8Array): void {
    if (seq < this.nextSeq || this.#early.has(seq)) {
      this.#duplicateCount += 1;
      return;
    }
    if (seq > this.nextSeq) {
      this.#reorderedCount += 1;
      this.#early.set(seq, data);
      return;
    }
    this.#hand(data);
    for (let next = this.#early.get(this.nextSeq); next !== undefined; next = this.#early.get(this.nextSeq)) {
      this.#early.delete(this.nextSeq);
      this.#hand(next);
    }
  }

  #hand(data: Uint8Array): void {
    const seq = this.nextSeq;
    this.chain.add(data);
    this.#sink(seq, data);
  }
}
