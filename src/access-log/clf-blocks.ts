import { MINUS, RETURN } from './bytes.ts';
import type { ClfLayout, TailReader } from './clf-fast.ts';
import { setClient } from './client-address.ts';
import { VERDICT, type BlockParser, type LineFields } from './log-format.ts';
import { clfStampOf } from './timestamps.ts';
import { FLAG, LAYOUT, RECORD, RECORD_BYTES } from './wasm/clf-program.ts';
import type { ClfScanner } from './wasm/clf-scanner.ts';

const WORDS = RECORD_BYTES / 4;
const POWERS_OF_TEN = Array.from({ length: 10 }, (_, power) => 10 ** power);
const STAMP_FROM_CLIENT = 6;
const STAMP_BYTES = 26;

/** Turns the records of the scanner into fields: what `ClfParser` finds in plain lines, and nothing else. */
export class ClfBlocks implements BlockParser {
  readonly #scanner: ClfScanner;
  readonly #records: Int32Array;
  readonly #layout: ClfLayout;
  readonly #layoutBits: number;
  readonly #readTail: TailReader | undefined;
  readonly #unitsPerSecond: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #origin = 0;
  #stampSeconds = NaN;

  constructor(scanner: ClfScanner, layout: ClfLayout, readTail: TailReader | undefined) {
    this.#scanner = scanner;
    this.#records = scanner.records;
    this.#layout = layout;
    this.#layoutBits = bitsOf(layout);
    this.#readTail = readTail;
    this.#unitsPerSecond = typeof layout.tail === 'object' ? layout.tail.unitsPerSecond : NaN;
  }

  scan(bytes: Uint8Array, start: number, end: number): number {
    this.#bytes = bytes;
    this.#origin = this.#scanner.origin(start);
    return this.#scanner.scan(bytes, start, end, this.#layoutBits);
  }

  nextLine(index: number): number {
    return this.#records[index * WORDS + RECORD.next]! + this.#origin;
  }

  readTimes(index: number, out: LineFields): boolean {
    const records = this.#records;
    const at = index * WORDS;
    const flags = records[at + RECORD.flags]!;
    if (flags === 0) return false;
    if ((flags & FLAG.newStamp) !== 0) {
      const stamp = records[at + RECORD.clientEnd]! + this.#origin + STAMP_FROM_CLIENT;
      this.#stampSeconds = clfStampOf(this.#bytes, stamp, stamp + STAMP_BYTES);
    }
    if (Number.isNaN(this.#stampSeconds)) return false;
    out.clear();
    out.stampSeconds = this.#stampSeconds;
    return this.#readTail === undefined ? this.#readDuration(at, out) : this.#readFields(at, out);
  }

  readRest(index: number, out: LineFields): void {
    if (this.#readTail === undefined) this.#readCore(index * WORDS, out);
  }

  /** A tail of several fields may name a better client than the line's first word, so it is read last. */
  #readFields(at: number, out: LineFields): boolean {
    this.#readCore(at, out);
    const lineBreak = this.#records[at + RECORD.next]! + this.#origin - 1;
    const end = this.#bytes[lineBreak - 1] === RETURN ? lineBreak - 1 : lineBreak;
    // The text before the first of them begins with the closing quote of the user agent.
    const from = this.#records[at + RECORD.tail]! + this.#origin - (this.#layout.isCombined ? 1 : 0);
    return this.#readTail!(this.#bytes, from, end, out) === VERDICT.ok;
  }

  #readDuration(at: number, out: LineFields): boolean {
    if (this.#layout.tail === 'none') return true;
    const decimals = this.#records[at + RECORD.decimals]!;
    if (decimals < 0) return true;
    const digits = this.#records[at + RECORD.digits]!;
    const value = decimals > 0 ? digits / POWERS_OF_TEN[decimals]! : digits;
    out.durationSeconds = value / this.#unitsPerSecond;
    return true;
  }

  #readCore(at: number, out: LineFields): void {
    const records = this.#records;
    const origin = this.#origin;
    const clientStart = records[at + RECORD.clientStart]! + origin;
    const clientEnd = records[at + RECORD.clientEnd]! + origin;
    if ((records[at + RECORD.flags]! & FLAG.oddClient) !== 0)
      setClient(this.#bytes, clientStart, clientEnd, out);
    else {
      out.clientStart = clientStart;
      out.clientEnd = clientEnd;
    }
    out.methodStart = clientEnd + STAMP_FROM_CLIENT + STAMP_BYTES + 3;
    out.methodEnd = records[at + RECORD.methodEnd]! + origin;
    out.targetStart = out.methodEnd + 1;
    out.targetEnd = records[at + RECORD.targetEnd]! + origin;
    out.status = records[at + RECORD.status]!;
    const size = records[at + RECORD.size]!;
    if (size >= 0) out.responseBytes = size;
    if (this.#layout.isCombined) this.#readTexts(at, out);
  }

  #readTexts(at: number, out: LineFields): void {
    const records = this.#records;
    const refererStart = records[at + RECORD.refererStart]! + this.#origin;
    const refererEnd = records[at + RECORD.refererEnd]! + this.#origin;
    const agentStart = records[at + RECORD.agentStart]! + this.#origin;
    const agentEnd = records[at + RECORD.agentEnd]! + this.#origin;
    if (refererEnd - refererStart !== 1 || this.#bytes[refererStart] !== MINUS) {
      out.refererStart = refererStart;
      out.refererEnd = refererEnd;
    }
    if (agentEnd - agentStart !== 1 || this.#bytes[agentStart] !== MINUS) {
      out.agentStart = agentStart;
      out.agentEnd = agentEnd;
    }
  }
}

function bitsOf({ hasVhost, isCombined, tail }: ClfLayout): number {
  const tailBit = tail === 'none' ? 0 : tail === 'fields' ? LAYOUT.fields : LAYOUT.number;
  return (hasVhost ? LAYOUT.vhost : 0) | (isCombined ? LAYOUT.combined : 0) | tailBit;
}
