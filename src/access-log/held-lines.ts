/** A line with its number, from 1. */
export interface HeldLine {
  readonly line: number;
  readonly bytes: Uint8Array;
}

/** So much of a log that comes only once is kept for a further look; more lines of no known format are junk. */
const MOST_HELD_BYTES = 1 << 25;
/** What one line costs beside its bytes, about. */
const LINE_COST_BYTES = 128;
const FIRST_LOOK = 128;

/**
 * Lines of a log that comes only once which do not fit its format so far. When a further format has been found among
 * them they are read with it; until then, and up to 32 MB, they are neither counted nor forgotten.
 */
export class HeldLines {
  #lines: HeldLine[] = [];
  #bytes = 0;
  #nextLook = FIRST_LOOK;

  add(line: number, bytes: Uint8Array, start: number, end: number): void {
    // The buffer may be reused for the next lines, and `slice` of a Buffer copies nothing.
    this.#lines.push({ line, bytes: Uint8Array.prototype.slice.call(bytes, start, end) });
    this.#bytes += end - start + LINE_COST_BYTES;
  }

  /** Whether it is time to look for a further format: soon, and then each time there are twice as many. */
  get isWorthALook(): boolean {
    return this.#lines.length >= this.#nextLook;
  }

  get isFull(): boolean {
    return this.#bytes >= MOST_HELD_BYTES;
  }

  lookedAt(): void {
    this.#nextLook = Math.max(FIRST_LOOK, this.#lines.length * 2);
  }

  /** All lines held, which are held no more. */
  take(): readonly HeldLine[] {
    const lines = this.#lines;
    this.#lines = [];
    this.#bytes = 0;
    return lines;
  }
}
