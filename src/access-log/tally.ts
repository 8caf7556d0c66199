import type { LineCounts } from '../model/access-log.ts';
import { isBlank } from './detect-format.ts';
import { ExampleList } from './line-examples.ts';
import { LineSplitter } from './line-splitter.ts';
import type { LineFields } from './log-format.ts';
import type { ScannedPart } from './scanned-part.ts';
import { StartCounts } from './start-counts.ts';
import { TableBuilder } from './table-builder.ts';
import type { TextLimit } from './text-table.ts';

/** About 10 MB of columns and as much of texts: a log of fewer requests is kept whole. */
export const DEFAULT_ROW_LIMIT = 1 << 18;

type Counts = { -readonly [Name in keyof LineCounts]: number };

/** What all files of one reading share: the counts of lines, the starts, and the rows as far as they are kept. */
export class Tally {
  readonly counts: Counts = { total: 0, blank: 0, comment: 0, ok: 0, badRequest: 0, unparsed: 0 };
  readonly examples = new ExampleList();
  readonly starts = new StartCounts();
  table: TableBuilder;
  /** Whether a row has been made of each request. */
  hasAllRows: boolean;
  /** Unparsed lines that are no sign of another format. */
  asides = 0;
  readonly #rowLimit: number;
  readonly #textLimit: TextLimit | undefined;
  readonly #idle: LineSplitter;

  /** Beyond `rowLimit` requests rows are dropped, for a second pass to gather some of them. */
  constructor(rowLimit: number | 'all' | 'none', textLimit?: TextLimit) {
    this.#textLimit = textLimit;
    this.table = new TableBuilder(textLimit);
    this.#rowLimit = rowLimit === 'all' ? Infinity : rowLimit === 'none' ? 0 : rowLimit;
    this.hasAllRows = this.#rowLimit > 0;
    this.#idle = new LineSplitter((bytes, start, end) => {
      this.counts.total += 1;
      this.counts[isBlank(bytes, start, end) ? 'blank' : 'comment'] += 1;
    });
  }

  addRequest(bytes: Uint8Array, fields: LineFields, startSeconds: number): void {
    this.counts.ok += 1;
    this.starts.add(startSeconds);
    if (!this.hasAllRows) return;
    if (this.counts.ok > this.#rowLimit) this.#dropRows();
    else this.table.add(bytes, fields, startSeconds);
  }

  /** Keeps what a bad request says of itself as long as rows are kept. */
  addBad(bytes: Uint8Array, fields: LineFields): void {
    if (this.hasAllRows) this.table.addBad(bytes, fields);
  }

  /** Adds what has been counted of a part of a file, whose first line has `linesBefore` others before it. */
  addPart({ counts, asides, examples, starts }: ScannedPart, linesBefore: number): void {
    for (const name of Object.keys(counts) as (keyof LineCounts)[]) this.counts[name] += counts[name];
    this.asides += asides;
    this.examples.addAll(examples, linesBefore);
    this.starts.addAll(starts);
  }

  /** Lines of a file that holds blank lines and comments only. */
  countIdle(chunk: Uint8Array): void {
    this.#idle.push(chunk);
  }

  endIdle(): void {
    this.#idle.end();
  }

  #dropRows(): void {
    this.hasAllRows = false;
    this.table = new TableBuilder(this.#textLimit);
  }
}
