import type { TimestampMeaning } from '../model/access-log.ts';
import type { Notice } from '../model/notice.ts';
import { BACKSLASH, COLON, COMMA, QUOTE, SPACE, bytesOf, standsAt } from './bytes.ts';
import { FIELDS, type FieldKind } from './fields.ts';
import { VERDICT, type LineFields, type LineParser, type Verdict } from './log-format.ts';
import type { EscapeStyle } from './unescape.ts';

/** One field of a line: the text that stands before it, and what it means. */
export interface TemplateField {
  readonly before: string;
  readonly kind: FieldKind;
}

/** A line as fields between literal texts: what a `log_format` or `LogFormat` string says. */
export interface Template {
  readonly fields: readonly TemplateField[];
  /** What stands after the last field. */
  readonly after: string;
  readonly escapes: EscapeStyle;
  readonly timestampMeaning: TimestampMeaning;
  readonly isMeaningAssumed?: true;
  readonly stampResolutionSeconds: number;
  readonly notices?: readonly Notice[];
}

interface Step {
  readonly before: Uint8Array;
  /** The literal that ends the field; empty: the end of the line. */
  readonly stop: Uint8Array;
  readonly isLast: boolean;
  readonly find: (bytes: Uint8Array, at: number, end: number, stop: Uint8Array) => number;
  readonly read: (bytes: Uint8Array, start: number, end: number, out: LineFields) => string | undefined;
  readonly isRequest: boolean;
  /** A text of the client's making: it may hold the literal that ends it, if the writer does not escape. */
  readonly isFreeText: boolean;
  readonly missingBefore: string;
  readonly missingStop: string;
}

/**
 * A parser made of the template: each field ends at the literal before the next one, and no line costs an
 * allocation or a regular expression. Where a writer does not escape, a free text that ended too early is
 * tried again at the next place where it could end.
 */
export function templateParser(template: Template): LineParser {
  const steps = template.fields.map((field, index) => stepOf(template, field, index));
  return {
    timestampMeaning: template.timestampMeaning,
    ...(template.isMeaningAssumed === true && { isMeaningAssumed: true }),
    stampResolutionSeconds: template.stampResolutionSeconds,
    escapes: template.escapes,
    notices: template.notices ?? [],
    parse: (bytes, start, end, out) => {
      out.clear();
      return runSteps(steps, bytes, start, end, out);
    },
  };
}

/**
 * Reads the fields of a template from the one of that index on, for a parser that has read those before it
 * in a way of its own; it begins where the text before that field does.
 */
export function templateTail(
  template: Template,
  fromField: number,
): (bytes: Uint8Array, at: number, end: number, out: LineFields) => Verdict {
  const steps = template.fields.map((field, index) => stepOf(template, field, index)).slice(fromField);
  return (bytes, at, end, out) => runSteps(steps, bytes, at, end, out);
}

function stepOf(template: Template, field: TemplateField, index: number): Step {
  const next = template.fields[index + 1];
  const stop = next?.before ?? template.after;
  const meaning = FIELDS[field.kind];
  const quoted = field.before.endsWith('"') && stop.startsWith('"');
  const escaped = quoted && template.escapes === 'backslash';
  return {
    before: bytesOf(field.before),
    stop: bytesOf(stop),
    isLast: next === undefined,
    find: escaped ? findEscaped : stop.startsWith(' ') && meaning.isList === true ? findListEnd : findLiteral,
    read: meaning.read,
    isRequest: field.kind === 'request',
    isFreeText: meaning.isFreeText === true,
    missingBefore: `expected ${JSON.stringify(field.before)} before the ${meaning.label}`,
    missingStop: `the ${meaning.label} is not followed by ${JSON.stringify(stop)}`,
  };
}

function runSteps(
  steps: readonly Step[],
  bytes: Uint8Array,
  start: number,
  end: number,
  out: LineFields,
): Verdict {
  let verdict: Verdict = VERDICT.ok;
  let at = start;
  let retryIndex = -1;
  let retryStart = 0;
  let retryStop = 0;
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index]!;
    const valueStart = index === retryIndex ? retryStart : at + step.before.length;
    const searchFrom = index === retryIndex ? retryStop + 1 : valueStart;
    let broke: string | undefined;
    let brokeAt = at;
    let stop = -1;
    if (index !== retryIndex && !standsAt(bytes, at, end, step.before)) broke = step.missingBefore;
    else {
      stop = step.isLast
        ? lineEnd(bytes, searchFrom, end, step.stop)
        : step.find(bytes, searchFrom, end, step.stop);
      if (stop < 0) broke = step.missingStop;
      else if (!step.isRequest) broke = step.read(bytes, valueStart, stop, out);
      brokeAt = valueStart;
    }
    if (broke !== undefined) {
      const canRetry = retryIndex >= 0 && index > retryIndex;
      if (!canRetry) return out.reject(VERDICT.unparsed, out.reason || broke, out.brokeAt || brokeAt);
      out.reason ||= broke;
      out.brokeAt ||= brokeAt;
      index = retryIndex - 1;
      continue;
    }
    if (step.isRequest) {
      verdict = VERDICT.ok;
      out.reason = '';
      out.brokeAt = 0;
      verdict = readRequest(step, bytes, valueStart, stop, out);
    }
    if (step.isFreeText && !step.isLast) {
      retryIndex = index;
      retryStart = valueStart;
      retryStop = stop;
    }
    at = stop;
  }
  return verdict;
}

function readRequest(step: Step, bytes: Uint8Array, start: number, stop: number, out: LineFields): Verdict {
  return step.read(bytes, start, stop, out) === undefined ? VERDICT.ok : VERDICT.badRequest;
}

/** The last field ends where the line does, less the literal that closes it. */
function lineEnd(bytes: Uint8Array, at: number, end: number, literal: Uint8Array): number {
  const stop = end - literal.length;
  return stop >= at && standsAt(bytes, stop, end, literal) ? stop : -1;
}

function findLiteral(bytes: Uint8Array, at: number, end: number, literal: Uint8Array): number {
  const first = literal[0]!;
  for (let i = at; i < end; i += 1) if (bytes[i] === first && standsAt(bytes, i, end, literal)) return i;
  return -1;
}

/** As `findLiteral` for a literal that begins with a quote; a quote behind an odd row of backslashes is text. */
function findEscaped(bytes: Uint8Array, at: number, end: number, literal: Uint8Array): number {
  for (
    let quote = bytes.indexOf(QUOTE, at);
    quote >= 0 && quote < end;
    quote = bytes.indexOf(QUOTE, quote + 1)
  ) {
    let before = quote - 1;
    while (before >= at && bytes[before] === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1 && standsAt(bytes, quote, end, literal)) return quote;
  }
  return -1;
}

/** nginx's lists of upstreams (`0.000, 0.001`, `0.001 : 0.002`) hold spaces of their own. */
function findListEnd(bytes: Uint8Array, at: number, end: number, literal: Uint8Array): number {
  for (let i = at; i < end; i += 1) {
    if (bytes[i] !== SPACE) continue;
    const before = bytes[i - 1];
    const inList =
      (i > at && (before === COMMA || before === COLON)) ||
      (bytes[i + 1] === COLON && bytes[i + 2] === SPACE);
    if (!inList && standsAt(bytes, i, end, literal)) return i;
  }
  return -1;
}
