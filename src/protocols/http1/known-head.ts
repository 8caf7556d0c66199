/**
 * Memory that reads go into. An answer begins at its first octet, because one request is in flight at a time;
 * so two heads can be compared by words of four octets, which is what the second view is for.
 */
export class ReadBuffer {
  readonly bytes: Buffer;
  readonly words: Int32Array;

  constructor(byteCount: number) {
    const memory = new ArrayBuffer(byteCount);
    this.bytes = Buffer.from(memory);
    this.words = new Int32Array(memory);
  }
}

/**
 * The last head seen for one request. Services answer one request with the same head for a second (the `Date`
 * moves on) or for ever, and comparing is three times as fast as scanning.
 */
export class KnownHead {
  /** False for HEAD: the answer ends with its head whatever the fields say. */
  readonly expectsBody: boolean;
  /** 0: no head is known. */
  length = 0;
  status = 0;
  keepAlive = false;
  /** As the scanner encodes it. */
  framing = 0;
  contentLength = 0;
  location = '';

  readonly #head = new ReadBuffer(1024);

  constructor(expectsBody: boolean) {
    this.expectsBody = expectsBody;
  }

  /** Whether the read starts with this head. */
  matches(read: ReadBuffer, readLength: number): boolean {
    const length = this.length;
    if (length === 0 || length > readLength) return false;
    const wordCount = length >> 2;
    const ownWords = this.#head.words;
    const words = read.words;
    for (let i = 0; i < wordCount; i++) if (ownWords[i] !== words[i]) return false;
    const ownBytes = this.#head.bytes;
    const bytes = read.bytes;
    for (let i = wordCount << 2; i < length; i++) if (ownBytes[i] !== bytes[i]) return false;
    return true;
  }

  /** Keeps the first `length` octets of the read as the head; heads too long to be worth it are not kept. */
  remember(read: ReadBuffer, length: number): boolean {
    const wordCount = (length + 3) >> 2;
    if (wordCount > this.#head.words.length) return false;
    for (let i = 0; i < wordCount; i++) this.#head.words[i] = read.words[i]!;
    this.length = length;
    return true;
  }
}
