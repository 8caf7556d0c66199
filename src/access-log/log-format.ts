import type { LogEntry, TimestampMeaning } from '../model/access-log.ts';
import type { Notice } from '../model/notice.ts';
import type { EscapeStyle } from './unescape.ts';

/**
 * How one line ends: see `LineCounts`. Blank lines never reach a parser, and of comments only rows of headings;
 * an aside is a line that the writer is known to put among its requests: unparsed, but no sign of another format.
 */
export const VERDICT = { ok: 0, badRequest: 1, unparsed: 2, comment: 3, aside: 4 } as const;
export type Verdict = (typeof VERDICT)[keyof typeof VERDICT];

/**
 * What a parser found in one line: numbers, and byte ranges into the line's buffer. One object is reused for
 * all lines, so that a line costs no allocation. An empty range (start = end) is "not there".
 */
export class LineFields {
  /** Seconds since the epoch, as stamped. */
  stampSeconds = NaN;
  /** End of the request where the line stamps both, NaN otherwise. */
  endSeconds = NaN;
  /** NaN: not in the line. */
  durationSeconds = NaN;
  /** 0: not in the line. */
  status = 0;
  /** NaN: not in the line. */
  responseBytes = NaN;
  clientStart = 0;
  clientEnd = 0;
  methodStart = 0;
  methodEnd = 0;
  targetStart = 0;
  targetEnd = 0;
  userStart = 0;
  userEnd = 0;
  agentStart = 0;
  agentEnd = 0;
  refererStart = 0;
  refererEnd = 0;
  /** Where the ranges lie, if not in the line's own buffer: texts that had to be put together. */
  bytes: Uint8Array | undefined = undefined;
  /** Why the request is a bad one, for formats whose fields come in any order. */
  badRequest = '';
  /** For a line that is not ok: why, and the byte (from the start of the buffer) where it broke. */
  reason = '';
  brokeAt = 0;

  clear(): void {
    this.stampSeconds = NaN;
    this.endSeconds = NaN;
    this.durationSeconds = NaN;
    this.status = 0;
    this.responseBytes = NaN;
    this.clientStart = this.clientEnd = 0;
    this.methodStart = this.methodEnd = 0;
    this.targetStart = this.targetEnd = 0;
    this.userStart = this.userEnd = 0;
    this.agentStart = this.agentEnd = 0;
    this.refererStart = this.refererEnd = 0;
    this.bytes = undefined;
    this.badRequest = '';
    this.reason = '';
    this.brokeAt = 0;
  }

  /** Start of the request; where the end is stamped and there is no duration, that end. */
  startSeconds(isEndStamped: boolean): number {
    const isKnown = isEndStamped && !Number.isNaN(this.durationSeconds);
    return isKnown ? this.stampSeconds - this.durationSeconds : this.stampSeconds;
  }

  reject(verdict: Verdict, reason: string, at: number): Verdict {
    this.reason = reason;
    this.brokeAt = at;
    return verdict;
  }
}

/**
 * Reads many lines in one go, as far as they are plain; a line that is not is left to `parse`, whose reading is
 * the rule.
 */
export interface BlockParser {
  /** Looks at lines of [start, end), which ends in a line break, and returns at how many; 0: at none, go on by line. */
  scan(bytes: Uint8Array, start: number, end: number): number;
  /** Where the line behind number `index` of those begins. */
  nextLine(index: number): number;
  /** Sets the times of line number `index`, which are asked for in rising order; false: it is not plain. */
  readTimes(index: number, out: LineFields): boolean;
  /** Sets what else line number `index` holds, after its times. */
  readRest(index: number, out: LineFields): void;
}

/** Reads the lines of one file. It may keep state from line to line: headers change the meaning of what follows. */
export interface LineParser {
  readonly timestampMeaning: TimestampMeaning;
  readonly stampResolutionSeconds: number;
  readonly escapes: EscapeStyle;
  /** Nothing in the lines tells the event stamped; without durations it makes no difference to them. */
  readonly isMeaningAssumed?: true;
  /** What had to be guessed about this file. */
  readonly notices: readonly Notice[];
  /** Fills `out` from bytes [start, end) of one line without its line break. */
  parse(bytes: Uint8Array, start: number, end: number, out: LineFields): Verdict;
  /** For formats whose lines are mostly plain; undefined where the engine cannot. */
  openBlocks?(): BlockParser | undefined;
  /** Called with every line that begins with `#`. */
  comment?(bytes: Uint8Array, start: number, end: number): void;
}

/** Lines a format must read with these values; the contract suite runs them all. */
export interface FormatSample {
  readonly title: string;
  readonly lines: readonly string[];
  /** Beside `lines`; undefined for a comment, `badRequest`, `unparsed` or `aside` for such a line. */
  readonly expect: readonly (Partial<LogEntry> | 'badRequest' | 'unparsed' | 'aside' | undefined)[];
  /** Fields that must be missing from every entry. */
  readonly absent?: readonly (keyof LogEntry)[];
}

/** One access-log format. Adding one is a file in this folder and a line in `index.ts`. */
export interface LogFormat {
  readonly name: string;
  /** For help and error messages: what a line looks like. */
  readonly shape: string;
  readonly samples: readonly FormatSample[];
  /** A parser for a file that begins with these lines; undefined when the lines plainly are not of the format. */
  open(head: readonly Uint8Array[], comments?: readonly Uint8Array[]): LineParser | undefined;
  /** For formats that are told from no line: they look like another that means something else. */
  readonly isNamedOnly?: true;
}
