/** Writes numbers and texts one after the other into bytes that grow as needed. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** A whole number from 0 up in seven bits a byte, the lowest first (LEB128); up to 2^53. */
  whole(value: number): void {
    this.#room(8);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#at++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#at++] = rest;
  }

  number(value: number): void {
    this.#room(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.whole(bytes.length);
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** A mark whether something follows, and what it is. */
  optional<Value>(value: Value | undefined, write: (value: Value) => void): void {
    this.whole(value === undefined ? 0 : 1);
    if (value !== undefined) write(value);
  }

  list<Item>(items: readonly Item[], write: (item: Item) => void): void {
    this.whole(items.length);
    for (const item of items) write(item);
  }

  /** What was written so far. */
  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }

  #room(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#at + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
