import type { TextList } from '../model/log-table.ts';

/** Room for the texts of any honest log's window; what a hostile one makes beyond it is put together. */
export interface TextLimit {
  readonly texts: number;
  readonly bytes: number;
}
const DEFAULT_LIMIT: TextLimit = { texts: 1 << 22, bytes: 1 << 28 };

/**
 * Numbers distinct byte strings in the order of their first appearance; beyond a limit every new one has the
 * number of the text `rest`. Keys are hashed and compared four
 * bytes at a time and kept in one arena, so that a line that brings nothing new costs no allocation and no
 * string.
 */
export class TextTable {
  #arena = new Uint8Array(1 << 16);
  #arenaWords = new DataView(this.#arena.buffer);
  #lastBytes: Uint8Array = this.#arena;
  #lastWords: DataView = this.#arenaWords;
  #used = 0;
  #offsets = new Uint32Array(1 << 10);
  /** Pairs of a hash and the number + 1 of its text, side by side: one look at memory a probe. */
  #slots = new Int32Array(1 << 12);
  #mask = (1 << 11) - 1;
  #count = 0;
  readonly #limit: TextLimit;
  readonly #rest: Uint8Array;
  /** Look-ups of new texts that there was no room for. */
  overflowCount = 0;

  constructor(rest: Uint8Array, limit: TextLimit = DEFAULT_LIMIT) {
    this.#rest = rest;
    this.#limit = limit;
  }

  get length(): number {
    return this.#count;
  }

  /** The number of the text in [start, end), which is a new one for a new text. */
  idOf(bytes: Uint8Array, start: number, end: number): number {
    if (bytes !== this.#lastBytes) this.#view(bytes);
    const words = this.#lastWords;
    const length = end - start;
    const hash = hashOf(words, start, length);
    const slots = this.#slots;
    const mask = this.#mask;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = slots[2 * slot + 1]! - 1;
      if (id < 0) return this.#isFull(length) ? this.#restId() : this.#add(bytes, start, end, hash, slot);
      if (slots[2 * slot] === hash && this.#equals(id, words, start, length)) return id;
    }
  }

  /** The number of the text in [start, end), or −1. */
  find(bytes: Uint8Array, start: number, end: number): number {
    if (bytes !== this.#lastBytes) this.#view(bytes);
    const hash = hashOf(this.#lastWords, start, end - start);
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const id = this.#slots[2 * slot + 1]! - 1;
      if (id < 0) return -1;
      if (this.#slots[2 * slot] === hash && this.#equals(id, this.#lastWords, start, end - start)) return id;
    }
  }

  /** What `of` makes of the bytes of each text, in the order of their numbers. */
  mapped(of: (bytes: Uint8Array, start: number, end: number) => number): Uint32Array {
    return Uint32Array.from({ length: this.#count }, (_, id) =>
      of(this.#arena, this.#offsets[id]!, this.#offsets[id + 1]!),
    );
  }

  /** As `idOf`, for a text that is likely the one of number `guess`: then it is compared and not hashed. */
  idOfLikely(bytes: Uint8Array, start: number, end: number, guess: number): number {
    if (bytes !== this.#lastBytes) this.#view(bytes);
    return this.#equals(guess, this.#lastWords, start, end - start) ? guess : this.idOf(bytes, start, end);
  }

  /** The texts, each decoded from its bytes when asked for. */
  decoded(decode: (bytes: Uint8Array, start: number, end: number) => string): TextList {
    return {
      length: this.#count,
      at: (id) =>
        id < this.#count ? decode(this.#arena, this.#offsets[id]!, this.#offsets[id + 1]!) : undefined,
    };
  }

  #equals(id: number, words: DataView, from: number, length: number): boolean {
    const known = this.#offsets[id]!;
    if (this.#offsets[id + 1]! - known !== length) return false;
    const arena = this.#arenaWords;
    let i = 0;
    for (; i + 4 <= length; i += 4)
      if (arena.getInt32(known + i, true) !== words.getInt32(from + i, true)) return false;
    for (; i < length; i += 1) if (arena.getUint8(known + i) !== words.getUint8(from + i)) return false;
    return true;
  }

  #isFull(length: number): boolean {
    return this.#count >= this.#limit.texts || this.#used + length > this.#limit.bytes;
  }

  /** The number of `rest`, which is a text like any other and may stand in the log itself. */
  #restId(): number {
    this.overflowCount += 1;
    const length = this.#rest.length;
    this.#view(this.#rest);
    const hash = hashOf(this.#lastWords, 0, length);
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const id = this.#slots[2 * slot + 1]! - 1;
      if (id < 0) return this.#add(this.#rest, 0, length, hash, slot);
      if (this.#slots[2 * slot] === hash && this.#equals(id, this.#lastWords, 0, length)) return id;
    }
  }

  /** Lines of one chunk share its bytes, so a view is made once a chunk. */
  #view(bytes: Uint8Array): void {
    this.#lastBytes = bytes;
    this.#lastWords = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const id = this.#count;
    const length = end - start;
    if (this.#used + length > this.#arena.length) {
      this.#arena = grown(this.#arena, Uint8Array, this.#used + length);
      this.#arenaWords = new DataView(this.#arena.buffer);
    }
    this.#arena.set(bytes.subarray(start, end), this.#used);
    this.#used += length;
    if (id + 2 > this.#offsets.length) this.#offsets = grown(this.#offsets, Uint32Array, id + 2);
    this.#offsets[id + 1] = this.#used;
    this.#slots[2 * slot] = hash;
    this.#slots[2 * slot + 1] = id + 1;
    this.#count += 1;
    if (this.#count * 2 > this.#mask) this.#rehash();
    return id;
  }

  #rehash(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    const mask = slots.length / 2 - 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue;
      let slot = old[from]! & mask;
      while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
      slots[2 * slot] = old[from]!;
      slots[2 * slot + 1] = old[from + 1]!;
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}

/**
 * Multiplicative hash of eight bytes a step, in two lanes that do not wait for each other; each step mixes
 * high bits down, for the table uses the low ones.
 */
function hashOf(words: DataView, from: number, length: number): number {
  let hash = length;
  let other = 0x27d4eb2f;
  let i = 0;
  for (; i + 8 <= length; i += 8) {
    hash = Math.imul(hash ^ words.getInt32(from + i, true), 0x9e3779b1);
    other = Math.imul(other ^ words.getInt32(from + i + 4, true), 0x85ebca6b);
    hash ^= hash >>> 15;
    other ^= other >>> 13;
  }
  for (; i < length; i += 1) hash = Math.imul(hash ^ words.getUint8(from + i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16) ^ other, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

/** A copy with at least `length` elements, at least twice as long as before. */
export function grown<T extends { readonly length: number; set(from: T): void }>(
  column: T,
  make: new (length: number) => T,
  length: number,
): T {
  const larger = new make(Math.max(length, column.length * 2));
  larger.set(column);
  return larger;
}
