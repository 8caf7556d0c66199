import { createGunzip, type Gunzip } from 'node:zlib';
import { ShiploadError } from '../errors.ts';
import { isBlank, isComment, refuseBinary, type Head } from './detect-format.ts';
import { harLines, isHar } from './har.ts';
import { LineSplitter } from './line-splitter.ts';
import type { LogFormat } from './log-format.ts';
import type { ScannedPart } from './scanned-part.ts';
import type { TextLimit } from './text-table.ts';
import { wrapperOf, type LineWrapper } from './wrappers.ts';

/** One log: its name for messages, and its bytes in chunks of any size. */
export interface LogSource {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** How many bytes it has, where that is known. */
  readonly byteLength?: number;
  /** Its bytes [fromByte, toByte) once more; missing where they come only once (standard input). */
  readonly reopen?: (fromByte: number, toByte: number) => AsyncIterable<Uint8Array>;
  /** Counts the file in parts side by side, in order; for lines of `format` whose meaning hangs on no other line. */
  readonly scanParts?: (format: string) => Promise<readonly ScannedPart[]>;
}

/** Of which starts rows are wanted: the fullest stretch of a length, or a stretch that is known. */
export type KeepRule =
  | { readonly busiestSeconds: number }
  | { readonly fromSeconds: number; readonly toSeconds: number };

export interface ReadLogOptions {
  /** `auto` (the default), a name of the list, or an nginx or Apache format string. */
  readonly format?: string;
  readonly formats?: readonly LogFormat[];
  /** Which rows a log too large to keep is to give; all, however many, without it. */
  readonly keep?: KeepRule;
  /** With `keep`: up to so many requests are kept whole. */
  readonly rowLimit?: number;
  /** How many distinct texts of a kind are kept; beyond it new ones are put together, and a notice says so. */
  readonly textLimit?: TextLimit;
}

const HEAD_BYTES = 1 << 17;
const HEAD_LINES = 500;

export interface OpenedSource {
  readonly head: Head;
  readonly wrapper: LineWrapper | undefined;
  /** All bytes of the source, unpacked. */
  readonly chunks: AsyncIterableIterator<Uint8Array>;
  readonly isPacked: boolean;
}

/**
 * The first lines of a source, and the source as if it had not been touched: who does not read its chunks to their
 * end returns them. Throws `log-binary`.
 */
export async function readHead(source: LogSource): Promise<OpenedSource> {
  const raw = source.chunks[Symbol.asyncIterator]();
  try {
    return await openRaw(source, raw);
  } catch (error) {
    await raw.return?.();
    throw error;
  }
}

async function openRaw(source: LogSource, raw: AsyncIterator<Uint8Array>): Promise<OpenedSource> {
  const first = await raw.next();
  const start = first.done === true ? undefined : first.value;
  const isPacked = start !== undefined && (isGzip(start) || hasByteOrderMark(start) || isHar(start));
  const rest = resumed(start === undefined ? [] : [start], raw);
  const iterator = (isPacked ? unpacked(rest, source.name) : rest)[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  for (let bytes = 0; bytes < HEAD_BYTES;) {
    const next = await iterator.next();
    if (next.done === true) break;
    // The chunk's owner may reuse its buffer once we ask for the next one, and `slice` of a Buffer copies nothing.
    held.push(Uint8Array.prototype.slice.call(next.value));
    bytes += next.value.length;
  }
  if (held[0] !== undefined) refuseBinary(source.name, held[0].subarray(0, 4096));
  return { ...headOf(source.name, held), chunks: resumed(held, iterator), isPacked };
}

/**
 * Held chunks, then what the iterator still has. No generator: one that is given up before its first chunk would not
 * give up the iterator, and the file behind it would stay open.
 */
const resumed = (
  held: Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncIterableIterator<Uint8Array> => ({
  next: async () => (held.length > 0 ? { done: false, value: held.shift()! } : iterator.next()),
  return: async () => {
    held.length = 0;
    await iterator.return?.();
    return { done: true, value: undefined };
  },
  [Symbol.asyncIterator]() {
    return this;
  },
});

const isGzip = (chunk: Uint8Array): boolean => chunk[0] === 0x1f && chunk[1] === 0x8b && chunk.length > 10;

const hasByteOrderMark = (chunk: Uint8Array): boolean =>
  chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;

/** The lines within a file that begins with a gzip header or a byte order mark, or is an HTTP Archive. */
export async function* unpacked(
  chunks: AsyncIterable<Uint8Array>,
  name = 'the log',
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    if (first.done === true) return;
    if (isGzip(first.value)) return yield* unpacked(gunzipped(resumed([first.value], iterator), name), name);
    if (isHar(first.value)) return yield* harLines(resumed([first.value], iterator), name);
    yield hasByteOrderMark(first.value) ? first.value.subarray(3) : first.value;
    yield* resumed([], iterator);
  } finally {
    // A reader of the first lines stops early: the file is closed all the same.
    await iterator.return?.();
  }
}

/** All members of a gzip file, one after the other: rotated logs are often joined (RFC 1952 §2.2). */
async function* gunzipped(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  // No DecompressionStream: from Node 24 on it takes a second member for junk.
  const gunzip = createGunzip();
  void feed(chunks, gunzip);
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) yield chunk;
  } catch (cause) {
    throw new ShiploadError('log-binary', `${name} is damaged gzip data: ${String(cause)}`, {
      where: name,
      hint: 'Unpack it first, or fetch it again.',
      cause,
    });
  }
}

/** Never rejects: whatever goes wrong on the way in ends the reading side with the same fault. */
async function feed(chunks: AsyncIterable<Uint8Array>, gunzip: Gunzip): Promise<void> {
  try {
    for await (const chunk of chunks) {
      // The chunk's owner may reuse its buffer before the stream is through.
      const own = Uint8Array.prototype.slice.call(chunk);
      await new Promise<void>((resolve, reject) => {
        gunzip.write(own, (error) => (error ? reject(error) : resolve()));
      });
    }
    gunzip.end();
  } catch (error) {
    gunzip.destroy(error as Error);
  }
}

function headOf(file: string, held: readonly Uint8Array[]): { head: Head; wrapper: LineWrapper | undefined } {
  const lines: Uint8Array[] = [];
  const lineNumbers: number[] = [];
  const comments: Uint8Array[] = [];
  let lineNumber = 0;
  const splitter = new LineSplitter((bytes, start, end) => {
    lineNumber += 1;
    if (lines.length >= HEAD_LINES || isBlank(bytes, start, end)) return;
    const line = bytes.slice(start, end);
    if (isComment(bytes, start, end)) return void comments.push(line);
    lines.push(line);
    lineNumbers.push(lineNumber);
  });
  for (const chunk of held) splitter.push(chunk);
  // The last line may be cut: it counts only where there is no other.
  if (lines.length === 0) splitter.end();
  const wrapper = wrapperOf(lines);
  const bare = wrapper === undefined ? lines : lines.map((line) => wrapper.unwrapped(line));
  return { head: { file, lines: bare, lineNumbers, comments }, wrapper };
}
