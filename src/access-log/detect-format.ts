import { ShiploadError } from '../errors.ts';
import { shapeOfLine } from '../stats/line-shape.ts';
import { HASH, RETURN, SPACE, TAB } from './bytes.ts';
import { apacheTemplate } from './apache-format-string.ts';
import { shownLine } from './line-examples.ts';
import { lookOf } from './line-look.ts';
import { LineFields, VERDICT, type LogFormat, type LineParser } from './log-format.ts';
import { gunicornTemplate } from './gunicorn-format-string.ts';
import { morganTemplate } from './morgan-format-string.ts';
import { nginxTemplate } from './nginx-format-string.ts';
import { templateParser } from './template.ts';

/** The first lines of a file that are neither blank nor comments, with their numbers. */
export interface Head {
  readonly file: string;
  readonly lines: readonly Uint8Array[];
  readonly lineNumbers: readonly number[];
  readonly comments: readonly Uint8Array[];
}

export interface OpenedFormat {
  readonly name: string;
  readonly parser: LineParser;
  /** Further formats of the same file, with the first line of each. */
  readonly changes?: readonly { readonly name: string; readonly line: number }[];
}

interface Trial extends OpenedFormat {
  readonly fitting: number;
  /** Lines that are no requests and are not meant to be. */
  readonly asides: number;
  /** The first line that does not fit: its index in the head, the byte and the reason. */
  readonly broke?: { readonly index: number; readonly at: number; readonly reason: string };
}

/** `auto`, a name of the list, or the server's own format string (`$` for nginx, `%` for Apache, `%(` for gunicorn, `:` for morgan). */
export function openFormat(choice: string, head: Head, formats: readonly LogFormat[]): OpenedFormat {
  if (/\$\w/.test(choice)) return { name: 'nginx-custom', parser: templateParser(nginxTemplate(choice)) };
  if (choice.includes('%('))
    return { name: 'gunicorn-custom', parser: templateParser(gunicornTemplate(choice)) };
  if (/:(?:method|url|status|date\[)/.test(choice))
    return { name: 'morgan-custom', parser: templateParser(morganTemplate(choice)) };
  if (choice.includes('%')) return { name: 'apache-custom', parser: templateParser(apacheTemplate(choice)) };
  if (choice === 'auto') return detectFormat(head, formats);
  const format = formats.find((other) => other.name === choice);
  if (format === undefined) throw unknownName(choice, formats);
  const parser = format.open(head.lines, head.comments);
  if (parser === undefined) throw fitsNothing(head, trialsOf(head, formats), format.name);
  return replayComments({ name: format.name, parser }, head);
}

/** The format that the most of the first lines fit. Throws `log-format-unknown` when most lines fit none. */
function detectFormat(head: Head, formats: readonly LogFormat[]): OpenedFormat {
  const trials = trialsOf(head, formats);
  const best = bestOf(trials, head) ?? mostlyCovering(head, formats);
  if (best === undefined) throw fitsNothing(head, nearestOf(trials, head, formats));
  return best;
}

/** The trials, first the one that the most lines fit, also where a format is learned from lines of one look only. */
function nearestOf(trials: readonly Trial[], head: Head, formats: readonly LogFormat[]): readonly Trial[] {
  const [found] = bestOfLooks(head, formats);
  if (found === undefined) return trials;
  const again = tryFormat(found, head);
  return again.fitting > (trials[0]?.fitting ?? 0) ? [again, ...trials] : trials;
}

/** The format that the most of some lines fit, though others among them may fit another or none; undefined: none. */
export const findFormat = (head: Head, formats: readonly LogFormat[]): OpenedFormat | undefined =>
  bestOf(trialsOf(head, formats), head) ?? bestOfLooks(head, formats)[0];

/** Of a head that is of several formats by turns, none of which most lines fit, that of the largest part. */
function mostlyCovering(head: Head, formats: readonly LogFormat[]): OpenedFormat | undefined {
  const found = bestOfLooks(head, formats);
  const fitting = found.reduce((sum, trial) => sum + trial.fitting, 0);
  const asides = found.reduce((sum, trial) => sum + trial.asides, 0);
  return fitting * 2 >= head.lines.length - asides ? found[0] : undefined;
}

/** For each look that lines have, the format that most of its lines fit; that of the most lines first. */
function bestOfLooks(head: Head, formats: readonly LogFormat[]): Trial[] {
  const looks = new Map<string, number[]>();
  head.lines.forEach((line, index) => {
    const look = lookOf(line);
    looks.set(look, [...(looks.get(look) ?? []), index]);
  });
  if (looks.size < 2) return [];
  return [...looks.values()]
    .map((indexes): Head => ({
      ...head,
      lines: indexes.map((index) => head.lines[index]!),
      lineNumbers: indexes.map((index) => head.lineNumbers[index]!),
    }))
    .flatMap((part) => bestOf(trialsOf(part, formats), part) ?? [])
    .sort((a, b) => b.fitting - a.fitting);
}

function bestOf([best]: readonly Trial[], { lines }: Head): Trial | undefined {
  const fitsMost = best !== undefined && best.fitting > 0 && best.fitting * 2 >= lines.length - best.asides;
  return fitsMost ? best : undefined;
}

function trialsOf(head: Head, formats: readonly LogFormat[]): Trial[] {
  const told = formats.filter((format) => format.isNamedOnly !== true);
  const trials = told.flatMap((format) => {
    const parser = format.open(head.lines, head.comments);
    return parser === undefined ? [] : [tryFormat(replayComments({ name: format.name, parser }, head), head)];
  });
  return trials.sort((a, b) => b.fitting - a.fitting || (b.broke?.at ?? 0) - (a.broke?.at ?? 0));
}

function replayComments(opened: OpenedFormat, head: Head): OpenedFormat {
  for (const line of head.comments) opened.parser.comment?.(line, 0, line.length);
  return opened;
}

function tryFormat(opened: OpenedFormat, head: Head): Trial {
  const fields = new LineFields();
  let fitting = 0;
  let asides = 0;
  let broke: Trial['broke'];
  head.lines.forEach((line, index) => {
    const verdict = opened.parser.parse(line, 0, line.length, fields);
    if (verdict === VERDICT.comment || verdict === VERDICT.aside) asides += 1;
    else if (verdict !== VERDICT.unparsed) fitting += 1;
    else broke ??= { index, at: fields.brokeAt, reason: fields.reason };
  });
  return broke === undefined ? { ...opened, fitting, asides } : { ...opened, fitting, asides, broke };
}

function fitsNothing(head: Head, trials: readonly Trial[], asked?: string): ShiploadError {
  const nearest = trials.find((trial) => asked === undefined || trial.name === asked) ?? trials[0];
  const broke = nearest?.broke ?? { index: 0, at: 0, reason: `the line is no ${asked ?? 'access log'} line` };
  const line = head.lines[broke.index]!;
  if (line.indexOf(RETURN) !== line.lastIndexOf(RETURN)) throw endedByReturns(head);
  const fit = `${nearest?.fitting ?? 0} of the first ${head.lines.length} lines fit`;
  const what = asked === undefined ? 'most lines fit no known log format' : `the lines are not ${asked}`;
  return new ShiploadError(
    'log-format-unknown',
    `${what}; nearest is ${nearest?.name ?? asked} (${fit}): ${broke.reason} in: ${shapeOfLine(shownLine(line, 0, line.length))}`,
    {
      where: `${head.file}:${head.lineNumbers[broke.index]}:${broke.at + 1}`,
      hint: 'Give --format a name of the list, or the log_format (nginx) or LogFormat (Apache) string of the server.',
    },
  );
}

function endedByReturns({ file, lineNumbers }: Head): ShiploadError {
  return new ShiploadError(
    'log-format-unknown',
    `a line of ${file} holds several carriage returns and no line break`,
    {
      where: `${file}:${lineNumbers[0]}`,
      hint: 'If its lines end so, turn them into line breaks: tr "\\r" "\\n" < FILE.',
    },
  );
}

function unknownName(choice: string, formats: readonly LogFormat[]): ShiploadError {
  return new ShiploadError('log-format-unknown', `there is no log format named ${choice}`, {
    where: '--format',
    hint: `Known are auto, ${formats.map((format) => format.name).join(', ')}, or a format string.`,
  });
}

export const isBlank = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let i = start; i < end; i += 1) if (bytes[i] !== SPACE && bytes[i] !== TAB) return false;
  return true;
};

export const isComment = (bytes: Uint8Array, start: number, end: number): boolean =>
  start < end && bytes[start] === HASH;

const MAGICS: readonly (readonly [what: string, bytes: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58]],
  ['bzip2', [0x42, 0x5a, 0x68]],
];
const BINARY_SHARE = 0.1;

/** Throws `log-binary` for compressed data and for bytes of which a tenth are controls no log writes. */
export function refuseBinary(file: string, bytes: Uint8Array): void {
  const magic = MAGICS.find(([, magic]) => magic.every((byte, index) => bytes[index] === byte));
  if (magic !== undefined)
    throw new ShiploadError('log-binary', `${file} is ${magic[0]} data, not text`, {
      where: file,
      hint: 'Unpack it first.',
    });
  let controls = 0;
  for (const byte of bytes) if (byte < TAB || (byte > 0x0d && byte < SPACE && byte !== 0x1b)) controls += 1;
  if (controls <= bytes.length * BINARY_SHARE) return;
  throw new ShiploadError(
    'log-binary',
    `${file} is binary: ${controls} of its first ${bytes.length} bytes are control codes`,
    {
      where: file,
      hint: 'An access log is text, a line a request.',
    },
  );
}
