import { BACKSLASH, MINUS, NINE, QUOTE, SLASH, SPACE, ZERO, decimalOf, isDigit } from './bytes.ts';
import { ClfBlocks } from './clf-blocks.ts';
import { setClient } from './client-address.ts';
import { VERDICT, type BlockParser, type LineFields, type LineParser, type Verdict } from './log-format.ts';
import { clfStampOf } from './timestamps.ts';
import { openScanner } from './wasm/clf-scanner.ts';
import { everywhere, firstOf } from './word-scan.ts';

/** What the lines of one file of the Common Log Format family hold, as far as it is read in haste. */
export interface ClfLayout {
  readonly hasVhost: boolean;
  readonly isCombined: boolean;
  /** Behind the user agent: nothing, one bare number (with its units a second), or fields that `readTail` reads. */
  readonly tail: 'none' | { readonly unitsPerSecond: number } | 'fields';
}

/** Reads the fields behind the closing quote of the user agent, or behind the size where there is none. */
export type TailReader = (bytes: Uint8Array, at: number, end: number, out: LineFields) => Verdict;

const STAMP_BYTES = 26;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LETTER_A = 0x41;
const LETTER_Z = 0x5a;
const LETTER_H = 0x48;
const SPACES = everywhere(SPACE);
const QUOTES = everywhere(QUOTE);
const wordOf = (text: string): number =>
  text.charCodeAt(0) | (text.charCodeAt(1) << 8) | (text.charCodeAt(2) << 16) | (text.charCodeAt(3) << 24);
const DASHES = wordOf(' - -');
const OPENS = wordOf('- - ');

/**
 * The parser of plain lines: no logged user, a method in capitals, a target without spaces, quotes and
 * escapes. It looks at each byte once at most and makes nothing of what is not asked for. A line that is not
 * plain goes to `careful`, whose reading is the rule: on a plain line both find the same.
 */
export class ClfParser implements LineParser {
  readonly timestampMeaning: LineParser['timestampMeaning'];
  readonly stampResolutionSeconds: number;
  readonly isMeaningAssumed?: true;
  readonly escapes: LineParser['escapes'];
  readonly notices: LineParser['notices'];
  readonly #careful: LineParser;
  readonly #layout: ClfLayout;
  readonly #readTail: TailReader | undefined;
  readonly #unitsPerSecond: number;
  readonly #stamp = new StampMemo();
  #bytes: Uint8Array = new Uint8Array(0);
  #words: DataView = new DataView(this.#bytes.buffer);

  constructor(careful: LineParser, layout: ClfLayout, readTail?: TailReader) {
    this.timestampMeaning = careful.timestampMeaning;
    this.stampResolutionSeconds = careful.stampResolutionSeconds;
    if (careful.isMeaningAssumed === true) this.isMeaningAssumed = true;
    this.escapes = careful.escapes;
    this.notices = careful.notices;
    this.#careful = careful;
    this.#layout = layout;
    this.#readTail = layout.tail === 'fields' ? readTail : undefined;
    this.#unitsPerSecond = typeof layout.tail === 'object' ? layout.tail.unitsPerSecond : NaN;
  }

  parse(bytes: Uint8Array, start: number, end: number, out: LineFields): Verdict {
    out.clear();
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    const words = this.#words;
    const from = this.#layout.hasVhost ? firstOf(words, start, end, SPACES, SPACES) + 1 : start;
    let at = readHead(bytes, words, from, end, out, this.#stamp);
    if (at > 0) at = readRequest(bytes, words, at, end, out);
    if (at > 0) at = readNumbers(bytes, at, end, out);
    if (at > 0 && this.#layout.isCombined) at = readTexts(bytes, at, end, out);
    if (at > 0 && this.#isTailRead(bytes, at, end, out)) return VERDICT.ok;
    return this.#careful.parse(bytes, start, end, out);
  }

  openBlocks(): BlockParser | undefined {
    const scanner = openScanner();
    return scanner === undefined ? undefined : new ClfBlocks(scanner, this.#layout, this.#readTail);
  }

  #isTailRead(bytes: Uint8Array, at: number, end: number, out: LineFields): boolean {
    if (this.#readTail !== undefined) {
      const from = this.#layout.isCombined ? at - 1 : at;
      return this.#readTail(bytes, from, end, out) === VERDICT.ok;
    }
    if (Number.isNaN(this.#unitsPerSecond)) return at === end;
    if (bytes[at] !== SPACE || at >= end) return false;
    if (bytes[at + 1] === MINUS) return at + 2 === end;
    out.durationSeconds = decimalOf(bytes, at + 1, end) / this.#unitsPerSecond;
    return !Number.isNaN(out.durationSeconds);
  }
}

/** Many lines share a second, so a stamp is read only where its bytes differ from the last line's. */
class StampMemo {
  readonly #known = new DataView(new ArrayBuffer(STAMP_BYTES));
  #seconds = NaN;

  secondsAt(bytes: Uint8Array, words: DataView, at: number): number {
    const known = this.#known;
    const isKnown =
      words.getInt32(at + 16, true) === known.getInt32(16, true) &&
      words.getInt32(at + 12, true) === known.getInt32(12, true) &&
      words.getInt32(at + 8, true) === known.getInt32(8, true) &&
      words.getInt32(at + 4, true) === known.getInt32(4, true) &&
      words.getInt32(at, true) === known.getInt32(0, true) &&
      words.getInt32(at + 20, true) === known.getInt32(20, true) &&
      words.getInt16(at + 24, true) === known.getInt16(24, true);
    if (isKnown) return this.#seconds;
    for (let i = 0; i < STAMP_BYTES; i += 1) known.setUint8(i, bytes[at + i]!);
    this.#seconds = clfStampOf(bytes, at, at + STAMP_BYTES);
    return this.#seconds;
  }
}

/** `client - - [stamp] "`, returns where the request begins; 0: not plain. */
function readHead(
  bytes: Uint8Array,
  words: DataView,
  start: number,
  end: number,
  out: LineFields,
  memo: StampMemo,
): number {
  let at = start;
  let isAddress = true;
  for (; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte === SPACE) break;
    if (byte <= MINUS || byte > NINE) isAddress = false;
  }
  const stamp = at + 6;
  if (stamp + STAMP_BYTES + 3 >= end) return 0;
  if (isAddress) {
    out.clientStart = start;
    out.clientEnd = at;
  } else setClient(bytes, start, at, out);
  const isPlain =
    words.getInt32(at, true) === DASHES &&
    words.getInt32(at + 1, true) === OPENS &&
    bytes[at + 5] === OPEN_BRACKET &&
    bytes[stamp + STAMP_BYTES] === CLOSE_BRACKET &&
    bytes[stamp + STAMP_BYTES + 1] === SPACE &&
    bytes[stamp + STAMP_BYTES + 2] === QUOTE;
  if (!isPlain) return 0;
  out.stampSeconds = memo.secondsAt(bytes, words, stamp);
  return Number.isNaN(out.stampSeconds) ? 0 : stamp + STAMP_BYTES + 3;
}

/** `METHOD target HTTP/1.1`, returns the place of the closing quote; 0: not plain. */
function readRequest(
  bytes: Uint8Array,
  words: DataView,
  start: number,
  end: number,
  out: LineFields,
): number {
  let at = start;
  while (at < end && bytes[at]! >= LETTER_A && bytes[at]! <= LETTER_Z) at += 1;
  if (at === start || at - start > 16 || bytes[at] !== SPACE) return 0;
  out.methodStart = start;
  out.methodEnd = at;
  out.targetStart = at + 1;
  at = firstOf(words, at + 1, end, SPACES, QUOTES);
  out.targetEnd = at;
  if (at === out.targetStart || bytes[at] !== SPACE) return 0;
  const close = at + (bytes[at + 7] === QUOTE ? 7 : 9);
  const isVersion = bytes[at + 1] === LETTER_H && bytes[at + 5] === SLASH && bytes[close] === QUOTE;
  return isVersion && close < end && isDigit(bytes[at + 6]!) ? close : 0;
}

/** `" 200 1234`, returns the place behind it; 0: not plain. */
function readNumbers(bytes: Uint8Array, close: number, end: number, out: LineFields): number {
  const hundreds = bytes[close + 2]! - ZERO;
  const tens = bytes[close + 3]! - ZERO;
  const ones = bytes[close + 4]! - ZERO;
  const areDigits = hundreds >= 0 && hundreds <= 9 && tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
  let at = close + 6;
  if (at >= end || !areDigits || bytes[close + 1] !== SPACE || bytes[close + 5] !== SPACE) return 0;
  out.status = hundreds * 100 + tens * 10 + ones;
  if (bytes[at] === MINUS) return at + 1;
  let size = 0;
  for (; at < end; at += 1) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) break;
    size = size * 10 + digit;
  }
  if (at === close + 6 || at - close > 20) return 0;
  out.responseBytes = size;
  return at;
}

/** ` "referer" "user agent"`, returns the place behind it; 0: not plain. */
function readTexts(bytes: Uint8Array, start: number, end: number, out: LineFields): number {
  if (bytes[start] !== SPACE || bytes[start + 1] !== QUOTE) return 0;
  const refererEnd = closingQuote(bytes, start + 2, end);
  if (refererEnd < 0 || bytes[refererEnd + 1] !== SPACE || bytes[refererEnd + 2] !== QUOTE) return 0;
  const agent = refererEnd + 3;
  const agentEnd = closingQuote(bytes, agent, end);
  if (agentEnd < 0) return 0;
  if (refererEnd - start !== 3 || bytes[start + 2] !== MINUS) {
    out.refererStart = start + 2;
    out.refererEnd = refererEnd;
  }
  if (agentEnd - agent !== 1 || bytes[agent] !== MINUS) {
    out.agentStart = agent;
    out.agentEnd = agentEnd;
  }
  return agentEnd + 1;
}

/** The next quote, if no backslash stands before it; −1: look carefully. */
function closingQuote(bytes: Uint8Array, start: number, end: number): number {
  const at = bytes.indexOf(QUOTE, start);
  return at >= start && at < end && bytes[at - 1] !== BACKSLASH ? at : -1;
}
