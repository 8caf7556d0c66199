/**
 * What is in flight on the way to a service, by class of requests: who was there when a request was sent, and how long
 * nobody was answered.
 */
export interface InFlight {
  /** A request was sent; returns the mask of the classes (bit i: class i) that were in flight before it. */
  sent(classIndex: number, atSeconds: number): number;
  /** A request ended; returns how long no answer came: since the last one, or since somebody began to wait. */
  ended(classIndex: number, atSeconds: number): number;
}

/** A bit mask holds so many classes; more are not told apart. */
export const MOST_MASKED_CLASSES = 24;

/** Of one generator. */
export class OwnInFlight implements InFlight {
  readonly #counts: number[];
  #total = 0;
  #mask = 0;
  #waitingSinceSeconds = 0;

  constructor(classCount: number) {
    this.#counts = Array.from({ length: classCount }, () => 0);
  }

  sent(classIndex: number, atSeconds: number): number {
    if (this.#total === 0) this.#waitingSinceSeconds = atSeconds;
    this.#total += 1;
    const mask = this.#mask;
    this.#counts[classIndex] = (this.#counts[classIndex] ?? 0) + 1;
    this.#mask = mask | (1 << classIndex);
    return mask;
  }

  ended(classIndex: number, atSeconds: number): number {
    this.#total -= 1;
    const left = this.#counts[classIndex]! - 1;
    this.#counts[classIndex] = left;
    if (left === 0) this.#mask &= ~(1 << classIndex);
    const gapSeconds = atSeconds - this.#waitingSinceSeconds;
    this.#waitingSinceSeconds = atSeconds;
    return gapSeconds;
  }
}

const TOTAL = 0;
const WAITING_SINCE = 1;
const CLASSES = 2;
const MICROSECONDS = 1e6;

/**
 * Of several generators that share memory: each counts in its own thread what all of them have in flight. Times are
 * those of one clock for all, kept in µs of 32 bits: gaps of up to 35 minutes are told right.
 */
export class SharedInFlight implements InFlight {
  readonly #cells: Int32Array;
  readonly #maskedCount: number;

  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Int32Array(memory);
    const classCount = this.#cells.length - CLASSES;
    // Of one class alone, or of too many, nobody asks who was there.
    this.#maskedCount = classCount > 1 && classCount <= MOST_MASKED_CLASSES ? classCount : 0;
  }

  /** Memory for all generators of a plan with so many classes. */
  static memory(classCount: number): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (CLASSES + classCount));
  }

  sent(classIndex: number, atSeconds: number): number {
    const cells = this.#cells;
    if (Atomics.add(cells, TOTAL, 1) === 0) Atomics.store(cells, WAITING_SINCE, wrapped(atSeconds));
    let mask = 0;
    for (let i = 0; i < this.#maskedCount; i += 1) if (Atomics.load(cells, CLASSES + i) > 0) mask |= 1 << i;
    if (this.#maskedCount > 0) Atomics.add(cells, CLASSES + classIndex, 1);
    return mask;
  }

  ended(classIndex: number, atSeconds: number): number {
    const cells = this.#cells;
    Atomics.sub(cells, TOTAL, 1);
    if (this.#maskedCount > 0) Atomics.sub(cells, CLASSES + classIndex, 1);
    const now = wrapped(atSeconds);
    const before = Atomics.exchange(cells, WAITING_SINCE, now);
    // Two threads may be heard in another order than their answers came.
    return Math.max(0, (now - before) | 0) / MICROSECONDS;
  }
}

/** The lowest 32 bits of a time in µs. */
const wrapped = (seconds: number): number => (Math.round(seconds * MICROSECONDS) % 2 ** 32) | 0;
