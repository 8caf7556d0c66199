import type { TextList } from '../model/log-table.ts';

/**
 * Numbers distinct byte strings in the order of their first appearance. Keys are hashed from bytes and kept
 * in one arena, so that a line that brings nothing new costs no allocation and no string.
 */
export class TextTable {
  #arena = new Uint8Array(1 << 16);
  #used = 0;
  #offsets = new Uint32Array(1 << 10);
  #hashes = new Int32Array(1 << 10);
  #slots = new Int32Array(1 << 11);
  #count = 0;

  get length(): number {
    return this.#count;
  }

  idOf(bytes: Uint8Array, start: number, end: number): number {
    let hash = 0x811c9dc5 | 0;
    for (let i = start; i < end; i += 1) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot]! - 1;
      if (id < 0) return this.#add(bytes, start, end, hash, slot);
      if (this.#hashes[id] === hash && this.#equals(id, bytes, start, end)) return id;
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

  #equals(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#offsets[id]!;
    const length = end - start;
    if (this.#offsets[id + 1]! - from !== length) return false;
    for (let i = 0; i < length; i += 1) if (this.#arena[from + i] !== bytes[start + i]) return false;
    return true;
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const id = this.#count;
    const length = end - start;
    if (this.#used + length > this.#arena.length)
      this.#arena = grown(this.#arena, Uint8Array, this.#used + length);
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
