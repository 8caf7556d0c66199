import { ShiploadError } from '../errors.ts';
import { shapeOfLine } from '../stats/line-shape.ts';
import type { LogTable } from '../model/log-table.ts';
import { alignedParser } from './aligned-parser.ts';
import { LOG_FORMATS } from './formats/index.ts';
import { LineReader, MOST_CHANGES } from './line-reader.ts';
import type { LogFormat } from './log-format.ts';
import { memoryNotices, mixtureNotices, noticesOf } from './read-notices.ts';
import { type OpenedSource, readHead, type LogSource, type ReadLogOptions } from './log-source.ts';
import { keptStartsOf, rereadRows } from './second-pass.ts';
import { openFormat, type OpenedFormat } from './detect-format.ts';
import { canShareTable, formatChangeOf, joinedFormat, saidOf, sharedMeaning } from './format-change.ts';
import { DEFAULT_ROW_LIMIT, Tally } from './tally.ts';
import type { EscapeStyle } from './unescape.ts';

export type { LogSource, ReadLogOptions } from './log-source.ts';

/**
 * Reads access logs into one table and accounts for every line: blank + comment + ok + badRequest + unparsed
 * = total. The format is found from each file's first lines, or given. Files may come in any order, packed
 * with gzip or not.
 *
 * Beyond `rowLimit` requests, and if `keep` says of which time rows are wanted, logs that can be opened again
 * are read twice: first counted, then the wanted rows gathered, so that memory does not grow with the log.
 *
 * Throws `log-empty`, `log-binary`, and `log-format-unknown` (naming the nearest format and the first field
 * that broke it, with file:line:column) when most lines fit nothing, or some say a time and some none. Lines of several
 * formats make one table, each read with its own.
 */
export async function readLog(
  sources: readonly LogSource[],
  options: ReadLogOptions = {},
): Promise<LogTable> {
  let reading = await readAll(sources, options, []);
  // What comes only once is read with all of its formats at the first look.
  const rounds = sources.every(({ reopen }) => reopen !== undefined) ? MOST_CHANGES : 0;
  for (let round = 0; round < rounds; round += 1) {
    const formats = changedFormats(reading, options);
    if (formats === undefined) break;
    reading = await readAll(sources.map(reopened), options, formats);
  }
  return tableOf(sources, reading, options);
}

interface Reading {
  /** Beside the sources; undefined for one of blank lines and comments only. */
  readonly readers: readonly (LineReader | undefined)[];
  readonly tally: Tally;
  readonly canReread: boolean;
}

/** One look at every line; `formats`, beside the sources, where they are known. */
async function readAll(
  sources: readonly LogSource[],
  options: ReadLogOptions,
  formats: readonly (OpenedFormat | undefined)[],
): Promise<Reading> {
  const canReread = options.keep !== undefined && sources.every((source) => source.reopen !== undefined);
  const rowLimit = canReread ? (options.rowLimit ?? DEFAULT_ROW_LIMIT) : Infinity;
  const tally = new Tally(isSurelyLong(sources, rowLimit) ? 'none' : rowLimit, options.textLimit);
  const readers: (LineReader | undefined)[] = [];
  const isOnce = sources.some(({ reopen }) => reopen === undefined);
  const further =
    isOnce && (options.format ?? 'auto') === 'auto' ? (options.formats ?? LOG_FORMATS) : undefined;
  for (const [index, source] of sources.entries()) {
    const base = readers.find((reader) => reader !== undefined)?.opened.parser.escapes;
    readers.push(await readSource(source, options, tally, { known: formats[index], base, further }));
  }
  return { readers, tally, canReread };
}

/** The formats of the files, if one holds lines of a further format; undefined: none does. */
function changedFormats(
  { readers }: Reading,
  options: ReadLogOptions,
): readonly (OpenedFormat | undefined)[] | undefined {
  if ((options.format ?? 'auto') !== 'auto') return undefined;
  const changes = readers.map((reader) =>
    reader === undefined ? undefined : formatChangeOf(reader, options.formats ?? LOG_FORMATS),
  );
  if (changes.every((change) => change === undefined)) return undefined;
  return changes.map((change, index) =>
    change === undefined ? readers[index]?.opened : joinedFormat(change),
  );
}

/** The source from its beginning. It is not read in parts, whose threads would find its first format only. */
function reopened({ name, byteLength, chunks, reopen }: LogSource): LogSource {
  return {
    name,
    ...(byteLength !== undefined && { byteLength }),
    chunks: reopen?.(0, Infinity) ?? chunks,
    ...(reopen !== undefined && { reopen }),
  };
}

async function tableOf(
  sources: readonly LogSource[],
  reading: Reading,
  options: ReadLogOptions,
): Promise<LogTable> {
  const { tally, canReread } = reading;
  const readers = reading.readers.filter((reader) => reader !== undefined);
  const [first] = readers;
  if (first === undefined) throw emptyLog(sources);
  refuseMixture(readers);
  refuseMostlyUnparsed(tally, first.opened.name, (options.format ?? 'auto') !== 'auto');
  if (!tally.hasAllRows)
    await rereadRows(
      readers,
      keptStartsOf(tally, options.keep!, options.rowLimit ?? DEFAULT_ROW_LIMIT),
      tally,
    );
  const isWhole = tally.table.rowCount === tally.counts.ok;
  const parsers = readers.map(({ opened }) => opened.parser);
  return {
    files: sources.map((source) => source.name.split(/[\\/]/).at(-1)!),
    format: [...new Set(readers.map(({ opened }) => opened.name))].join(' + '),
    timestampMeaning: sharedMeaning(parsers),
    stampResolutionSeconds: Math.max(...parsers.map(({ stampResolutionSeconds }) => stampResolutionSeconds)),
    lines: tally.counts,
    lineExamples: tally.examples.examples,
    notices: [
      ...mixtureNotices(readers),
      ...noticesOf(readers, tally, isWhole),
      ...memoryNotices(tally, canReread, options),
    ],
    ...(isWhole ? {} : { overview: tally.starts.overview()! }),
    ...tally.table.columns(first.opened.parser.escapes),
  };
}

/** So many bytes of logs hold more than so many lines, unless lines are uncommonly long: no row is made in vain. */
const LONG_LINE_BYTES = 512;

function isSurelyLong(sources: readonly LogSource[], rowLimit: number): boolean {
  const bytes = sources.reduce((sum, { byteLength = 0 }) => sum + byteLength, 0);
  return bytes > rowLimit * LONG_LINE_BYTES;
}

/** What is known before a source is read. */
interface Prospect {
  readonly known: OpenedFormat | undefined;
  /** How the texts of the table are escaped; undefined: as this source escapes them. */
  readonly base: EscapeStyle | undefined;
  /** Formats that its lines may have beside the first, for a source that is not read again. */
  readonly further: readonly LogFormat[] | undefined;
}

/** The reader that has read the source to its end; undefined for one of blank lines and comments only. */
async function readSource(
  source: LogSource,
  options: ReadLogOptions,
  tally: Tally,
  prospect: Prospect,
): Promise<LineReader | undefined> {
  const opened = await readHead(source);
  try {
    return await readOpened(source, opened, options, tally, prospect);
  } finally {
    await opened.chunks.return?.();
  }
}

async function readOpened(
  source: LogSource,
  { head, wrapper, chunks, isPacked }: OpenedSource,
  options: ReadLogOptions,
  tally: Tally,
  { known, base, further }: Prospect,
): Promise<LineReader | undefined> {
  let opened = known;
  if (opened === undefined && head.lines.length > 0)
    opened = openFormat(options.format ?? 'auto', head, options.formats ?? LOG_FORMATS);
  if (opened === undefined) {
    for await (const chunk of chunks) tally.countIdle(chunk);
    tally.endIdle();
    return undefined;
  }
  if (base !== undefined) opened = withEscapes(opened, base);
  const more = further === undefined ? {} : { formats: further };
  const reader = new LineReader(source, opened, wrapper, tally, isPacked, more);
  const isCuttable = !tally.hasAllRows && !isPacked && opened.parser.comment === undefined;
  if (isCuttable && source.scanParts !== undefined && options.formats === undefined) {
    reader.addParts(await source.scanParts(options.format ?? 'auto'));
    return reader;
  }
  for await (const chunk of chunks) reader.push(chunk);
  reader.end();
  return reader;
}

const withEscapes = (opened: OpenedFormat, escapes: EscapeStyle): OpenedFormat => {
  const { timestampMeaning } = opened.parser;
  return { ...opened, parser: alignedParser(opened.parser, { escapes, timestampMeaning }) };
};

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

/** Files of several formats make one table where they can: a log whose format was given a field more when it was rotated. */
function refuseMixture(readers: readonly LineReader[]): void {
  const first = readers.find(({ opened }) => opened.parser.isMeaningAssumed !== true) ?? readers[0];
  const other = readers.find(({ opened }) => !canShareTable(first!.opened.parser, opened.parser));
  if (other === undefined) return;
  throw new ShiploadError(
    'log-format-unknown',
    `the logs differ in format: ${first!.source.name} is ${saidOf(first!.opened)}, ${other.source.name} is ${saidOf(other.opened)}`,
    { where: other.source.name, hint: 'Model logs of different formats one by one.' },
  );
}

function refuseMostlyUnparsed({ counts, examples, asides }: Tally, format: string, isGiven: boolean): void {
  const fitting = counts.ok + counts.badRequest + asides;
  if (fitting >= counts.unparsed) return;
  const example = examples.examples.find(({ kind }) => kind === 'unparsed')!;
  throw new ShiploadError(
    'log-format-unknown',
    `only ${fitting} of ${fitting + counts.unparsed} lines fit the format ${format}: ${example.reason} in: ${shapeOfLine(example.text)}`,
    {
      where: `${example.file}:${example.line}`,
      hint: isGiven
        ? 'Give the format of these lines with --format, or --format auto to find it.'
        : 'Give the format with --format.',
    },
  );
}
