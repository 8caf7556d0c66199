import { isBlank, isComment, type OpenedFormat } from './detect-format.ts';
import { LONGEST_LINE_BYTES, LineSplitter } from './line-splitter.ts';
import { LineFields, VERDICT } from './log-format.ts';
import type { LogSource } from './log-source.ts';
import type { Tally } from './tally.ts';
import type { LineWrapper } from './wrappers.ts';

/** Lines that ended in one chunk: where they stand in the file, and the starts of their requests. */
export interface LineBlock {
  readonly fromByte: number;
  readonly toByte: number;
  readonly firstStart: number;
  readonly lastStart: number;
}

/** Reads one file, line by line, into the tally, and remembers which part of it holds which time. */
export class LineReader {
  readonly source: LogSource;
  readonly opened: OpenedFormat;
  readonly wrapper: LineWrapper | undefined;
  /** Packed files cannot be entered in the middle. */
  readonly isPacked: boolean;
  readonly blocks: LineBlock[] = [];
  readonly #tally: Tally;
  readonly #fields = new LineFields();
  readonly #splitter: LineSplitter;
  readonly #isEnd: boolean;
  #line = 0;
  #firstStart = Infinity;
  #lastStart = -Infinity;

  constructor(
    source: LogSource,
    opened: OpenedFormat,
    wrapper: LineWrapper | undefined,
    tally: Tally,
    isPacked: boolean,
  ) {
    this.source = source;
    this.opened = opened;
    this.wrapper = wrapper;
    this.isPacked = isPacked;
    this.#tally = tally;
    this.#isEnd = opened.parser.timestampMeaning === 'end';
    this.#splitter = new LineSplitter((bytes, start, end) => this.#read(bytes, start, end));
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
  }

  #closeBlock(fromByte: number): void {
    const toByte = this.#splitter.consumedBytes;
    if (toByte > fromByte)
      this.blocks.push({ fromByte, toByte, firstStart: this.#firstStart, lastStart: this.#lastStart });
    this.#firstStart = Infinity;
    this.#lastStart = -Infinity;
  }

  #read(bytes: Uint8Array, start: number, end: number): void {
    const { counts } = this.#tally;
    this.#line += 1;
    counts.total += 1;
    if (isBlank(bytes, start, end)) counts.blank += 1;
    else if (isComment(bytes, start, end)) {
      counts.comment += 1;
      this.opened.parser.comment?.(bytes, start, end);
    } else if (end - start > LONGEST_LINE_BYTES) {
      this.#fields.reject(VERDICT.unparsed, `the line is longer than ${LONGEST_LINE_BYTES} bytes`, start);
      this.#count('unparsed', bytes, start, end);
    } else if (this.wrapper === undefined) this.#parse(bytes, start, end, bytes, start, end);
    else {
      const inner = this.wrapper.unwrap(bytes, start, end);
      this.#parse(inner.bytes, inner.start, inner.end, bytes, start, end);
    }
  }

  #parse(
    bytes: Uint8Array,
    start: number,
    end: number,
    line: Uint8Array,
    lineStart: number,
    lineEnd: number,
  ): void {
    const fields = this.#fields;
    const verdict = this.opened.parser.parse(bytes, start, end, fields);
    if (verdict === VERDICT.ok) {
      const startSeconds = fields.startSeconds(this.#isEnd);
      if (startSeconds < this.#firstStart) this.#firstStart = startSeconds;
      if (startSeconds > this.#lastStart) this.#lastStart = startSeconds;
      this.#tally.addRequest(fields.bytes ?? bytes, fields, startSeconds);
    } else if (verdict === VERDICT.comment) this.#tally.counts.comment += 1;
    else {
      if (verdict === VERDICT.aside) this.#tally.asides += 1;
      this.#count(verdict === VERDICT.badRequest ? 'badRequest' : 'unparsed', line, lineStart, lineEnd);
    }
  }

  #count(kind: 'badRequest' | 'unparsed', bytes: Uint8Array, start: number, end: number): void {
    this.#tally.counts[kind] += 1;
    const { reason } = this.#fields;
    this.#tally.examples.add({ file: this.source.name, line: this.#line, kind, reason }, bytes, start, end);
  }
}
