import { isBlank, isComment, type OpenedFormat } from './detect-format.ts';
import { formatChangeOf, joinedFormat } from './format-change.ts';
import { HeldLines } from './held-lines.ts';
import { lineScan } from './line-scan.ts';
import { LONGEST_LINE_BYTES, type LineSplitter } from './line-splitter.ts';
import { LineFields, VERDICT, type LogFormat } from './log-format.ts';
import type { LogSource } from './log-source.ts';
import type { ScannedPart } from './scanned-part.ts';
import { StrayList } from './strays.ts';
import type { Tally } from './tally.ts';
import type { LineWrapper } from './wrappers.ts';

/** Lines that ended in one chunk: where they stand in the file, and the starts of their requests. */
export interface LineBlock {
  readonly fromByte: number;
  readonly toByte: number;
  readonly firstStart: number;
  readonly lastStart: number;
}

/** A log with lines of more further formats than these is no log of one service. */
export const MOST_CHANGES = 3;

/** Reads one file, or the part of it that begins at `fromByte`, line by line, into the tally, and remembers which part of it holds which time. */
export class LineReader {
  readonly source: LogSource;
  readonly wrapper: LineWrapper | undefined;
  /** Packed files cannot be entered in the middle. */
  readonly isPacked: boolean;
  readonly blocks: LineBlock[] = [];
  /** Lines that do not fit the format. */
  strays = new StrayList();
  #opened: OpenedFormat;
  /** For a log that comes only once: further formats that its lines may have, and the lines that wait for one. */
  readonly #formats: readonly LogFormat[] | undefined;
  readonly #held = new HeldLines();
  readonly #tally: Tally;
  readonly #fields = new LineFields();
  readonly #splitter: LineSplitter;
  #isEnd: boolean;
  readonly #fromByte: number;
  #isRereading = false;
  #line = 0;
  #firstStart = Infinity;
  #lastStart = -Infinity;

  constructor(
    source: LogSource,
    opened: OpenedFormat,
    wrapper: LineWrapper | undefined,
    tally: Tally,
    isPacked: boolean,
    { fromByte = 0, formats }: { readonly fromByte?: number; readonly formats?: readonly LogFormat[] } = {},
  ) {
    this.source = source;
    this.#opened = opened;
    this.#formats = formats;
    this.wrapper = wrapper;
    this.isPacked = isPacked;
    this.#fromByte = fromByte;
    this.#tally = tally;
    this.#isEnd = opened.parser.timestampMeaning === 'end';
    this.#splitter = lineScan(wrapper === undefined ? opened.parser : undefined, this.#fields, {
      plain: (bytes, blocks, index) => {
        this.#line += 1;
        tally.counts.total += 1;
        if (tally.hasAllRows) blocks.readRest(index, this.#fields);
        this.#addRequest(bytes);
      },
      line: (bytes, start, end) => this.#read(bytes, start, end),
    });
  }

  get lineCount(): number {
    return this.#line;
  }

  get opened(): OpenedFormat {
    return this.#opened;
  }

  /** Takes over what others have counted of the file's lines, in the order of its parts. */
  addParts(parts: readonly ScannedPart[]): void {
    for (const part of parts) {
      this.#tally.addPart(part, this.#line);
      this.strays.addAll(part.strays, part.strayCount, this.#line);
      this.#line += part.counts.total;
      this.blocks.push(...part.blocks);
    }
  }

  push(chunk: Uint8Array): void {
    const fromByte = this.#splitter.consumedBytes;
    this.#splitter.push(chunk);
    this.#closeBlock(fromByte);
  }

  end(): void {
    const fromByte = this.#splitter.consumedBytes;
    this.#splitter.end();
    this.#closeBlock(fromByte);
    if (this.#formats === undefined) return;
    while (this.#adopt(this.#formats));
    this.#countHeld();
  }

  #closeBlock(fromByte: number): void {
    const toByte = this.#splitter.consumedBytes;
    if (toByte > fromByte)
      this.blocks.push({
        fromByte: this.#fromByte + fromByte,
        toByte: this.#fromByte + toByte,
        firstStart: this.#firstStart,
        lastStart: this.#lastStart,
      });
    this.#firstStart = Infinity;
    this.#lastStart = -Infinity;
  }

  #addRequest(bytes: Uint8Array): void {
    const startSeconds = this.#fields.startSeconds(this.#isEnd);
    if (startSeconds < this.#firstStart) this.#firstStart = startSeconds;
    if (startSeconds > this.#lastStart) this.#lastStart = startSeconds;
    this.#tally.addRequest(bytes, this.#fields, startSeconds);
  }

  #read(bytes: Uint8Array, start: number, end: number): void {
    const { counts } = this.#tally;
    this.#line += 1;
    counts.total += 1;
    if (isBlank(bytes, start, end)) counts.blank += 1;
    else if (isComment(bytes, start, end)) {
      counts.comment += 1;
      this.#opened.parser.comment?.(bytes, start, end);
    } else if (end - start > LONGEST_LINE_BYTES) {
      this.#fields.reject(VERDICT.unparsed, `the line is longer than ${LONGEST_LINE_BYTES} bytes`, start);
      this.#count('unparsed', bytes, start, end);
    } else if (this.wrapper === undefined) this.#parse(bytes, start, end, bytes, start, end);
    else {
      const inner = this.wrapper.unwrap(bytes, start, end);
      this.#parse(inner.bytes, inner.start, inner.end, bytes, start, end);
    }
  }

  /** Takes on the format of the lines held, if they are of one, and reads them with it; false: they are not. */
  #adopt(formats: readonly LogFormat[]): boolean {
    const change =
      (this.#opened.changes?.length ?? 0) < MOST_CHANGES ? formatChangeOf(this, formats) : undefined;
    this.#held.lookedAt();
    if (change === undefined) return false;
    this.#opened = joinedFormat(change);
    this.#isEnd = this.#opened.parser.timestampMeaning === 'end';
    this.#isRereading = true;
    this.#countHeld(true);
    this.#isRereading = false;
    this.#held.lookedAt();
    return true;
  }

  /** Reads the lines held; those that do not fit are counted as such, or held again. */
  #countHeld(holdsAgain = false): void {
    const line = this.#line;
    this.strays = new StrayList();
    for (const held of this.#held.take()) {
      this.#line = held.line;
      const { bytes } = held;
      const inner = this.wrapper?.unwrap(bytes, 0, bytes.length) ?? { bytes, start: 0, end: bytes.length };
      this.#parse(inner.bytes, inner.start, inner.end, bytes, 0, bytes.length, holdsAgain);
    }
    this.#line = line;
  }

  #parse(
    bytes: Uint8Array,
    start: number,
    end: number,
    line: Uint8Array,
    lineStart: number,
    lineEnd: number,
    holds = this.#formats !== undefined,
  ): void {
    const fields = this.#fields;
    const verdict = this.#opened.parser.parse(bytes, start, end, fields);
    if (verdict === VERDICT.ok) this.#addRequest(fields.bytes ?? bytes);
    else if (verdict === VERDICT.comment) this.#tally.counts.comment += 1;
    else {
      if (verdict === VERDICT.aside) this.#tally.asides += 1;
      if (verdict === VERDICT.badRequest) this.#tally.addBad(fields.bytes ?? bytes, fields);
      if (verdict === VERDICT.unparsed) this.strays.add(this.#line, bytes, start, end);
      if (verdict === VERDICT.unparsed && holds) return this.#hold(line, lineStart, lineEnd);
      this.#count(verdict === VERDICT.badRequest ? 'badRequest' : 'unparsed', line, lineStart, lineEnd);
    }
  }

  #hold(line: Uint8Array, start: number, end: number): void {
    this.#held.add(this.#line, line, start, end);
    if (this.#isRereading) return;
    if (this.#held.isWorthALook || this.#held.isFull) this.#adopt(this.#formats!);
    if (this.#held.isFull) this.#countHeld();
  }

  #count(kind: 'badRequest' | 'unparsed', bytes: Uint8Array, start: number, end: number): void {
    this.#tally.counts[kind] += 1;
    const { reason } = this.#fields;
    this.#tally.examples.add({ file: this.source.name, line: this.#line, kind, reason }, bytes, start, end);
  }
}
