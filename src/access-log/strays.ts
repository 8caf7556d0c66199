/** A line that did not fit its file's format. */
export interface Stray {
  /** Its number, from 1. */
  readonly line: number;
  readonly bytes: Uint8Array;
}

const FIRST_KEPT = 128;
const MOST_SAMPLED = 256;

/** The buffer may be reused for the next lines, and `slice` of a Buffer copies nothing. */
const copyOf = (bytes: Uint8Array, start: number, end: number): Uint8Array =>
  Uint8Array.prototype.slice.call(bytes, start, end);

/**
 * Lines that did not fit: how many, the first 128 of them, and of the others an even sample of at most 256, so that
 * lines of another format show wherever in the file they begin.
 */
export class StrayList {
  count = 0;
  readonly #first: Stray[] = [];
  #sampled: Stray[] = [];
  #stride = 1;

  add(line: number, bytes: Uint8Array, start: number, end: number): void {
    const place = this.count - FIRST_KEPT;
    this.count += 1;
    if (place < 0) this.#first.push({ line, bytes: copyOf(bytes, start, end) });
    else if (place % this.#stride === 0) this.#sample({ line, bytes: copyOf(bytes, start, end) });
  }

  /** Takes over what another list holds of `count` lines, whose numbers count from behind `linesBefore` others. */
  addAll(strays: readonly Stray[], count: number, linesBefore: number): void {
    for (const { line, bytes } of strays) {
      const stray = { line: linesBefore + line, bytes };
      if (this.#first.length < FIRST_KEPT) this.#first.push(stray);
      else this.#sample(stray);
    }
    this.count += count;
  }

  /** Those kept, in the order of the file. */
  get kept(): readonly Stray[] {
    return [...this.#first, ...this.#sampled];
  }

  #sample(stray: Stray): void {
    this.#sampled.push(stray);
    if (this.#sampled.length <= MOST_SAMPLED) return;
    this.#sampled = this.#sampled.filter((_, index) => index % 2 === 0);
    this.#stride *= 2;
  }
}
