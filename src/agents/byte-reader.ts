/** More items than any event has: a length that is out of bounds is no reason to fill the memory. */
const MOST_ITEMS = 1 << 20;

/** Reads what a `ByteWriter` wrote. Every method throws a RangeError where the bytes end before their time or hold no such thing. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  whole(): number {
    let byte = this.#bytes[this.#at++];
    if (byte !== undefined && byte < 128) return byte;
    let value = 0;
    let factor = 1;
    for (;;) {
      if (byte === undefined || factor > 2 ** 49) throw new RangeError('the bytes end within a number');
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
      byte = this.#bytes[this.#at++];
    }
  }

  /** Any finite number. */
  number(): number {
    const value = this.#view.getFloat64(this.#at, true);
    this.#at += 8;
    if (!Number.isFinite(value)) throw new RangeError(`${value} is no finite number`);
    return value;
  }

  text(): string {
    const length = this.whole();
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('the bytes end within a text');
    const text = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, length).toString('utf8');
    this.#at = end;
    return text;
  }

  optional<Value>(read: () => Value): Value | undefined {
    return this.whole() === 0 ? undefined : read();
  }

  list<Item>(read: () => Item): Item[] {
    const length = this.whole();
    if (length > MOST_ITEMS) throw new RangeError(`a list of ${length} items`);
    const items: Item[] = [];
    for (let i = 0; i < length; i += 1) items.push(read());
    return items;
  }

  /** Throws unless everything was read. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new RangeError('there is more than was written');
  }
}
