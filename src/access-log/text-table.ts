import type { TextList } from '../model/log-table.ts';

/**
 * Numbers distinct byte strings in the order of their first appearance. Keys are hashed and compared four
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
  #hashes = new Int32Array(1 << 10);
  #slots = new Int32Array(1 << 11);
  #count = 0;

  get length(): number {
    return this.#count;
  }

  idOf(bytes: Uint8Array, start: number, end: number): number {
    if (bytes !== this.#lastBytes) this.#view(bytes);
    const words = this.#lastWords;
    const length = end - start;
    const hash = hashOf(words, start, length);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot]! - 1;
      if (id < 0) return this.#add(bytes, start, end, hash, slot);
      if (this.#hashes[id] === hash && this.#equals(id, words, start, length)) return id;
    }
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
    for (; i + 4 <= length; i += 4) if (arena.getInt32(known + i) !== words.getInt32(from + i)) return false;
    for (; i < length; i += 1) if (arena.getUint8(known + i) !== words.getUint8(from + i)) return false;
    return true;
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
    if (id + 2 > this.#offsets.length) {
      this.#offsets = grown(this.#offsets, Uint32Array, id + 2);
      this.#hashes = grown(this.#hashes, Int32Array, id + 2);
    }
    this.#offsets[id + 1] = this.#used;
    this.#hashes[id] = hash;
    this.#slots[slot] = id + 1;
    this.#count += 1;
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    return id;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#count; id += 1) {
      let slot = this.#hashes[id]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots = slots;
  }
}

/** Multiplicative hash of four bytes a step; each step mixes high bits down, for the table uses the low ones. */
function hashOf(words: DataView, from: number, length: number): number {
  let hash = length;
  let i = 0;
  for (; i + 4 <= length; i += 4) {
    hash = Math.imul(hash ^ words.getInt32(from + i), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; i < length; i += 1) hash = Math.imul(hash ^ words.getUint8(from + i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
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
