import { open, type FileHandle } from 'node:fs/promises';
import { isOwn, type PlanPart } from '../drive/plan-part.ts';
import { ShiploadError } from '../errors.ts';
import { csvFields } from '../scenario/csv.ts';
import type { Random } from '../stats/random.ts';
import { RecordScanner } from './record-scanner.ts';

const CR = 13;
const CHUNK_BYTES = 256 * 1024;
const DRAW_BYTES = 16 * 1024;
/** A record longer than this is no record of a feed. */
const MOST_RECORD_BYTES = 8 * 1024 * 1024;
const MOST_MARKS = 1 << 15;

/** Where every so many-th record begins, so that any can be found; it thins itself out as the file grows. */
interface RecordIndex {
  readonly everyCount: number;
  readonly recordCount: number;
  readonly offsets: readonly number[];
}

/**
 * Records of one CSV or JSONL file, read as they are taken: what is held in memory does not grow with the file.
 * `random` reads the file once to its end, to give every record the same chance.
 */
export class FeedFile {
  readonly #path: string;
  readonly #part: PlanPart;
  readonly #isCsv: boolean;
  #handle: FileHandle | undefined;
  #names: readonly string[] = [];
  #firstAt = 0;
  #cursor: AsyncGenerator<string> | undefined;
  /** Records the cursor has given. */
  #readCount = 0;
  #index: Promise<RecordIndex> | undefined;
  /** Reads follow one another. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #ofUser = new Map<number, unknown>();
  /** Of the record that is read next, counted on when the file begins again. */
  #number = 0;

  /** `part`: of several who hand out one file's records in turn, whose this is; missing: all are. */
  constructor(path: string, part: PlanPart = { index: 0, count: 1 }) {
    this.#path = path;
    this.#part = part;
    this.#isCsv = !/\.(jsonl|ndjson)$/i.test(path);
  }

  /** Opens the file and reads the names of a CSV. Throws `file-not-found`, `file-unreadable` or `feed-invalid`. */
  async open(): Promise<void> {
    try {
      this.#handle = await open(this.#path);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      const isMissing = code === 'ENOENT';
      throw new ShiploadError(
        isMissing ? 'file-not-found' : 'file-unreadable',
        isMissing ? `there is no ${this.#path}` : `cannot read ${this.#path}: ${code}`,
        { where: this.#path, cause },
      );
    }
    if (this.#isCsv) {
      for await (const { text, endAt } of this.#records(0)) {
        this.#names = csvFields(text.replace(/^\uFEFF/, ''));
        this.#firstAt = endAt;
        break;
      }
    }
    for await (const record of this.#records(this.#firstAt)) {
      this.#parse(record.text, 1);
      return;
    }
    throw this.#invalid('the file holds no records');
  }

  /** The next record, from the start again after the last. */
  next(): Promise<unknown> {
    return this.#inTurn(async () => {
      const text = await this.#own(async () => (await this.#text()) ?? (await this.#text()));
      return text === undefined ? undefined : this.#parse(text, this.#readCount);
    });
  }

  /** A record of this user's own. Throws `feed-invalid` when there is none left. */
  ofUser(userIndex: number): Promise<unknown> {
    return this.#inTurn(async () => {
      if (this.#ofUser.has(userIndex)) return this.#ofUser.get(userIndex);
      const text = await this.#own(() => this.#text(true));
      if (text === undefined) {
        const had = `${this.#ofUser.size} records${this.#part.count > 1 ? ' for this agent' : ''}`;
        throw this.#invalid(`the file has ${had}, and user ${userIndex} needs one more`);
      }
      const record = this.#parse(text, this.#readCount);
      this.#ofUser.set(userIndex, record);
      return record;
    });
  }

  /** Any record, each as likely. */
  async any(random: Random): Promise<unknown> {
    const draw = random.next();
    this.#index ??= this.#buildIndex();
    const { everyCount, recordCount, offsets } = await this.#index;
    const number = Math.floor(draw * recordCount);
    let skip = number % everyCount;
    for await (const { text } of this.#records(offsets[Math.floor(number / everyCount)]!, DRAW_BYTES)) {
      if (skip === 0) return this.#parse(text, number + 1);
      skip -= 1;
    }
    throw this.#invalid('the file became shorter while it was read');
  }

  /** How many records there are, counted as far as `most`. */
  async countUpTo(most: number): Promise<number> {
    let count = 0;
    for await (const _ of this.#records(this.#firstAt)) {
      count += 1;
      if (count >= most) break;
    }
    return count;
  }

  /** What `any` does once: reads the whole file. Gigabytes take seconds, which belong before the load. */
  async prepareAny(): Promise<void> {
    this.#index ??= this.#buildIndex();
    await this.#index;
  }

  async close(): Promise<void> {
    await this.#cursor?.return(undefined);
    await this.#handle?.close();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** The next one that is this part's. */
  async #own(read: () => Promise<string | undefined>): Promise<string | undefined> {
    for (;;) {
      const text = await read();
      if (text === undefined || isOwn(this.#number++, this.#part)) return text;
    }
  }

  /** undefined at the end, after which the file begins again unless it is used up. */
  async #text(usesUp = false): Promise<string | undefined> {
    this.#cursor ??= this.#texts();
    const { value, done } = await this.#cursor.next();
    if (done !== true) {
      this.#readCount += 1;
      return value;
    }
    if (!usesUp) [this.#cursor, this.#readCount] = [undefined, 0];
    return undefined;
  }

  async *#texts(): AsyncGenerator<string> {
    for await (const { text } of this.#records(this.#firstAt)) yield text;
  }

  /** Records from an offset on, each with where it ends; blank lines are none. */
  async *#records(
    fromAt: number,
    chunkBytes = CHUNK_BYTES,
  ): AsyncGenerator<{ readonly text: string; readonly endAt: number }> {
    const scanner = new RecordScanner(this.#isCsv);
    const buffer = Buffer.allocUnsafe(chunkBytes);
    // What came before of a record that goes on beyond its chunk.
    let begun: Buffer[] = [];
    let begunBytes = 0;
    const whole = (last: Buffer): string => {
      const text = lineOf(begun.length > 0 ? Buffer.concat([...begun, last]) : last);
      begun = [];
      begunBytes = 0;
      return text;
    };
    let at = fromAt;
    for (;;) {
      const { bytesRead } = await this.#handle!.read(buffer, 0, chunkBytes, at);
      const chunk = buffer.subarray(0, bytesRead);
      const ends: number[] = [];
      scanner.scan(chunk, (endAt) => ends.push(endAt));
      let from = 0;
      for (const end of ends) {
        const text = whole(chunk.subarray(from, end));
        from = end;
        if (text !== '') yield { text, endAt: at + end };
      }
      if (from < bytesRead) begun.push(Buffer.from(chunk.subarray(from)));
      begunBytes += bytesRead - from;
      if (begunBytes > MOST_RECORD_BYTES)
        throw this.#invalid('a record is longer than 8 MiB: is a quote never closed?');
      at += bytesRead;
      if (bytesRead > 0) continue;
      const text = whole(Buffer.alloc(0));
      if (text !== '') yield { text, endAt: at };
      return;
    }
  }

  async #buildIndex(): Promise<RecordIndex> {
    const scanner = new RecordScanner(this.#isCsv);
    const buffer = Buffer.allocUnsafe(4 * CHUNK_BYTES);
    let offsets: number[] = [];
    let everyCount = 1;
    let recordCount = 0;
    let beginsAt = this.#firstAt;
    let at = beginsAt;
    let last: number | undefined;
    const ended = (endAt: number, before: number | undefined): void => {
      const byteCount = endAt - beginsAt;
      // Blank lines, as the records are read, are none.
      if (byteCount > 2 || (byteCount === 2 && before !== CR)) {
        if (recordCount % everyCount === 0) offsets.push(beginsAt);
        recordCount += 1;
      }
      beginsAt = endAt;
      if (offsets.length < MOST_MARKS) return;
      offsets = offsets.filter((_, i) => i % 2 === 0);
      everyCount *= 2;
    };
    for (;;) {
      const { bytesRead } = await this.#handle!.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) break;
      const chunkAt = at;
      scanner.scan(buffer.subarray(0, bytesRead), (end) =>
        ended(chunkAt + end, end > 1 ? buffer[end - 2] : last),
      );
      last = buffer[bytesRead - 1];
      at += bytesRead;
    }
    if (at > beginsAt) ended(at + 2, undefined);
    return { everyCount, recordCount, offsets };
  }

  /** What a record holds is often a password: a message says which one it is, not what is in it. */
  #parse(text: string, number: number): unknown {
    try {
      if (!this.#isCsv) return JSON.parse(text);
      const fields = csvFields(text);
      if (fields.length !== this.#names.length)
        throw new SyntaxError(`it has ${fields.length} fields, the first line ${this.#names.length} names`);
      return Object.fromEntries(fields.map((value, i) => [this.#names[i]!, value]));
    } catch (cause) {
      const why = this.#isCsv ? (cause as Error).message : 'it is not JSON';
      throw this.#invalid(`record ${number} (of ${text.length} characters) cannot be read: ${why}`);
    }
  }

  #invalid(message: string): ShiploadError {
    return new ShiploadError('feed-invalid', message, { where: this.#path });
  }
}

/** Without its line end. */
const lineOf = (octets: Buffer): string => octets.toString('utf8').replace(/\r?\n$/, '');
