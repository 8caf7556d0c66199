import { CR, type Fault, FIELD_TEXT, HEX_VALUE, LF, SEMICOLON } from './bytes.ts';
import { HeadScanner, MAX_HEAD_BYTES } from './head-scanner.ts';

/** Where in the chunked body the next octet belongs. */
const AT_SIZE = 0;
const IN_SIZE = 1;
const IN_EXTENSION = 2;
const AT_SIZE_LF = 3;
const IN_DATA = 4;
const AT_DATA_CR = 5;
const AT_DATA_LF = 6;
const IN_TRAILER = 7;
const COMPLETE = 8;

/**
 * Reads a chunked body (RFC 9112 §7.1) over any number of reads: sizes, extensions (passed over), data and
 * trailers (checked, not used). Allocates nothing.
 */
export class ChunkedBody {
  fault: Fault | '' = '';
  /** Octets of data, without the framing. */
  dataBytes = 0;

  #state = AT_SIZE;
  #size = 0;
  #extensionBytes = 0;
  readonly #trailer = new HeadScanner();

  get complete(): boolean {
    return this.#state === COMPLETE;
  }

  begin(): void {
    this.fault = '';
    this.dataBytes = 0;
    this.#startChunk();
  }

  /** Reads octets `from` up to `to`; returns the index after the last octet used. Stops at `complete` or a fault. */
  read(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    while (at < to && this.#state !== COMPLETE && this.fault === '') {
      if (this.#state === IN_DATA) at = this.#readData(at, to);
      else if (this.#state === IN_TRAILER) at = this.#readTrailer(bytes, at, to);
      else at = this.#readFraming(bytes[at]!, at);
    }
    return at;
  }

  #startChunk(): void {
    this.#state = AT_SIZE;
    this.#size = 0;
    this.#extensionBytes = 0;
  }

  #readData(at: number, to: number): number {
    const taken = Math.min(this.#size, to - at);
    this.#size -= taken;
    this.dataBytes += taken;
    if (this.#size === 0) this.#state = AT_DATA_CR;
    return at + taken;
  }

  #readTrailer(bytes: Uint8Array, from: number, to: number): number {
    const at = this.#trailer.read(bytes, from, to);
    this.fault = this.#trailer.fault;
    if (this.#trailer.complete) this.#state = COMPLETE;
    return at;
  }

  #readFraming(octet: number, at: number): number {
    switch (this.#state) {
      case AT_SIZE:
      case IN_SIZE:
        return this.#readSize(octet, at);
      case IN_EXTENSION:
        return this.#readExtension(octet, at);
      case AT_SIZE_LF:
        if (octet !== LF) return this.#fail('line end is not CR LF', at);
        this.#endSizeLine();
        return at + 1;
      case AT_DATA_CR:
        if (octet !== CR) return this.#fail('chunk is longer than its size', at);
        this.#state = AT_DATA_LF;
        return at + 1;
      default:
        if (octet !== LF) return this.#fail('line end is not CR LF', at);
        this.#startChunk();
        return at + 1;
    }
  }

  #readSize(octet: number, at: number): number {
    const digit = HEX_VALUE[octet]!;
    if (digit < 16) {
      this.#size = this.#size * 16 + digit;
      if (this.#size > Number.MAX_SAFE_INTEGER) return this.#fail('chunk size is no hexadecimal number', at);
      this.#state = IN_SIZE;
    } else if (this.#state === AT_SIZE || (octet !== CR && octet !== SEMICOLON)) {
      return this.#fail('chunk size is no hexadecimal number', at);
    } else {
      this.#state = octet === CR ? AT_SIZE_LF : IN_EXTENSION;
    }
    return at + 1;
  }

  #readExtension(octet: number, at: number): number {
    if (octet === CR) this.#state = AT_SIZE_LF;
    else if (octet === LF) return this.#fail('line end is not CR LF', at);
    else if (FIELD_TEXT[octet] === 0) return this.#fail('header value holds a control character', at);
    else if (++this.#extensionBytes > MAX_HEAD_BYTES) return this.#fail('head is longer than 64 KiB', at);
    return at + 1;
  }

  #endSizeLine(): void {
    if (this.#size > 0) {
      this.#state = IN_DATA;
      return;
    }
    this.#state = IN_TRAILER;
    this.#trailer.beginTrailer();
  }

  #fail(fault: Fault, at: number): number {
    this.fault = fault;
    return at;
  }
}
