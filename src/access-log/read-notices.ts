import type { Notice } from '../model/notice.ts';
import type { LineReader } from './line-reader.ts';
import type { ReadLogOptions } from './log-source.ts';
import { DEFAULT_ROW_LIMIT, type Tally } from './tally.ts';

/** What was guessed about the files, what was read twice, and how many lines do not fit. */
export function noticesOf(
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
export function memoryNotices(
  { table, counts }: Tally,
  canReread: boolean,
  options: ReadLogOptions,
): Notice[] {
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

/** Which file has which format, and from which line on another. */
export function mixtureNotices(readers: readonly LineReader[]): Notice[] {
  const names = new Set(readers.map(({ opened }) => opened.name));
  const advice =
    'If two writers logged the same requests, each counts twice: model one of them. Durations may be in one only.';
  const notices = readers.flatMap(({ source, opened }): Notice[] => {
    if (opened.changes === undefined) return [];
    const said = opened.changes.map(({ name, line }) => `of ${name} from line ${line} on`);
    return [
      {
        code: 'format-changes',
        severity: 'info',
        message: `${source.name} changes its format, and each line is read with its own: it holds lines ${said.join(', ')}`,
        advice,
        where: `${source.name}:${opened.changes[0]!.line}`,
      },
    ];
  });
  if (names.size === 1) return notices;
  const said = readers.map(({ source, opened }) => `${source.name} ${opened.name}`);
  const message = `the files differ in format and are read each with its own: ${said.join(', ')}`;
  return [...notices, { code: 'formats-mixed', severity: 'info', message, advice }];
}
