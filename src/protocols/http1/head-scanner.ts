import {
  asciiBytes,
  COLON,
  COMMA,
  CR,
  DIGIT_0,
  DIGIT_9,
  type Fault,
  FIELD_TEXT,
  LF,
  SPACE,
  startsWith,
  TAB,
  TOKEN_LOWER,
} from './bytes.ts';
import { StatusLine } from './status-line.ts';

/** Longest head, or trailer section, that is read before the answer counts as malformed. */
export const MAX_HEAD_BYTES = 64 * 1024;

const CONTENT_LENGTH = asciiBytes('content-length');
const TRANSFER_ENCODING = asciiBytes('transfer-encoding');
const CONNECTION = asciiBytes('connection');
const LOCATION = asciiBytes('location');
const CHUNKED = asciiBytes('chunked');
const CLOSE = asciiBytes('close');
const KEEP_ALIVE = asciiBytes('keep-alive');

/** Where in the head the next octet belongs. */
const IN_STATUS_LINE = 0;
const AT_LINE = 1;
const IN_NAME = 2;
const BEFORE_VALUE = 3;
const IN_VALUE = 4;
const AT_LINE_LF = 5;
const AT_LAST_LF = 6;
const COMPLETE = 7;

/** Which field the current line is; all but these are passed over. */
const OTHER_FIELD = 0;
const LENGTH_FIELD = 1;
const ENCODING_FIELD = 2;
const CONNECTION_FIELD = 3;
const LOCATION_FIELD = 4;

/**
 * Reads the head of an HTTP/1.x answer (RFC 9112 §4, §5), or its trailer section, octet by octet, over any
 * number of reads. Keeps what framing needs and passes over everything else; allocates nothing.
 */
export class HeadScanner {
  readonly statusLine = new StatusLine();
  /** −1: no Content-Length. */
  contentLength = -1;
  hasTransferEncoding = false;
  /** Whether `chunked` is the last transfer coding. */
  chunked = false;
  /** `Connection` lists `close`, anywhere. */
  close = false;
  /** `Connection` lists `keep-alive`, anywhere. */
  keepAlive = false;
  /** Value of `Location` as latin1 text; '' without one. */
  location = '';
  fault: Fault | '' = '';

  #state = IN_STATUS_LINE;
  #byteCount = 0;
  #trailer = false;
  #field = OTHER_FIELD;
  /** Start of the current field name or list element, in lower case; longer ones only count on. */
  readonly #word = new Uint8Array(20);
  #wordLength = 0;
  /** A blank after the word: the element is over, or is none of those looked for. */
  #gap = false;

  get complete(): boolean {
    return this.#state === COMPLETE;
  }

  begin(): void {
    this.statusLine.begin();
    this.contentLength = -1;
    this.hasTransferEncoding = false;
    this.chunked = false;
    this.close = false;
    this.keepAlive = false;
    this.location = '';
    this.fault = '';
    this.#state = IN_STATUS_LINE;
    this.#byteCount = 0;
    this.#trailer = false;
  }

  /** Expects field lines up to an empty one; their syntax is checked, their meaning is not used. */
  beginTrailer(): void {
    this.#state = AT_LINE;
    this.#byteCount = 0;
    this.#trailer = true;
    this.fault = '';
  }

  /** Reads octets `from` up to `to`; returns the index after the last octet used. Stops at `complete` or a fault. */
  read(bytes: Uint8Array, from: number, to: number): number {
    const limit = Math.min(to, from + MAX_HEAD_BYTES - this.#byteCount);
    let at = from;
    if (this.#state === IN_STATUS_LINE) at = this.#readStatusLine(bytes, at, limit);
    while (at < limit && this.#state !== COMPLETE && this.fault === '') {
      at = this.#readFieldLine(bytes, at, limit);
    }
    this.#byteCount += at - from;
    if (at === limit && limit < to && this.#state !== COMPLETE && this.fault === '') {
      this.fault = 'head is longer than 64 KiB';
    }
    return at;
  }

  #readStatusLine(bytes: Uint8Array, from: number, to: number): number {
    const at = this.statusLine.read(bytes, from, to);
    if (this.statusLine.complete) this.#state = AT_LINE_LF;
    else if (at < to) this.fault = 'status line is no HTTP/1.x status line';
    return at;
  }

  /** Reads on in one field line, to its end where the octets reach. */
  #readFieldLine(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    if (this.#state === AT_LINE) at = this.#startLine(bytes[at]!, at);
    if (this.#state === IN_NAME && this.fault === '') at = this.#readName(bytes, at, to);
    if (this.#state === BEFORE_VALUE && this.fault === '') {
      while (at < to && (bytes[at] === SPACE || bytes[at] === TAB)) at++;
      if (at < to) this.#state = IN_VALUE;
    }
    if (this.#state === IN_VALUE && this.fault === '') at = this.#readValue(bytes, at, to);
    if (at === to || this.fault !== '' || this.#state < AT_LINE_LF) return at;
    if (bytes[at] !== LF) return this.#fail('line end is not CR LF', at);
    this.#state = this.#state === AT_LAST_LF ? COMPLETE : AT_LINE;
    return at + 1;
  }

  #startLine(octet: number, at: number): number {
    if (octet === CR) {
      this.#state = AT_LAST_LF;
      return at + 1;
    }
    if (octet === SPACE || octet === TAB) return this.#fail('header line is folded', at);
    if (octet === LF) return this.#fail('line end is not CR LF', at);
    this.#wordLength = 0;
    this.#state = IN_NAME;
    return at;
  }

  #readName(bytes: Uint8Array, from: number, to: number): number {
    const word = this.#word;
    let length = this.#wordLength;
    let at = from;
    for (; at < to; at++) {
      const lower = TOKEN_LOWER[bytes[at]!]!;
      if (lower === 0) break;
      if (length < word.length) word[length] = lower;
      length++;
    }
    this.#wordLength = length;
    if (at === to) return at;
    if (bytes[at] !== COLON || length === 0) return this.#fail('header name is no token', at);
    this.#startValue();
    return at + 1;
  }

  #startValue(): void {
    this.#field = this.#trailer ? OTHER_FIELD : this.#namedField();
    this.#wordLength = 0;
    this.#gap = false;
    this.#state = BEFORE_VALUE;
    if (this.#field === LENGTH_FIELD) {
      if (this.contentLength >= 0) this.fault = 'Content-Length is given twice';
      this.contentLength = 0;
    } else if (this.#field === ENCODING_FIELD) {
      this.hasTransferEncoding = true;
    }
  }

  #namedField(): number {
    const length = this.#wordLength;
    if (startsWith(this.#word, length, CONNECTION)) return CONNECTION_FIELD;
    if (startsWith(this.#word, length, CONTENT_LENGTH)) return LENGTH_FIELD;
    if (startsWith(this.#word, length, TRANSFER_ENCODING)) return ENCODING_FIELD;
    if (startsWith(this.#word, length, LOCATION)) return LOCATION_FIELD;
    return OTHER_FIELD;
  }

  #readValue(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    if (this.#field === OTHER_FIELD) while (at < to && FIELD_TEXT[bytes[at]!] === 1) at++;
    else if (this.#field === LENGTH_FIELD) at = this.#readLength(bytes, at, to);
    else if (this.#field === LOCATION_FIELD) at = this.#readLocation(bytes, at, to);
    else at = this.#readList(bytes, at, to);
    if (at === to || this.fault !== '') return at;
    if (bytes[at] === LF) return this.#fail('line end is not CR LF', at);
    if (bytes[at] !== CR) return this.#fail('header value holds a control character', at);
    if (this.#field === LENGTH_FIELD && this.#wordLength === 0)
      return this.#fail('Content-Length is no number', at);
    if (this.#field === ENCODING_FIELD || this.#field === CONNECTION_FIELD) this.#endElement();
    this.#state = AT_LINE_LF;
    return at + 1;
  }

  #readLength(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    for (; at < to && FIELD_TEXT[bytes[at]!] === 1; at++) {
      const octet = bytes[at]!;
      if (octet === SPACE || octet === TAB) {
        this.#gap = true;
      } else if (octet >= DIGIT_0 && octet <= DIGIT_9 && !this.#gap) {
        this.contentLength = this.contentLength * 10 + octet - DIGIT_0;
        this.#wordLength++;
      } else {
        return this.#fail('Content-Length is no number', at);
      }
    }
    if (this.contentLength > Number.MAX_SAFE_INTEGER) return this.#fail('Content-Length is no number', at);
    return at;
  }

  #readLocation(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    while (at < to && FIELD_TEXT[bytes[at]!] === 1) at++;
    this.location += String.fromCharCode(...bytes.subarray(from, at));
    return at;
  }

  #readList(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    for (; at < to && FIELD_TEXT[bytes[at]!] === 1; at++) {
      const octet = bytes[at]!;
      if (octet === COMMA) {
        this.#endElement();
      } else if (octet === SPACE || octet === TAB) {
        this.#gap = this.#wordLength > 0;
      } else {
        // Two words in one element ("chunked x") are no element that is looked for: make it too long to be one.
        if (this.#gap) this.#wordLength = this.#word.length;
        if (this.#wordLength < this.#word.length) this.#word[this.#wordLength] = TOKEN_LOWER[octet]!;
        this.#wordLength++;
      }
    }
    return at;
  }

  #endElement(): void {
    const length = this.#wordLength;
    this.#wordLength = 0;
    this.#gap = false;
    if (length === 0) return;
    if (this.#field === ENCODING_FIELD) {
      const chunked = startsWith(this.#word, length, CHUNKED);
      if (this.chunked && chunked) this.fault = 'chunked is applied twice';
      this.chunked = chunked;
      return;
    }
    if (startsWith(this.#word, length, CLOSE)) this.close = true;
    else if (startsWith(this.#word, length, KEEP_ALIVE)) this.keepAlive = true;
  }

  #fail(fault: Fault, at: number): number {
    this.fault = fault;
    return at;
  }
}
