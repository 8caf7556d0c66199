import { COLON, COMMA, MINUS, SLASH, SPACE, ZERO, decimalOf } from './bytes.ts';
import { setClient, setForwardedClient } from './client-address.ts';
import type { LineFields } from './log-format.ts';
import { isMethod, setRequest } from './request-line.ts';
import { durationTextOf } from './duration-text.ts';
import { asctimeStampOf, clfStampOf, epochStampOf, haproxyStampOf, isoStampOf } from './timestamps.ts';

const PLUS = 0x2b;

/** What a field of a line can mean to us. */
export type FieldKind =
  | 'client'
  | 'forwardedFor'
  | 'clfStamp'
  | 'isoStamp'
  | 'epochStamp'
  | 'haproxyStamp'
  | 'asctimeStamp'
  | 'stampMilliseconds'
  | 'request'
  | 'method'
  | 'target'
  | 'status'
  | 'responseBytes'
  | 'durationSeconds'
  | 'durationMilliseconds'
  | 'durationMicroseconds'
  | 'upstreamSeconds'
  | 'partSeconds'
  | 'haproxyTimers'
  | 'durationText'
  | 'user'
  | 'userAgent'
  | 'referer'
  | 'skipped'
  | 'skippedText';

interface FieldMeaning {
  readonly label: string;
  /** Sets `out` from the field's bytes; returns the reason if they cannot be read. */
  readonly read: (bytes: Uint8Array, start: number, end: number, out: LineFields) => string | undefined;
  readonly isFreeText?: boolean;
  /** May hold `, ` and ` : ` between entries. */
  readonly isList?: boolean;
}

const isDash = (bytes: Uint8Array, start: number, end: number): boolean =>
  end - start === 1 && bytes[start] === MINUS;

type Read = FieldMeaning['read'];

const stamp =
  (read: (bytes: Uint8Array, start: number, end: number) => number): Read =>
  (bytes, start, end, out) => {
    out.stampSeconds = read(bytes, start, end);
    return Number.isNaN(out.stampSeconds) ? 'the time stamp is none' : undefined;
  };

/** `-`, an empty text and a negative number all say that there is none. */
const isMissing = (bytes: Uint8Array, start: number, end: number): boolean =>
  start === end || bytes[start] === MINUS;

/** A line whose tail is longer than its fellows' (`- 0.321`) has its duration last. */
const duration =
  (unitsPerSecond: number): Read =>
  (bytes, from, end, out) => {
    let start = end;
    while (start > from && bytes[start - 1] !== SPACE) start -= 1;
    if (isMissing(bytes, start, end)) return undefined;
    out.durationSeconds = decimalOf(bytes, start, end) / unitsPerSecond;
    return Number.isNaN(out.durationSeconds) ? 'the duration is no number' : undefined;
  };

const readStatus: Read = (bytes, start, end, out) => {
  // Envoy writes 0 where the client was gone before an answer.
  const isNone = end - start === 1 && (bytes[start] === MINUS || bytes[start] === ZERO);
  if (isNone) return undefined;
  const status = end - start === 3 ? decimalOf(bytes, start, end) : NaN;
  if (!Number.isInteger(status)) return 'the status is no three-digit number';
  out.status = status;
  return undefined;
};

const readBytes: Read = (bytes, start, end, out) => {
  if (isMissing(bytes, start, end)) return undefined;
  out.responseBytes = decimalOf(bytes, bytes[start] === PLUS ? start + 1 : start, end);
  return Number.isNaN(out.responseBytes) ? 'the size is no number' : undefined;
};

const readMethod: Read = (bytes, start, end, out) => {
  if (!isMethod(bytes, start, end)) return 'the method is none';
  out.methodStart = start;
  out.methodEnd = end;
  return undefined;
};

/** The sum of the numbers of an upstream list, kept only where the line has no duration of its own. */
const readUpstream: Read = (bytes, start, end, out) => {
  let sum = NaN;
  for (let at = start; at < end;) {
    let stop = at;
    while (stop < end && bytes[stop] !== COMMA && bytes[stop] !== SPACE && bytes[stop] !== COLON) stop += 1;
    const part = decimalOf(bytes, at, stop);
    if (!Number.isNaN(part)) sum = (Number.isNaN(sum) ? 0 : sum) + part;
    at = stop + 1;
  }
  if (Number.isNaN(out.durationSeconds)) out.durationSeconds = sum;
  return undefined;
};

/** One of several parts of a duration (a load balancer's, its target's): they add up; −1 says there is none. */
const readPart: Read = (bytes, start, end, out) => {
  if (isMissing(bytes, start, end)) return undefined;
  const part = decimalOf(bytes, start, end);
  if (Number.isNaN(part)) return 'the duration is no number';
  out.durationSeconds = (Number.isNaN(out.durationSeconds) ? 0 : out.durationSeconds) + part;
  return undefined;
};

/** HAProxy's `TR/Tw/Tc/Tr/Ta` in milliseconds: the last is the whole; `+` before it (logasap): it was not over yet. */
const readTimers: Read = (bytes, start, end, out) => {
  let from = end;
  while (from > start && bytes[from - 1] !== SLASH) from -= 1;
  if (from === start) return 'the timers are none';
  if (bytes[from] === PLUS) from += 1;
  if (isMissing(bytes, from, end)) return undefined;
  out.durationSeconds = decimalOf(bytes, from, end) / 1e3;
  return Number.isNaN(out.durationSeconds) ? 'the whole time is no number' : undefined;
};

/** Every kind, with how it is read. */
export const FIELDS: Readonly<Record<FieldKind, FieldMeaning>> = {
  client: {
    label: 'client',
    read: (bytes, start, end, out) => {
      const isForwarded = out.clientEnd > out.clientStart;
      if (!isForwarded) setClient(bytes, start, end, out);
      return undefined;
    },
  },
  forwardedFor: {
    label: 'forwarded address',
    read: (bytes, start, end, out) => {
      setForwardedClient(bytes, start, end, out);
      return undefined;
    },
    isFreeText: true,
    isList: true,
  },
  clfStamp: { label: 'time stamp', read: stamp(clfStampOf) },
  isoStamp: { label: 'time stamp', read: stamp(isoStampOf) },
  epochStamp: { label: 'time stamp', read: stamp(epochStampOf) },
  haproxyStamp: { label: 'time stamp', read: stamp(haproxyStampOf) },
  asctimeStamp: { label: 'time stamp', read: stamp(asctimeStampOf) },
  stampMilliseconds: {
    label: 'milliseconds of the time stamp',
    read: (bytes, start, end, out) => {
      out.stampSeconds += decimalOf(bytes, start, end) / 1e3;
      return Number.isNaN(out.stampSeconds) ? 'the milliseconds are no number' : undefined;
    },
  },
  request: {
    label: 'request',
    read: (bytes, start, end, out) => (setRequest(bytes, start, end, out) === 0 ? undefined : out.reason),
    isFreeText: true,
  },
  method: { label: 'method', read: readMethod },
  target: {
    label: 'target',
    read: (_bytes, start, end, out) => {
      out.targetStart = start;
      out.targetEnd = end;
      return start === end ? 'the target is empty' : undefined;
    },
    isFreeText: true,
  },
  status: { label: 'status', read: readStatus },
  responseBytes: { label: 'size', read: readBytes },
  durationSeconds: { label: 'duration', read: duration(1) },
  durationMilliseconds: { label: 'duration', read: duration(1e3) },
  durationMicroseconds: { label: 'duration', read: duration(1e6) },
  partSeconds: { label: 'duration', read: readPart },
  haproxyTimers: { label: 'timers', read: readTimers },
  durationText: {
    label: 'duration',
    read: (bytes, start, end, out) => {
      out.durationSeconds = durationTextOf(bytes, start, end);
      return Number.isNaN(out.durationSeconds) ? 'the duration is none' : undefined;
    },
  },
  upstreamSeconds: { label: 'upstream time', read: readUpstream, isList: true },
  user: {
    label: 'user name',
    read: (bytes, start, end, out) => {
      if (isDash(bytes, start, end)) return undefined;
      out.userStart = start;
      out.userEnd = end;
      return undefined;
    },
    isFreeText: true,
  },
  userAgent: {
    label: 'user agent',
    read: (bytes, start, end, out) => {
      if (isDash(bytes, start, end)) return undefined;
      out.agentStart = start;
      out.agentEnd = end;
      return undefined;
    },
    isFreeText: true,
  },
  referer: {
    label: 'referer',
    read: (bytes, start, end, out) => {
      if (isDash(bytes, start, end)) return undefined;
      out.refererStart = start;
      out.refererEnd = end;
      return undefined;
    },
    isFreeText: true,
  },
  skipped: { label: 'field', read: () => undefined, isList: true },
  skippedText: { label: 'field', read: () => undefined, isFreeText: true },
};
