import { NEWLINE, RETURN } from './bytes.ts';

/** What a line longer than this holds is no request; it is counted and its rest is not kept. */
export const LONGEST_LINE_BYTES = 1 << 20;

/** Receives bytes [start, end) of one line without its line break; valid only during the call. */
export type LineSink = (bytes: Uint8Array, start: number, end: number) => void;

/** Receives the whole lines of a chunk, bytes [start, end) with their line breaks; valid only during the call. */
export type BlockSink = LineSink;

/**
 * Cuts chunks of any size into lines. A line inside one chunk is handed on in place; only a line that spans
 * chunks is copied. `\r\n` ends a line as `\n` does; a last line without either is a line. With a block sink
 * the lines inside a chunk go there together, in their place among the others.
 */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #blockSink: BlockSink;
  #carry = new Uint8Array(1 << 12);
  #carried = 0;
  #pushed = 0;
  /** Bytes behind the last line break, kept or not. */
  #pending = 0;

  constructor(sink: LineSink, blockSink?: BlockSink) {
    this.#sink = sink;
    this.#blockSink = blockSink ?? ((bytes, start, end) => this.cut(bytes, start, end));
  }

  /** How far the lines handed on so far reach, line breaks included. */
  get consumedBytes(): number {
    return this.#pushed - this.#pending;
  }

  push(chunk: Uint8Array): void {
    this.#pushed += chunk.length;
    let start = 0;
    const newline = this.#carried > 0 ? chunk.indexOf(NEWLINE) : -1;
    if (newline >= 0) {
      this.#keep(chunk, 0, newline);
      this.#emit(this.#carry, 0, this.#carried);
      this.#carried = 0;
      start = newline + 1;
    }
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > start) this.#blockSink(chunk, start, end);
    this.#pending = end > 0 ? chunk.length - end : this.#pending + chunk.length;
    if (end < chunk.length) this.#keep(chunk, end, chunk.length);
  }

  /** Hands on the lines of [start, end), which ends in a line break, one by one. */
  cut(bytes: Uint8Array, start: number, end: number): void {
    for (let from = start; from < end;) {
      const newline = bytes.indexOf(NEWLINE, from);
      this.#emit(bytes, from, newline);
      from = newline + 1;
    }
  }

  /** Hands on what stands behind the last line break. */
  end(): void {
    if (this.#carried > 0) this.#emit(this.#carry, 0, this.#carried);
    this.#carried = 0;
    this.#pending = 0;
  }

  #emit(bytes: Uint8Array, start: number, end: number): void {
    this.#sink(bytes, start, end > start && bytes[end - 1] === RETURN ? end - 1 : end);
  }

  #keep(chunk: Uint8Array, start: number, end: number): void {
    const length = Math.min(end - start, LONGEST_LINE_BYTES + 1 - this.#carried);
    if (length <= 0) return;
    if (this.#carried + length > this.#carry.length) {
      const larger = new Uint8Array(Math.max(this.#carried + length, this.#carry.length * 2));
      larger.set(this.#carry);
      this.#carry = larger;
    }
    this.#carry.set(chunk.subarray(start, start + length), this.#carried);
    this.#carried += length;
  }
}
