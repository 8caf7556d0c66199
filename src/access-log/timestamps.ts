import { daysFromCivil } from '../stats/calendar.ts';
import { COLON, DOT, MINUS, SLASH, SPACE, ZERO, decimalOf, isDigit } from './bytes.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_OF = new Map(
  MONTHS.map((name, index) => [
    monthKey(name.charCodeAt(0), name.charCodeAt(1), name.charCodeAt(2)),
    index + 1,
  ]),
);

function monthKey(a: number, b: number, c: number): number {
  return ((a | 0x20) << 16) | ((b | 0x20) << 8) | (c | 0x20);
}

/** Two digits at `at`; NaN if they are none. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - ZERO;
  const ones = bytes[at + 1]! - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

const fourDigits = (bytes: Uint8Array, at: number): number =>
  twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2);

/** `+0330` or `+03:30` or `Z` at `at`, in seconds east of Greenwich; NaN if it is none. */
function zoneSeconds(bytes: Uint8Array, at: number, end: number): number {
  if (end - at === 1) return (bytes[at]! | 0x20) === 0x7a ? 0 : NaN;
  const sign = bytes[at] === MINUS ? -1 : bytes[at] === 0x2b ? 1 : NaN;
  const minutesAt = bytes[at + 3] === COLON ? at + 4 : at + 3;
  if (end !== minutesAt + 2) return NaN;
  return sign * (twoDigits(bytes, at + 1) * 3600 + twoDigits(bytes, minutesAt) * 60);
}

function secondsOfDay(bytes: Uint8Array, at: number): number {
  const hours = twoDigits(bytes, at);
  const minutes = twoDigits(bytes, at + 3);
  const seconds = twoDigits(bytes, at + 6);
  const inRange = hours <= 24 && minutes <= 59 && seconds <= 60;
  return inRange && bytes[at + 2] === COLON && bytes[at + 5] === COLON
    ? hours * 3600 + minutes * 60 + seconds
    : NaN;
}

/** `30/Nov/2026:17:56:37 +0000`, also with a fraction and without a zone (UTC), in seconds since the epoch; NaN if the range holds anything else. */
export function clfStampOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 20 || bytes[start + 2] !== SLASH || bytes[start + 6] !== SLASH) return NaN;
  const month = MONTH_OF.get(monthKey(bytes[start + 3]!, bytes[start + 4]!, bytes[start + 5]!));
  if (month === undefined || (bytes[start + 11] !== COLON && bytes[start + 11] !== SPACE)) return NaN;
  const days = daysFromCivil(fourDigits(bytes, start + 7), month, twoDigits(bytes, start));
  let at = start + 20;
  if (at < end && bytes[at] === DOT) for (at += 1; at < end && isDigit(bytes[at]!); at += 1);
  const fraction = at > start + 21 ? fractionOf(bytes, start + 21, at) : 0;
  const zone = at === end ? 0 : bytes[at] === SPACE ? zoneSeconds(bytes, at + 1, end) : NaN;
  return days * 86_400 + secondsOfDay(bytes, start + 12) + fraction - zone;
}

/** `2026-11-30T17:56:37.123+00:00` in seconds since the epoch (UTC without a zone); NaN if it is none. */
export function isoStampOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 19 || bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return NaN;
  const month = twoDigits(bytes, start + 5);
  if (!(month >= 1 && month <= 12)) return NaN;
  const days = daysFromCivil(fourDigits(bytes, start), month, twoDigits(bytes, start + 8));
  let at = start + 19;
  if (bytes[at] === DOT && at < end) for (at += 1; at < end && isDigit(bytes[at]!); at += 1);
  const fraction = at > start + 20 ? fractionOf(bytes, start + 20, at) : 0;
  const zone = at === end ? 0 : zoneSeconds(bytes, bytes[at] === SPACE ? at + 1 : at, end);
  return days * 86_400 + secondsOfDay(bytes, start + 11) + fraction - zone;
}

/**
 * An epoch in seconds, milliseconds, microseconds or nanoseconds, told by its 10, 13, 16 or 19 whole digits;
 * decimals may follow. The digits of a second are read apart from the rest, for nanoseconds are beyond 2^53.
 * NaN for any other count of digits.
 */
export function epochStampOf(bytes: Uint8Array, start: number, end: number): number {
  let whole = start;
  while (whole < end && isDigit(bytes[whole]!)) whole += 1;
  const digits = whole - start;
  if (digits !== 10 && digits !== 13 && digits !== 16 && digits !== 19) return NaN;
  if (whole < end && bytes[whole] !== DOT) return NaN;
  const seconds = decimalOf(bytes, start, start + 10);
  if (digits === 10) return whole === end ? seconds : seconds + fractionOf(bytes, whole + 1, end);
  const rest = decimalOf(bytes, start + 10, whole) / 10 ** (digits - 10);
  if (whole < end && Number.isNaN(fractionOf(bytes, whole + 1, end))) return NaN;
  return seconds + rest;
}

/** Digits behind a decimal point; a digit beyond the fifteenth changes nothing. */
function fractionOf(bytes: Uint8Array, start: number, end: number): number {
  const stop = Math.min(end, start + 15);
  for (let at = stop; at < end; at += 1) if (!isDigit(bytes[at]!)) return NaN;
  return start === end ? 0 : decimalOf(bytes, start, stop) / 10 ** (stop - start);
}

/** `30/Nov/2026:17:57:05.222`, as HAProxy writes it, without a zone (UTC); NaN if it is none. */
export function haproxyStampOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 22 || bytes[start + 20] !== DOT) return NaN;
  return clfStampOf(bytes, start, start + 20) + fractionOf(bytes, start + 21, end);
}

/** `Sun Mar 13 22:49:12 2016` without a zone (UTC); NaN if it is none. */
export function asctimeStampOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start !== 24) return NaN;
  const month = MONTH_OF.get(monthKey(bytes[start + 4]!, bytes[start + 5]!, bytes[start + 6]!));
  const tens = bytes[start + 8] === SPACE ? ZERO : bytes[start + 8]!;
  const day = (tens - ZERO) * 10 + bytes[start + 9]! - ZERO;
  if (month === undefined || !(day >= 1 && day <= 31)) return NaN;
  return daysFromCivil(fourDigits(bytes, start + 20), month, day) * 86_400 + secondsOfDay(bytes, start + 11);
}

/** A time in any of the ways above: an epoch, ISO 8601, or CLF with or without its brackets; NaN if it is none. */
export function anyStampOf(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] === 0x5b && bytes[end - 1] === 0x5d) return clfStampOf(bytes, start + 1, end - 1);
  if (bytes[start + 2] === SLASH) return clfStampOf(bytes, start, end);
  if (bytes[start + 4] === MINUS) return isoStampOf(bytes, start, end);
  const epoch = epochStampOf(bytes, start, end);
  if (!Number.isNaN(epoch)) return epoch;
  let whole = start;
  while (whole < end && isDigit(bytes[whole]!)) whole += 1;
  // Before September 2001 an epoch had nine digits.
  return whole === end && whole - start === 9 ? decimalOf(bytes, start, end) : NaN;
}
