import { ShiploadError } from '../errors.ts';
import type { LineCounts, LogEntry } from '../model/access-log.ts';
import type { LogTable } from '../model/log-table.ts';
import type { Notice } from '../model/notice.ts';
import {
  areWrapped,
  isBlank,
  isComment,
  openFormat,
  refuseBinary,
  type Head,
  type OpenedFormat,
} from './detect-format.ts';
import { LOG_FORMATS } from './formats/index.ts';
import { ExampleList } from './line-examples.ts';
import { LONGEST_LINE_BYTES, LineSplitter } from './line-splitter.ts';
import { LineFields, VERDICT, type LogFormat, type LineParser } from './log-format.ts';
import { TableBuilder, originForm } from './table-builder.ts';
import { unescapeText } from './unescape.ts';

/** One log: its name for messages, and its bytes in chunks of any size. */
export interface LogSource {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface ReadLogOptions {
  /** `auto` (the default), a name of the list, or an nginx or Apache format string. */
  readonly format?: string;
  readonly formats?: readonly LogFormat[];
}

const HEAD_BYTES = 1 << 17;
const HEAD_LINES = 500;

type Counts = { -readonly [Name in keyof LineCounts]: number };

/** What all files of one reading share. */
interface Reading {
  readonly counts: Counts;
  readonly examples: ExampleList;
  readonly table: TableBuilder;
  readonly opened: (OpenedFormat & { readonly file: string })[];
}

/**
 * Reads access logs into one table and accounts for every line: blank + comment + ok + badRequest + unparsed
 * = total. The format is found from each file's first lines, or given. Files may come in any order.
 * Throws `log-empty`, `log-binary`, and `log-format-unknown` (naming the nearest format and the first field
 * that broke it, with file:line:column) when most lines fit nothing or the files differ in format.
 */
export async function readLog(
  sources: readonly LogSource[],
  options: ReadLogOptions = {},
): Promise<LogTable> {
  const reading: Reading = {
    counts: { total: 0, blank: 0, comment: 0, ok: 0, badRequest: 0, unparsed: 0 },
    examples: new ExampleList(),
    table: new TableBuilder(),
    opened: [],
  };
  for (const source of sources) await readSource(source, options, reading);
  const [first] = reading.opened;
  if (first === undefined) throw emptyLog(sources);
  refuseMixture(reading.opened);
  refuseMostlyUnparsed(reading);
  return {
    files: sources.map((source) => source.name.split(/[\\/]/).at(-1)!),
    format: first.name,
    timestampMeaning: first.parser.timestampMeaning,
    stampResolutionSeconds: Math.max(...reading.opened.map(({ parser }) => parser.stampResolutionSeconds)),
    lines: reading.counts,
    lineExamples: reading.examples.examples,
    notices: noticesOf(reading),
    ...reading.table.columns(first.parser.escapes),
  };
}

async function readSource(source: LogSource, options: ReadLogOptions, reading: Reading): Promise<void> {
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  let splitter: LineSplitter | undefined;
  const open = (): LineSplitter => {
    const lines = openLines(source.name, held, options, reading);
    for (const chunk of held) lines.push(chunk);
    return lines;
  };
  for await (const chunk of source.chunks) {
    if (splitter !== undefined) {
      splitter.push(chunk);
      continue;
    }
    // The chunk's owner may reuse its buffer once we ask for the next one.
    held.push(heldBytes === 0 ? withoutByteOrderMark(chunk.slice()) : chunk.slice());
    heldBytes += chunk.length;
    if (heldBytes >= HEAD_BYTES) splitter = open();
  }
  (splitter ?? open()).end();
}

const withoutByteOrderMark = (chunk: Uint8Array): Uint8Array =>
  chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;

/** Finds the file's format from the bytes held so far, and returns the splitter that reads the file with it. */
function openLines(
  file: string,
  held: readonly Uint8Array[],
  options: ReadLogOptions,
  reading: Reading,
): LineSplitter {
  if (held[0] !== undefined) refuseBinary(file, held[0].subarray(0, 4096));
  const { head, isWrapped } = headOf(file, held);
  if (head.lines.length === 0) return countingSplitter(reading.counts);
  const opened = openFormat(options.format ?? 'auto', head, options.formats ?? LOG_FORMATS);
  reading.opened.push({ ...opened, file });
  return readingSplitter(file, opened.parser, isWrapped, reading);
}

function headOf(file: string, held: readonly Uint8Array[]): { head: Head; isWrapped: boolean } {
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
  const isWrapped = areWrapped(lines);
  const bare = isWrapped ? lines.map((line) => line.subarray(1, -1)) : lines;
  return { head: { file, lines: bare, lineNumbers, comments }, isWrapped };
}

/** For a file of blank lines and comments only. */
function countingSplitter(counts: Counts): LineSplitter {
  return new LineSplitter((bytes, start, end) => {
    counts.total += 1;
    counts[isBlank(bytes, start, end) ? 'blank' : 'comment'] += 1;
  });
}

function readingSplitter(
  file: string,
  parser: LineParser,
  isWrapped: boolean,
  { counts, examples, table }: Reading,
): LineSplitter {
  const fields = new LineFields();
  let line = 0;
  const wrap = isWrapped ? 1 : 0;
  return new LineSplitter((bytes, start, end) => {
    line += 1;
    counts.total += 1;
    if (isBlank(bytes, start, end)) counts.blank += 1;
    else if (isComment(bytes, start, end)) {
      counts.comment += 1;
      parser.comment?.(bytes, start, end);
    } else {
      const isTooLong = end - start > LONGEST_LINE_BYTES;
      const verdict = isTooLong
        ? fields.reject(VERDICT.unparsed, `the line is longer than ${LONGEST_LINE_BYTES} bytes`, start)
        : parser.parse(bytes, start + wrap, end - wrap, fields);
      if (verdict === VERDICT.ok) {
        counts.ok += 1;
        table.add(bytes, fields, parser.timestampMeaning === 'end');
      } else {
        const kind = verdict === VERDICT.badRequest ? 'badRequest' : 'unparsed';
        counts[kind] += 1;
        examples.add({ file, line, kind, reason: fields.reason }, bytes, start, end);
      }
    }
  });
}

/** One line as an entry, as a reader of the format would see it; for samples and tools, not for whole logs. */
export function entryOf(parser: LineParser, bytes: Uint8Array, fields: LineFields): LogEntry {
  const text = (start: number, end: number): string => unescapeText(bytes, start, end, parser.escapes);
  const [path, ...query] = originForm(text(fields.targetStart, fields.targetEnd)).split('?');
  const { durationSeconds, responseBytes, stampSeconds } = fields;
  const hasDuration = !Number.isNaN(durationSeconds);
  const isEnd = parser.timestampMeaning === 'end' && hasDuration;
  return {
    atSeconds: isEnd ? stampSeconds - durationSeconds : stampSeconds,
    client: text(fields.clientStart, fields.clientEnd),
    method: text(fields.methodStart, fields.methodEnd),
    path: path!,
    ...(query.length > 0 ? { query: query.join('?') } : {}),
    status: fields.status,
    ...(Number.isNaN(responseBytes) ? {} : { responseBytes }),
    ...(hasDuration ? { responseTimeSeconds: durationSeconds } : {}),
    ...(fields.agentEnd > fields.agentStart ? { userAgent: text(fields.agentStart, fields.agentEnd) } : {}),
    ...(fields.refererEnd > fields.refererStart
      ? { referer: text(fields.refererStart, fields.refererEnd) }
      : {}),
  };
}

function noticesOf({ opened, counts, examples }: Reading): Notice[] {
  const notices = opened.flatMap(({ parser }) => parser.notices);
  const seen = new Set<string>();
  const distinct = notices.filter((notice) => !seen.has(notice.code) && seen.add(notice.code));
  const unparsed = examples.examples.find((example) => example.kind === 'unparsed');
  if (unparsed === undefined) return distinct;
  return [
    ...distinct,
    {
      code: 'lines-unparsed',
      severity: 'warning',
      message: `${counts.unparsed} of ${counts.total} lines do not fit the format: ${unparsed.reason}`,
      where: `${unparsed.file}:${unparsed.line}`,
    },
  ];
}

function emptyLog(sources: readonly LogSource[]): ShiploadError {
  const names = sources.map((source) => source.name).join(', ');
  return new ShiploadError(
    'log-empty',
    `${names || 'the list of logs'} holds no line that could be a request`,
    {
      where: names,
      hint: 'Give an access log: one line a request.',
    },
  );
}

function refuseMixture(opened: Reading['opened']): void {
  const [first] = opened;
  const other = opened.find(
    ({ name, parser }) => name !== first!.name || parser.timestampMeaning !== first!.parser.timestampMeaning,
  );
  if (other === undefined) return;
  throw new ShiploadError(
    'log-format-unknown',
    `the logs differ in format: ${first!.file} is ${first!.name}, ${other.file} is ${other.name}`,
    { where: other.file, hint: 'Model logs of different formats one by one.' },
  );
}

function refuseMostlyUnparsed({ counts, examples, opened }: Reading): void {
  const fitting = counts.ok + counts.badRequest;
  if (fitting >= counts.unparsed) return;
  const example = examples.examples.find(({ kind }) => kind === 'unparsed')!;
  throw new ShiploadError(
    'log-format-unknown',
    `only ${fitting} of ${fitting + counts.unparsed} lines fit the format ${opened[0]!.name}: ${example.reason} in: ${example.text}`,
    { where: `${example.file}:${example.line}`, hint: 'Give the format with --format.' },
  );
}
