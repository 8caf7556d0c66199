import { ShiploadError } from '../errors.ts';
import type { LogTable } from '../model/log-table.ts';
import type { Notice } from '../model/notice.ts';
import { LOG_FORMATS } from './formats/index.ts';
import { LineReader } from './line-reader.ts';
import { readHead, type LogSource, type ReadLogOptions } from './log-source.ts';
import { keptStartsOf, rereadRows } from './second-pass.ts';
import { openFormat, type OpenedFormat } from './detect-format.ts';
import { DEFAULT_ROW_LIMIT, Tally } from './tally.ts';

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
 * that broke it, with file:line:column) when most lines fit nothing or the files differ in format.
 */
export async function readLog(
  sources: readonly LogSource[],
  options: ReadLogOptions = {},
): Promise<LogTable> {
  const canReread = options.keep !== undefined && sources.every((source) => source.reopen !== undefined);
  const rowLimit = canReread ? (options.rowLimit ?? DEFAULT_ROW_LIMIT) : Infinity;
  const tally = new Tally(isSurelyLong(sources, rowLimit) ? 'none' : rowLimit, options.textLimit);
  const readers: LineReader[] = [];
  for (const source of sources) {
    const reader = await readSource(source, options, tally);
    if (reader !== undefined) readers.push(reader);
  }
  const [first] = readers;
  if (first === undefined) throw emptyLog(sources);
  refuseMixture(readers);
  refuseMostlyUnparsed(tally, first.opened.name);
  if (!tally.hasAllRows)
    await rereadRows(sources, readers, keptStartsOf(tally, options.keep!, rowLimit), tally);
  const isWhole = tally.table.rowCount === tally.counts.ok;
  const { parser } = first.opened;
  const name = [...new Set(readers.map(({ opened }) => opened.name))].join(' + ');
  return {
    files: sources.map((source) => source.name.split(/[\\/]/).at(-1)!),
    format: name,
    timestampMeaning: parser.timestampMeaning,
    stampResolutionSeconds: Math.max(...readers.map(({ opened }) => opened.parser.stampResolutionSeconds)),
    lines: tally.counts,
    lineExamples: tally.examples.examples,
    notices: [
      ...mixtureNotice(readers),
      ...noticesOf(readers, tally, isWhole),
      ...memoryNotices(tally, canReread, options),
    ],
    ...(isWhole ? {} : { overview: tally.starts.overview()! }),
    ...tally.table.columns(parser.escapes),
  };
}

/** So many bytes of logs hold more than so many lines, unless lines are uncommonly long: no row is made in vain. */
const LONG_LINE_BYTES = 512;

function isSurelyLong(sources: readonly LogSource[], rowLimit: number): boolean {
  const bytes = sources.reduce((sum, { byteLength = 0 }) => sum + byteLength, 0);
  return bytes > rowLimit * LONG_LINE_BYTES;
}

/** The reader that has read the source to its end; undefined for one of blank lines and comments only. */
async function readSource(
  source: LogSource,
  options: ReadLogOptions,
  tally: Tally,
): Promise<LineReader | undefined> {
  const { head, wrapper, chunks, isPacked } = await readHead(source);
  let opened: OpenedFormat | undefined;
  if (head.lines.length > 0)
    opened = openFormat(options.format ?? 'auto', head, options.formats ?? LOG_FORMATS);
  if (opened === undefined) {
    for await (const chunk of chunks) tally.countIdle(chunk);
    tally.endIdle();
    return undefined;
  }
  const reader = new LineReader(source, opened, wrapper, tally, isPacked);
  const isCuttable = !tally.hasAllRows && !isPacked && opened.parser.comment === undefined;
  if (isCuttable && source.scanParts !== undefined && options.formats === undefined) {
    await chunks.return?.(undefined);
    reader.addParts(await source.scanParts(options.format ?? 'auto'));
    return reader;
  }
  for await (const chunk of chunks) reader.push(chunk);
  reader.end();
  return reader;
}

function noticesOf(
  readers: readonly LineReader[],
  { counts, examples, table }: Tally,
  isWhole: boolean,
): Notice[] {
  const notices = readers.flatMap(({ opened }) => opened.parser.notices);
  const seen = new Set<string>();
  const distinct = notices.filter((notice) => !seen.has(notice.code) && seen.add(notice.code));
  if (!isWhole)
    distinct.push({
      code: 'log-rows-of-window',
      severity: 'info',
      message: `the log was read twice: all ${counts.ok} requests were counted, and the ${table.rowCount} around the window are modelled`,
    });
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

/** What a log cost or lost because it is large and, perhaps, comes only once. */
function memoryNotices({ table, counts }: Tally, canReread: boolean, options: ReadLogOptions): Notice[] {
  const lost = Object.entries(table.overflow).filter(([, count]) => count > 0);
  const capped = lost.map(([what, count]): Notice => ({
    code: 'texts-capped',
    severity: 'warning',
    message: `the log has more distinct ${what} than are kept apart: ${count} requests with a further one are put together`,
    advice: 'Give a shorter part of the log with --window.',
  }));
  if (canReread || options.keep === undefined || counts.ok <= DEFAULT_ROW_LIMIT) return capped;
  return [
    ...capped,
    {
      code: 'log-kept-whole',
      severity: 'info',
      message: `a log that comes only once cannot be read twice: all ${counts.ok} requests were kept in memory`,
      advice: 'Give the file itself, and only the part around the window is kept.',
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

/**
 * Files of several formats make one table if they stamp the same event and escape alike: a log whose format
 * was given a field more when it was rotated.
 */
function refuseMixture(readers: readonly LineReader[]): void {
  const [first, ...others] = readers;
  const isOther = ({ opened: { parser } }: LineReader): boolean =>
    parser.escapes !== first!.opened.parser.escapes ||
    parser.timestampMeaning !== first!.opened.parser.timestampMeaning;
  const other = others.find(isOther);
  if (other === undefined) return;
  throw new ShiploadError(
    'log-format-unknown',
    `the logs differ in format: ${first!.source.name} is ${saidOf(first!)}, ${other.source.name} is ${saidOf(other)}`,
    { where: other.source.name, hint: 'Model logs of different formats one by one.' },
  );
}

const saidOf = ({ opened: { name, parser } }: LineReader): string =>
  `${name}, stamped at the ${parser.timestampMeaning}`;

/** Which file has which format, where they differ. */
function mixtureNotice(readers: readonly LineReader[]): Notice[] {
  const names = new Set(readers.map(({ opened }) => opened.name));
  if (names.size === 1) return [];
  const said = readers.map(({ source, opened }) => `${source.name} ${opened.name}`);
  return [
    {
      code: 'formats-mixed',
      severity: 'info',
      message: `the files differ in format and are read each with its own: ${said.join(', ')}`,
      advice: 'Durations may be in some of them only; model those alone for R and Z.',
    },
  ];
}

function refuseMostlyUnparsed({ counts, examples, asides }: Tally, format: string): void {
  const fitting = counts.ok + counts.badRequest + asides;
  if (fitting >= counts.unparsed) return;
  const example = examples.examples.find(({ kind }) => kind === 'unparsed')!;
  throw new ShiploadError(
    'log-format-unknown',
    `only ${fitting} of ${fitting + counts.unparsed} lines fit the format ${format}: ${example.reason} in: ${example.text}`,
    { where: `${example.file}:${example.line}`, hint: 'Give the format with --format.' },
  );
}
