import { MINUS, QUOTE, SPACE, TAB, latin1Of, textOf } from './bytes.ts';
import { concludeNamed, readNamed } from './column-line.ts';
import { VERDICT, type LineFields, type LineParser, type Verdict } from './log-format.ts';
import { NAMED, type JsonField } from './named-fields.ts';
import { isoStampOf } from './timestamps.ts';

const PLUS = 0x2b;
const QUESTION = 0x3f;
const MOST_COLUMNS = 128;

/** Fields of the extended log format by the names that its writers use. */
const COLUMNS: Readonly<Record<string, JsonField>> = {
  'c-ip': NAMED.client,
  'cs-method': NAMED.method,
  'cs-username': NAMED.user,
  'sc-status': NAMED.status,
  'sc-bytes': NAMED.size,
  bytes: NAMED.size,
  'time-taken': NAMED.milliseconds,
  timetakenms: NAMED.milliseconds,
  'x-forwarded-for': NAMED.forwardedFor,
  'cs(x-forwarded-for)': NAMED.forwardedFor,
  'cs(referer)': NAMED.referer,
  'cs(referrer)': NAMED.referer,
};
const STEMS = ['cs-uri-stem', 'cs-uri'];
const DATES = ['date', 'date-local'];
const TIMES = ['time', 'time-local'];

interface Header {
  readonly fields: readonly (JsonField | undefined)[];
  readonly date: number;
  readonly time: number;
  readonly stem: number;
  readonly query: number;
  readonly agent: number;
}

/** Where a writer differs from IIS. */
export interface W3cOptions {
  readonly durations: 'milliseconds' | 'seconds';
  /** For files that are extracts without a header. */
  readonly defaultColumns?: readonly string[];
}

/**
 * Reads the W3C extended log format (working draft WD-logfile-960323): `#Fields:` says what the columns of
 * the lines below it are, and may come again and say otherwise. Where no column has the date, `#Date:` has.
 */
export class W3cParser implements LineParser {
  readonly timestampMeaning = 'end';
  readonly stampResolutionSeconds = 1;
  readonly escapes = 'none';
  readonly notices = [];
  readonly #options: W3cOptions;
  readonly #from = new Int32Array(MOST_COLUMNS);
  readonly #to = new Int32Array(MOST_COLUMNS);
  #scratch = new Uint8Array(1 << 12);
  #header: Header | undefined;
  #isOracle = false;
  #date = '';

  constructor(options: W3cOptions) {
    this.#options = options;
    if (options.defaultColumns !== undefined) this.#header = this.#headerOf(options.defaultColumns);
  }

  comment(bytes: Uint8Array, start: number, end: number): void {
    const text = textOf(bytes, start, end);
    const [, name, value] = /^#\s*([\w-]+):\s*(.*)$/.exec(text) ?? [];
    if (name === 'Software') this.#isOracle = value!.includes('Oracle');
    else if (name === 'Date' || name === 'Start-Date') this.#date = value!.slice(0, 10);
    else if (name === 'Fields') this.#header = this.#headerOf(value!.trim().split(/\s+/));
  }

  parse(bytes: Uint8Array, start: number, end: number, out: LineFields): Verdict {
    out.clear();
    const header = this.#header;
    if (header === undefined)
      return out.reject(VERDICT.unparsed, 'no #Fields line says what the columns are', start);
    const count = this.#cut(bytes, start, end);
    if (count < header.fields.length && header.fields.length - count > 2)
      return out.reject(
        VERDICT.unparsed,
        `${count} columns where #Fields names ${header.fields.length}`,
        end,
      );
    const [from, to] = [this.#from, this.#to];
    out.stampSeconds = this.#stampOf(bytes, header);
    for (let column = 0; column < Math.min(count, header.fields.length); column += 1) {
      const field = header.fields[column];
      if (field !== undefined && !readNamed(field, bytes, from[column]!, to[column]!, out))
        return VERDICT.unparsed;
    }
    this.#putTexts(bytes, header, count, out);
    return concludeNamed(start, out);
  }

  #headerOf(names: readonly string[]): Header {
    const lower = names.map((name) => name.toLowerCase());
    const at = (wanted: readonly string[]): number => lower.findIndex((name) => wanted.includes(name));
    const taken =
      this.#options.durations === 'seconds'
        ? NAMED.seconds
        : this.#isOracle
          ? NAMED.microseconds
          : NAMED.milliseconds;
    return {
      fields: lower.map((name) => (name === 'time-taken' ? taken : COLUMNS[name])),
      date: at(DATES),
      time: at(TIMES),
      stem: at(STEMS),
      query: at(['cs-uri-query']),
      agent: at(['cs(user-agent)']),
    };
  }

  /** Columns stand between tabs, or between spaces of any number; a quoted one may hold spaces and `""`. */
  #cut(bytes: Uint8Array, start: number, end: number): number {
    const hasTabs = bytes.subarray(start, end).includes(TAB);
    let count = 0;
    for (let at = start; at < end && count < MOST_COLUMNS; count += 1) {
      if (!hasTabs) while (at < end && bytes[at] === SPACE) at += 1;
      if (at >= end) break;
      const isQuoted = bytes[at] === QUOTE;
      let stop = isQuoted ? at + 1 : at;
      if (isQuoted)
        while (stop < end && (bytes[stop] !== QUOTE || bytes[stop + 1] === QUOTE))
          stop += bytes[stop] === QUOTE ? 2 : 1;
      else while (stop < end && bytes[stop] !== (hasTabs ? TAB : SPACE) && bytes[stop] !== TAB) stop += 1;
      this.#from[count] = isQuoted ? at + 1 : at;
      this.#to[count] = Math.min(stop, end);
      at = isQuoted ? stop + 2 : stop + 1;
    }
    return count;
  }

  #stampOf(bytes: Uint8Array, { date, time }: Header): number {
    if (time < 0) return NaN;
    const day = date < 0 ? this.#date : latin1Of(bytes.subarray(this.#from[date], this.#to[date]));
    const text = `${day}T${latin1Of(bytes.subarray(this.#from[time], this.#to[time]))}`;
    const stamp = Uint8Array.from(text, (char) => char.charCodeAt(0));
    return isoStampOf(stamp, 0, stamp.length);
  }

  /** Puts path and query together, and `+` for a space in the user agent right; all texts then lie in one buffer. */
  #putTexts(bytes: Uint8Array, { stem, query, agent }: Header, count: number, out: LineFields): void {
    if (stem < 0 || stem >= count) return;
    const needed = 2 * (this.#to[count - 1]! - this.#from[0]!) + 64;
    if (this.#scratch.length < needed) this.#scratch = new Uint8Array(2 * needed);
    const scratch = this.#scratch;
    let used = 0;
    const put = (start: number, end: number): number => {
      scratch.set(bytes.subarray(start, end), used);
      return (used += end - start);
    };
    out.methodEnd = put(out.methodStart, out.methodEnd);
    out.methodStart = 0;
    out.targetStart = used;
    put(this.#from[stem]!, this.#to[stem]!);
    if (query >= 0 && query < count && !this.#isDash(bytes, query)) {
      scratch[used] = QUESTION;
      used += 1;
      put(this.#from[query]!, this.#to[query]!);
    }
    out.targetEnd = used;
    out.clientStart = put(out.clientStart, out.clientEnd) - (out.clientEnd - out.clientStart);
    out.clientEnd = used;
    out.refererStart = put(out.refererStart, out.refererEnd) - (out.refererEnd - out.refererStart);
    out.refererEnd = used;
    out.userStart = put(out.userStart, out.userEnd) - (out.userEnd - out.userStart);
    out.userEnd = used;
    if (agent >= 0 && agent < count && !this.#isDash(bytes, agent)) {
      out.agentStart = used;
      out.agentEnd = put(this.#from[agent]!, this.#to[agent]!);
      for (let at = out.agentStart; at < used; at += 1) if (scratch[at] === PLUS) scratch[at] = SPACE;
    }
    out.bytes = scratch;
  }

  #isDash(bytes: Uint8Array, column: number): boolean {
    const from = this.#from[column]!;
    return bytes[from] === MINUS && this.#to[column] === from + 1;
  }
}
