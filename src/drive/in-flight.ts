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

/** A generator's row in the shared memory is two cache lines wide: no two generators write to one line. */
const ROW_BYTES = 128;
const ROW_MASKS = ROW_BYTES / Int32Array.BYTES_PER_ELEMENT;
const ROW_TIMES = ROW_BYTES / Float64Array.BYTES_PER_ELEMENT;
/** The second time of a row; the first has the mask's place. */
const SINCE = 1;
/** Bit i of a mask: a request of class i is in flight; the highest: any request is. */
const ANY = 1 << 31;
/** What the others have in flight is looked up so often at most. */
const VIEW_SECONDS = 50e-6;
/** Gaps below are told by a generator's own answers: nobody asks how long a shorter silence was. */
const SHORT_GAP_SECONDS = 500e-6;

/**
 * Of several generators that share memory: each writes what it has in flight into a row of its own and reads the rows
 * of the others. Were all to count in common cells, every request would fetch the cache line from another core: two
 * threads were then only 1.15 × as fast as one.
 *
 * What is read of the others is at most 50 µs old, and a gap under 0.5 ms may be the generator's own (never shorter
 * than that of all). Times are those of one clock for all. Reads and writes are plain: aligned words do not tear on
 * 64-bit machines, and other threads see them soon enough without a fence.
 */
export class SharedInFlight implements InFlight {
  readonly #masks: Int32Array;
  readonly #times: Float64Array;
  readonly #partIndex: number;
  readonly #counts: number[];
  readonly #classesMask: number;
  #total = 0;
  #mask = 0;
  #othersMask = 0;
  #viewedAtSeconds = -Infinity;
  #sinceSeconds = 0;

  /** `partIndex`: whose row of the memory is written, from 0. */
  constructor(memory: SharedArrayBuffer, partIndex: number, classCount: number) {
    this.#masks = new Int32Array(memory);
    this.#times = new Float64Array(memory);
    this.#partIndex = partIndex;
    this.#counts = Array.from({ length: classCount }, () => 0);
    // Of one class alone, or of too many, nobody asks who was there.
    this.#classesMask = classCount > 1 && classCount <= MOST_MASKED_CLASSES ? 2 ** classCount - 1 : 0;
  }

  /** Memory for so many generators of a plan. */
  static memory(partCount: number): SharedArrayBuffer {
    return new SharedArrayBuffer(ROW_BYTES * partCount);
  }

  sent(classIndex: number, atSeconds: number): number {
    if (this.#total === 0) {
      this.#view(atSeconds);
      if (this.#othersMask === 0) this.#waitSince(atSeconds);
    } else if (!this.#hasAllClasses() && atSeconds - this.#viewedAtSeconds >= VIEW_SECONDS) {
      this.#view(atSeconds);
    }
    this.#total += 1;
    const before = this.#mask;
    const count = this.#counts[classIndex] ?? 0;
    this.#counts[classIndex] = count + 1;
    if (count === 0) this.#write(before | this.#bitOf(classIndex) | ANY);
    return (before | this.#othersMask) & this.#classesMask;
  }

  ended(classIndex: number, atSeconds: number): number {
    this.#total -= 1;
    const left = this.#counts[classIndex]! - 1;
    this.#counts[classIndex] = left;
    if (left === 0) this.#write(this.#total === 0 ? 0 : this.#mask & ~this.#bitOf(classIndex));
    let gapSeconds = atSeconds - this.#sinceSeconds;
    if (gapSeconds >= SHORT_GAP_SECONDS) gapSeconds = this.#gapOfAll(gapSeconds, atSeconds);
    this.#waitSince(atSeconds);
    // Two threads may be heard in another order than their answers came.
    return Math.max(0, gapSeconds);
  }

  #hasAllClasses(): boolean {
    return (this.#mask & this.#classesMask) === this.#classesMask;
  }

  #bitOf(classIndex: number): number {
    return (1 << classIndex) & this.#classesMask;
  }

  #write(mask: number): void {
    if (mask === this.#mask) return;
    this.#mask = mask;
    this.#masks[this.#partIndex * ROW_MASKS] = mask;
  }

  #waitSince(atSeconds: number): void {
    this.#sinceSeconds = atSeconds;
    this.#times[this.#partIndex * ROW_TIMES + SINCE] = atSeconds;
  }

  #view(atSeconds: number): void {
    const masks = this.#masks;
    const own = this.#partIndex * ROW_MASKS;
    let all = 0;
    for (let row = 0; row < masks.length; row += ROW_MASKS) if (row !== own) all |= masks[row]!;
    this.#othersMask = all;
    this.#viewedAtSeconds = atSeconds;
  }

  #gapOfAll(ownGapSeconds: number, atSeconds: number): number {
    const times = this.#times;
    let least = ownGapSeconds;
    for (let at = SINCE; at < times.length; at += ROW_TIMES) least = Math.min(least, atSeconds - times[at]!);
    return least;
  }
}
