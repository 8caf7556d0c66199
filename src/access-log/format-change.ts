import { ShiploadError } from '../errors.ts';
import { alignedParser } from './aligned-parser.ts';
import { findFormat, type OpenedFormat } from './detect-format.ts';
import type { LineReader } from './line-reader.ts';
import { LineFields, VERDICT, type LineParser, type LogFormat } from './log-format.ts';
import { mixedParser } from './template-format.ts';

/** Lines of another format that are fewer than this share of a file are accidents, and stay unparsed. */
const LEAST_SHARE = 0.01;
const FEWEST_LINES = 3;

/** A file that holds lines of a second format. */
export interface FormatChange {
  readonly reader: LineReader;
  readonly other: OpenedFormat;
  /** The first line of the other format. */
  readonly line: number;
}

/** The format of a file's lines that did not fit, where at least 1 % of all its lines are of it. */
export function formatChangeOf(reader: LineReader, formats: readonly LogFormat[]): FormatChange | undefined {
  const { strays, lineCount, source } = reader;
  if (strays.count < Math.max(FEWEST_LINES, lineCount * LEAST_SHARE)) return undefined;
  const { kept } = strays;
  const lines = kept.map(({ bytes }) => bytes);
  const lineNumbers = kept.map(({ line }) => line);
  const other = findFormat({ file: source.name, lines, lineNumbers, comments: [] }, formats);
  if (other === undefined) return undefined;
  const fields = new LineFields();
  const fitting = kept.filter(
    ({ bytes }) => other.parser.parse(bytes, 0, bytes.length, fields) === VERDICT.ok,
  );
  const count = (fitting.length / kept.length) * strays.count;
  if (count < Math.max(FEWEST_LINES, lineCount * LEAST_SHARE)) return undefined;
  return { reader, other, line: fitting[0]!.line };
}

/** Lines of both say when a request was made, or neither does; all else can be brought to one form. */
export const canShareTable = (one: LineParser, other: LineParser): boolean =>
  (one.timestampMeaning === 'none') === (other.timestampMeaning === 'none');

/** What readers of one table stamp: the event that is known of any, else the one assumed. */
export const sharedMeaning = (parsers: readonly LineParser[]): LineParser['timestampMeaning'] =>
  (parsers.find(({ isMeaningAssumed }) => isMeaningAssumed !== true) ?? parsers[0]!).timestampMeaning;

/**
 * The format of a file that holds lines of two: each line is read by the first that it fits. Throws
 * `log-format-unknown`, with the line where the other begins, if only one of them says when a request was made.
 */
export function joinedFormat({ reader, other, line }: FormatChange): OpenedFormat {
  const { opened, source } = reader;
  if (!canShareTable(opened.parser, other.parser))
    throw new ShiploadError(
      'log-format-unknown',
      `the log changes its format: from ${saidOf(opened)}, to ${saidOf(other)}`,
      { where: `${source.name}:${line}`, hint: 'Cut the file there, and model the parts one by one.' },
    );
  const name = other.name === opened.name ? `${other.name} with other fields` : other.name;
  return {
    name: `${opened.name} + ${name}`,
    parser: joinedParser(opened.parser, other.parser),
    changes: [...(opened.changes ?? []), { name, line }],
  };
}

/** Lines of the second are brought to the form of the first, whose plain lines are read in haste as before. */
function joinedParser(first: LineParser, second: LineParser): LineParser {
  const comment = first.comment?.bind(first) ?? second.comment?.bind(second);
  const openBlocks = first.openBlocks?.bind(first);
  const timestampMeaning = sharedMeaning([first, second]);
  const aligned = alignedParser(second, { escapes: first.escapes, timestampMeaning });
  return {
    ...mixedParser([first, aligned]),
    timestampMeaning,
    stampResolutionSeconds: Math.max(first.stampResolutionSeconds, second.stampResolutionSeconds),
    escapes: first.escapes,
    notices: [...first.notices, ...second.notices],
    ...(comment !== undefined && { comment }),
    ...(openBlocks !== undefined && { openBlocks }),
    ...(first.isMeaningAssumed === true && second.isMeaningAssumed === true && { isMeaningAssumed: true }),
  };
}

/** A format for a message, with the event that it stamps. */
export const saidOf = ({ name, parser }: OpenedFormat): string =>
  parser.timestampMeaning === 'none'
    ? `${name}, which says no time`
    : `${name}, stamped at the ${parser.timestampMeaning}`;
