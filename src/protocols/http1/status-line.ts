import { asciiBytes, CR, DIGIT_0, DIGIT_1, DIGIT_9, FIELD_TEXT, SPACE } from './bytes.ts';

const VERSION = asciiBytes('HTTP/1.');

/** Where in the line the next octet belongs. */
const AT_VERSION = 0;
const AT_MINOR = 1;
const AT_SPACE = 2;
const AT_CODE = 3;
const AFTER_CODE = 4;
const IN_REASON = 5;
const COMPLETE = 6;

/** Reads a status line of HTTP/1.0 or HTTP/1.1 (RFC 9112 §4) up to its CR, over any number of reads. */
export class StatusLine {
  status = 0;
  /** 0 for HTTP/1.0. */
  minorVersion = 1;

  #state = AT_VERSION;
  /** Octets matched of the version, or digits of the status code. */
  #matched = 0;

  /** Whether the CR was read. */
  get complete(): boolean {
    return this.#state === COMPLETE;
  }

  /** Whether `status` and `minorVersion` are known. */
  get statusKnown(): boolean {
    return this.#state > AT_CODE;
  }

  begin(): void {
    this.status = 0;
    this.minorVersion = 1;
    this.#state = AT_VERSION;
    this.#matched = 0;
  }

  /**
   * Reads octets `from` up to `to`; returns the index after the last octet used. Stops at `complete`, or
   * before an octet that no status line has there.
   */
  read(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    if (this.#state === AT_VERSION && this.#matched === 0) at = this.#skipUsualStart(bytes, at, to);
    while (at < to && this.#state !== COMPLETE && this.#accept(bytes[at]!)) at++;
    return at;
  }

  /** The usual start, `HTTP/1.1 200 `, in one step; whatever else is left to the octet-wise reading. */
  #skipUsualStart(bytes: Uint8Array, at: number, to: number): number {
    if (to - at < VERSION.length + 6) return at;
    for (let i = 0; i < VERSION.length; i++) if (bytes[at + i] !== VERSION[i]) return at;
    const code = at + VERSION.length + 2;
    const hundreds = bytes[code]! - DIGIT_0;
    const tens = bytes[code + 1]! - DIGIT_0;
    const ones = bytes[code + 2]! - DIGIT_0;
    const digits = hundreds >= 0 && hundreds <= 9 && tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
    if (!digits || bytes[code - 2] !== DIGIT_1 || bytes[code - 1] !== SPACE || bytes[code + 3] !== SPACE)
      return at;
    this.status = hundreds * 100 + tens * 10 + ones;
    this.#state = IN_REASON;
    return code + 4;
  }

  #accept(octet: number): boolean {
    switch (this.#state) {
      case AT_VERSION:
        if (octet !== VERSION[this.#matched]) return false;
        if (++this.#matched === VERSION.length) this.#state = AT_MINOR;
        return true;
      case AT_MINOR:
        if (octet !== DIGIT_0 && octet !== DIGIT_1) return false;
        this.minorVersion = octet - DIGIT_0;
        this.#state = AT_SPACE;
        return true;
      case AT_SPACE:
        this.#matched = 0;
        this.#state = AT_CODE;
        return octet === SPACE;
      case AT_CODE:
        if (octet < DIGIT_0 || octet > DIGIT_9) return false;
        this.status = this.status * 10 + octet - DIGIT_0;
        if (++this.#matched === 3) this.#state = AFTER_CODE;
        return true;
      case AFTER_CODE:
        this.#state = octet === CR ? COMPLETE : IN_REASON;
        return octet === CR || octet === SPACE;
      default:
        if (octet === CR) this.#state = COMPLETE;
        return octet === CR || FIELD_TEXT[octet] === 1;
    }
  }
}
