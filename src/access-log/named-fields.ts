import { MINUS, SPACE, decimalOf, latin1Of } from './bytes.ts';
import { setForwardedClient } from './client-address.ts';
import { durationTextOf } from './duration-text.ts';
import { FIELDS, type FieldKind } from './fields.ts';
import type { LineFields } from './log-format.ts';
import { setRequest } from './request-line.ts';
import { anyStampOf } from './timestamps.ts';

/** Sets what a named value means; returns the reason if it cannot be read. */
export type JsonField = (
  bytes: Uint8Array,
  start: number,
  end: number,
  out: LineFields,
) => string | undefined;

const isMissing = (bytes: Uint8Array, start: number, end: number): boolean =>
  start >= end ||
  (end - start === 1 && bytes[start] === MINUS) ||
  (end - start === 4 && bytes[start] === 0x6e && bytes[start + 1] === 0x75);

/** A number as JSON writes it, `12`, `0.5`, `2.7e-6`, with more digits than `decimalOf` takes; NaN for any other text. */
export function numberOf(bytes: Uint8Array, start: number, end: number): number {
  const plain = decimalOf(bytes, start, end);
  if (!Number.isNaN(plain) || start >= end) return plain;
  const text = latin1Of(bytes.subarray(start, end));
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
}

/** A duration in units of which so many make a second, or with its units behind it; `-` and −1 are none. */
const durationIn =
  (unitsPerSecond: number): JsonField =>
  (bytes, start, end, out) => {
    if (isMissing(bytes, start, end) || bytes[start] === MINUS) return undefined;
    const number = numberOf(bytes, start, end);
    const seconds = Number.isNaN(number) ? durationTextOf(bytes, start, end) : number / unitsPerSecond;
    if (Number.isNaN(seconds)) return 'the duration is no number';
    out.durationSeconds = seconds;
    return undefined;
  };

const stampTo =
  (name: 'stampSeconds' | 'endSeconds'): JsonField =>
  (bytes, start, end, out) => {
    out[name] = anyStampOf(bytes, start, end);
    return Number.isNaN(out[name]) ? 'the time stamp is none' : undefined;
  };

/** In a JSON log and its kin an unreadable request is a bad one, and the line goes on. */
const request: JsonField = (bytes, start, end, out) => {
  if (setRequest(bytes, start, end, out) === 0) return undefined;
  out.badRequest = out.reason;
  out.reason = '';
  return undefined;
};

const status: JsonField = (bytes, start, end, out) => {
  if (isMissing(bytes, start, end)) return undefined;
  const value = numberOf(bytes, start, end);
  if (!Number.isInteger(value) || value < 0 || value > 999) return 'the status is no three-digit number';
  out.status = value;
  return undefined;
};

const text =
  (kind: FieldKind): JsonField =>
  (bytes, start, end, out) =>
    isMissing(bytes, start, end) ? undefined : FIELDS[kind].read(bytes, start, end, out);

const size: JsonField = (bytes, start, end, out) => {
  if (isMissing(bytes, start, end)) return undefined;
  const value = numberOf(bytes, start, end);
  if (!Number.isNaN(value) && value >= 0) out.responseBytes = value;
  return undefined;
};

/** The path without its query, which is not in the log. */
const target: JsonField = (bytes, start, end, out) => {
  let from = start;
  while (from < end && bytes[from] === SPACE) from += 1;
  out.targetStart = from;
  out.targetEnd = end;
  return undefined;
};

/** A method that is none makes a bad request, not a broken line. */
const method: JsonField = (bytes, start, end, out) => {
  if (FIELDS.method.read(bytes, start, end, out) !== undefined) out.badRequest = 'the method is none';
  return undefined;
};

/** The meanings that a named value (JSON, LTSV, W3C, a column) can have. */
export const NAMED = {
  stamp: stampTo('stampSeconds'),
  end: stampTo('endSeconds'),
  request,
  method,
  target,
  status,
  size,
  client: text('client'),
  forwardedFor: (bytes, start, end, out) => {
    if (isMissing(bytes, start, end)) return undefined;
    setForwardedClient(bytes, start, end, out);
    return undefined;
  },
  user: text('user'),
  userAgent: text('userAgent'),
  referer: text('referer'),
  seconds: durationIn(1),
  milliseconds: durationIn(1e3),
  microseconds: durationIn(1e6),
  nanoseconds: durationIn(1e9),
  /** Kept only where the line has no better one. */
  otherwiseSeconds: (bytes, start, end, out) => {
    const known = out.durationSeconds;
    const reason = durationIn(1)(bytes, start, end, out);
    if (!Number.isNaN(known)) out.durationSeconds = known;
    return reason;
  },
  upstream: (bytes, start, end, out) => FIELDS.upstreamSeconds.read(bytes, start, end, out),
} satisfies Readonly<Record<string, JsonField>>;

export type NamedMeaning = keyof typeof NAMED;

/** Fields by name. */
export const namedFields = (
  entries: Readonly<Record<string, NamedMeaning>>,
): ReadonlyMap<string, JsonField> =>
  new Map(Object.entries(entries).map(([name, meaning]) => [name.toLowerCase(), NAMED[meaning]]));
