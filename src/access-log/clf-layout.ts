import type { Notice } from '../model/notice.ts';
import { bytesOf, latin1Of } from './bytes.ts';
import { ClfParser, type ClfLayout } from './clf-fast.ts';
import { durationUnitOf, type UnitlessLine } from './duration-unit.ts';
import type { FieldKind } from './fields.ts';
import type { LineParser } from './log-format.ts';
import { templateParser, templateTail, type Template, type TemplateField } from './template.ts';
import { clfStampOf } from './timestamps.ts';

/** The members of the Common Log Format family, told apart by what stands before and after the shared part. */
export type ClfFamily = 'common' | 'combined' | 'vhost' | 'nginx-timed' | 'apache-timed';

interface TailToken {
  readonly label: string;
  readonly quoted: boolean;
  readonly values: readonly string[];
}

/** Of a line: who and when; its duration comes with the tail. */
type Asker = Omit<UnitlessLine, 'duration'>;

interface Shape {
  readonly hasVhost: boolean;
  readonly isCombined: boolean;
  readonly tail: readonly TailToken[];
  /** Beside the values of the tail's tokens. */
  readonly askers: readonly Asker[];
}

interface Tail {
  readonly fields: readonly TemplateField[];
  readonly duration: 'nginx' | 'apache' | undefined;
  readonly stamp: 'msec' | 'begin' | undefined;
  readonly notices: readonly Notice[];
}

const QUOTED = String.raw`"((?:[^"\\]|\\.)*)"`;
const CLF_LINE = new RegExp(
  String.raw`^(.*?) \[(\d\d\/\w{3}\/\d{4}:[\d:]{8}[^\]]*)\] ${QUOTED} (?:\d{3}|0|-) (?:\d+|-)(?: ${QUOTED} ${QUOTED})?(.*)$`,
  's',
);
const TAIL_TOKEN = /\s+(?:([A-Za-z_][\w-]*[=:]))?(?:"((?:[^"\\]|\\.)*)"|((?:, | : |[^\s"])*))/gy;

/** Words that servers' owners put before a field, and what the field then is. */
const LABELS: Readonly<Record<string, FieldKind>> = {
  rt: 'durationSeconds',
  request_time: 'durationSeconds',
  urt: 'upstreamSeconds',
  upstream_response_time: 'upstreamSeconds',
  d: 'durationMicroseconds',
  ust: 'durationMicroseconds',
  mst: 'durationMilliseconds',
  t: 'durationSeconds',
  msec: 'epochStamp',
  begin: 'epochStamp',
  xff: 'forwardedFor',
  http_x_forwarded_for: 'forwardedFor',
};

const UNITS_PER_SECOND: Readonly<Partial<Record<FieldKind, number>>> = {
  durationSeconds: 1,
  durationMilliseconds: 1e3,
  durationMicroseconds: 1e6,
};

/** A layout of the family; `careful` reads what `parser` does, a line at a time, whatever stands in it. */
export interface LearnedClf {
  readonly family: ClfFamily;
  readonly parser: LineParser;
  readonly careful: LineParser;
}

/**
 * Learns from a file's first lines what stands around the shared part of the family: a virtual host before
 * it, referer and user agent, and a tail with times. `asked` is the event stamped where the server's name says it. Undefined when most lines are not of the family.
 */
export function learnClf(head: readonly Uint8Array[], asked?: 'start' | 'end'): LearnedClf | undefined {
  const matches = head.map((line) => CLF_LINE.exec(latin1Of(line))).filter((match) => match !== null);
  if (matches.length * 2 < head.length || matches.length === 0) return undefined;
  const shape = shapeOf(matches);
  const tail = tailOf(shape);
  const family = familyOf(shape, tail);
  return { family, ...parsersOf(shape, tail, asked) };
}

const isMost = (count: number, all: number): boolean => count * 2 > all;

function shapeOf(matches: readonly RegExpExecArray[]): Shape {
  const withVhost = matches.filter(
    (match) => /^\S+ \S+ - /.test(match[1]!) || /^\S+:\d+ \S+ \S+ /.test(match[1]!),
  );
  const combined = matches.filter((match) => match[4] !== undefined);
  const isCombined = isMost(combined.length, matches.length);
  const alike = isCombined ? combined : matches;
  const tails = alike.map((match) => tokensOf(match[6]!));
  const { tail, places } = commonTail(tails);
  const askers = places.map((place) => askerOf(alike[place]!));
  return { hasVhost: isMost(withVhost.length, matches.length), isCombined, tail, askers };
}

const askerOf = ([, head = '', stamp = '', , , agent = '']: RegExpExecArray): Asker => ({
  client: `${head} ${agent}`,
  startSeconds: clfStampOf(bytesOf(stamp), 0, stamp.length),
});

type RawToken = readonly [label: string, quoted: boolean, value: string];

function tokensOf(tail: string): RawToken[] {
  return [...tail.matchAll(TAIL_TOKEN)]
    .filter((match) => match[0].trim() !== '')
    .map(([, label = '', quoted, bare]) => {
      // A colon makes a label of a word that is known as one, and no other: `TCP_MISS:HIER_NONE` is a value.
      const isLabel = !label.endsWith(':') || LABELS[label.slice(0, -1).toLowerCase()] !== undefined;
      return isLabel
        ? [label, quoted !== undefined, quoted ?? bare ?? '']
        : ['', quoted !== undefined, label + (quoted ?? bare ?? '')];
    });
}

/** The layout that most tails share, with the values seen in each place, and which tails those are. */
function commonTail(tails: readonly (readonly RawToken[])[]): {
  readonly tail: readonly TailToken[];
  readonly places: readonly number[];
} {
  const layoutOf = (tail: readonly RawToken[]): string =>
    tail.map(([label, quoted]) => `${label}${quoted ? '"' : ' '}`).join('|');
  const counts = new Map<string, number>();
  for (const tail of tails) counts.set(layoutOf(tail), (counts.get(layoutOf(tail)) ?? 0) + 1);
  const best = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
  const places = tails.flatMap((tail, place) => (layoutOf(tail) === best ? [place] : []));
  const [first] = places;
  const shared = first === undefined ? [] : tails[first]!;
  const tail = shared.map(([label, quoted], index) => ({
    label,
    quoted,
    values: places.map((place) => tails[place]![index]![2]),
  }));
  return { tail, places };
}

function tailOf({ tail: tokens, askers }: Pick<Shape, 'tail' | 'askers'>): Tail {
  const kinds = tokens.map((token) => kindOf(token));
  const notices: Notice[] = [];
  const isFloat = (index: number): boolean => tokens[index]!.values.some((value) => /^\d+\.\d+$/.test(value));
  const isKind = (pattern: RegExp) => (token: TailToken, index: number) =>
    kinds[index] === undefined && token.label === '' && mostValues(token, pattern);
  const floatAt = tokens.findIndex(isKind(/^\d+\.\d+$/));
  const integers = tokens.flatMap((token, index) => (isKind(/^\d+$/)(token, index) ? [index] : []));
  const known = kinds.findIndex((kind) => kind?.startsWith('duration') === true);
  if (known < 0 && floatAt >= 0) {
    kinds[floatAt] = 'durationSeconds';
    const upstreamAt = tokens.findIndex((token, i) => i > floatAt && isKind(/^[\d., :]*\.\d+$/)(token, i));
    if (upstreamAt >= 0) kinds[upstreamAt] = 'upstreamSeconds';
  } else if (known < 0 && integers.length === 1)
    kinds[integers[0]!] = guessedUnit(tokens[integers[0]!]!.values, askers, notices);
  const duration = keepFinest(kinds);
  const isNginx = duration >= 0 && kinds[duration] === 'durationSeconds' && isFloat(duration);
  const stampAt = kinds.indexOf('epochStamp');
  return {
    fields: tokens.map((token, index) => ({
      before: beforeOf(tokens, index),
      kind: kinds[index] ?? plain(token),
    })),
    duration: duration < 0 ? undefined : isNginx ? 'nginx' : 'apache',
    stamp: stampAt < 0 ? undefined : tokens[stampAt]!.label.startsWith('begin') ? 'begin' : 'msec',
    notices,
  };
}

const plain = (token: TailToken): FieldKind => (token.quoted ? 'skippedText' : 'skipped');

const mostValues = (token: TailToken, pattern: RegExp): boolean => {
  const present = token.values.filter((value) => value !== '-' && value !== '');
  return present.length > 0 && isMost(present.filter((value) => pattern.test(value)).length, present.length);
};

function kindOf(token: TailToken): FieldKind | undefined {
  if (token.label !== '') return LABELS[token.label.slice(0, -1).toLowerCase()];
  const isAddressList = token.quoted && mostValues(token, /^[\da-f.:[\]]*[.:][\da-f.:[\]]*(, *\S+)*$/i);
  return isAddressList && !mostValues(token, /^\d+\.\d+$/) ? 'forwardedFor' : undefined;
}

/** Keeps the finest of several durations and returns its place, or −1. */
function keepFinest(kinds: (FieldKind | undefined)[]): number {
  const order: readonly FieldKind[] = ['durationMicroseconds', 'durationMilliseconds', 'durationSeconds'];
  const best = order.find((kind) => kinds.includes(kind));
  const at = best === undefined ? -1 : kinds.indexOf(best);
  kinds.forEach((kind, index) => {
    if (index !== at && kind?.startsWith('duration') === true) kinds[index] = 'skipped';
  });
  return at;
}

function guessedUnit(values: readonly string[], askers: readonly Asker[], notices: Notice[]): FieldKind {
  const lines = values.flatMap((value, index) =>
    /^\d+$/.test(value) ? [{ ...askers[index]!, duration: Number(value) }] : [],
  );
  const { unit, why, isGuess } = durationUnitOf(lines);
  notices.push({
    code: 'duration-unit-guessed',
    severity: isGuess === true ? 'warning' : 'info',
    message: `the last number of a line is read as a duration in ${unit}: ${why}`,
    advice:
      'Give the server’s format string with --format, where %D says microseconds and %{ms}T milliseconds.',
  });
  return unit === 'microseconds' ? 'durationMicroseconds' : 'durationMilliseconds';
}

function beforeOf(tokens: readonly TailToken[], index: number): string {
  const closing = index > 0 && tokens[index - 1]!.quoted ? '"' : '';
  return `${closing} ${tokens[index]!.label}${tokens[index]!.quoted ? '"' : ''}`;
}

function familyOf(shape: Shape, tail: Tail): ClfFamily {
  if (tail.duration !== undefined) return `${tail.duration}-timed`;
  if (shape.hasVhost) return 'vhost';
  return shape.isCombined ? 'combined' : 'common';
}

function parsersOf(shape: Shape, tail: Tail, asked?: 'start' | 'end'): Omit<LearnedClf, 'family'> {
  const template = templateOfShape(shape, tail, asked);
  const careful = templateParser(template);
  const layout = { hasVhost: shape.hasVhost, isCombined: shape.isCombined, tail: hastyTail(shape, tail) };
  const readTail = templateTail(template, template.fields.length - tail.fields.length);
  return { parser: new ClfParser(careful, layout, readTail), careful };
}

/** A tail that is one bare duration is read from its place alone. */
function hastyTail({ tail: tokens }: Shape, { fields }: Tail): ClfLayout['tail'] {
  const [only] = fields;
  if (only === undefined) return 'none';
  const isBare = fields.length === 1 && tokens[0]!.label === '' && !tokens[0]!.quoted;
  const unitsPerSecond = isBare ? UNITS_PER_SECOND[only.kind] : undefined;
  return unitsPerSecond === undefined ? 'fields' : { unitsPerSecond };
}

function templateOfShape(shape: Shape, tail: Tail, asked?: 'start' | 'end'): Template {
  const hasMilliseconds = tail.stamp !== undefined;
  const isStart = tail.stamp === 'begin' || (tail.stamp === undefined && tail.duration === 'apache');
  const isAssumed = asked === undefined && tail.stamp === undefined && tail.duration === undefined;
  const last = shape.tail.at(-1);
  return {
    fields: joined(coreFields(shape, hasMilliseconds), tail.fields, shape.isCombined),
    after: last === undefined ? (shape.isCombined ? '"' : '') : last.quoted ? '"' : '',
    escapes: 'backslash',
    timestampMeaning: asked ?? (isStart ? 'start' : 'end'),
    ...(isAssumed && { isMeaningAssumed: true }),
    stampResolutionSeconds: tail.stamp === 'begin' ? 1e-6 : tail.stamp === 'msec' ? 0.001 : 1,
    notices: tail.notices,
  };
}

/** The first field behind a quoted one begins with that one's closing quote. */
function joined(
  core: readonly TemplateField[],
  tail: readonly TemplateField[],
  endsQuoted: boolean,
): TemplateField[] {
  const [first, ...rest] = tail;
  if (first === undefined) return [...core];
  return [...core, { ...first, before: (endsQuoted ? '"' : '') + first.before }, ...rest];
}

function coreFields(shape: Shape, hasOtherStamp: boolean): TemplateField[] {
  return [
    ...(shape.hasVhost ? [{ before: '', kind: 'skipped' } as const] : []),
    { before: shape.hasVhost ? ' ' : '', kind: 'client' },
    { before: ' ', kind: 'skipped' },
    { before: ' ', kind: 'user' },
    { before: ' [', kind: hasOtherStamp ? 'skipped' : 'clfStamp' },
    { before: '] "', kind: 'request' },
    { before: '" ', kind: 'status' },
    { before: ' ', kind: 'responseBytes' },
    ...(shape.isCombined
      ? ([
          { before: ' "', kind: 'referer' },
          { before: '" "', kind: 'userAgent' },
        ] as const)
      : []),
  ];
}

/** The family's plain member, for error messages about files whose lines are not of the family. */
export function plainClf(isCombined: boolean): LineParser {
  const shape: Shape = { hasVhost: false, isCombined, tail: [], askers: [] };
  return parsersOf(shape, { fields: [], duration: undefined, stamp: undefined, notices: [] }).careful;
}
