import { COLON, COMMA, DOT, MINUS, PERCENT, SPACE, isDigit } from './bytes.ts';
import type { LineFields } from './log-format.ts';

const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Sets the client range to the address alone: port (`1.2.3.4:567`, `[::1]:80`) and IPv6 zone (`fe80::1%3`)
 * are cut, host names and `unix:` stay whole. An empty range or `-` leaves the client as it was.
 */
export function setClient(bytes: Uint8Array, start: number, end: number, out: LineFields): void {
  if (start >= end || (end - start === 1 && bytes[start] === MINUS)) return;
  let from = start;
  let to = end;
  if (bytes[start] === OPEN_BRACKET) {
    const close = bytes.indexOf(CLOSE_BRACKET, start);
    if (close > 0 && close < end) {
      from = start + 1;
      to = close;
    }
  } else to = withoutPort(bytes, start, end);
  for (let i = from; i < to; i += 1) if (bytes[i] === PERCENT) to = i;
  out.clientStart = from;
  out.clientEnd = to;
}

/** The end of the address: before a sole colon that is followed by digits only. */
function withoutPort(bytes: Uint8Array, start: number, end: number): number {
  let at = end - 1;
  while (at > start && isDigit(bytes[at]!)) at -= 1;
  if (at <= start || at === end - 1 || bytes[at] !== COLON) return end;
  for (let i = start; i < at; i += 1) if (bytes[i] === COLON) return end;
  return at;
}

/**
 * The client of an X-Forwarded-For list (`client, proxy1, proxy2`): the first public address, else the first
 * entry. Leaves the client as it was when the list is empty.
 */
export function setForwardedClient(bytes: Uint8Array, start: number, end: number, out: LineFields): void {
  let firstStart = -1;
  let firstEnd = -1;
  for (let at = start; at < end;) {
    while (at < end && bytes[at] === SPACE) at += 1;
    let stop = at;
    while (stop < end && bytes[stop] !== COMMA) stop += 1;
    if (isPublic(bytes, at, stop)) return setClient(bytes, at, stop, out);
    if (firstStart < 0 && stop > at) {
      firstStart = at;
      firstEnd = stop;
    }
    at = stop + 1;
  }
  if (firstStart >= 0) setClient(bytes, firstStart, firstEnd, out);
}

/** An address outside the private ranges of RFC 1918, RFC 4193, RFC 6598, loopback and link-local. */
function isPublic(bytes: Uint8Array, start: number, end: number): boolean {
  let dots = 0;
  let colons = 0;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i]!;
    if (byte === DOT) dots += 1;
    else if (byte === COLON) colons += 1;
  }
  if (dots === 3 && colons <= 1) return isPublicV4(bytes, start, end);
  return colons >= 2 && isPublicV6(bytes, bytes[start] === OPEN_BRACKET ? start + 1 : start);
}

function isPublicV4(bytes: Uint8Array, start: number, end: number): boolean {
  let first = 0;
  let at = start;
  for (; at < end && isDigit(bytes[at]!); at += 1) first = first * 10 + bytes[at]! - 0x30;
  let second = 0;
  for (at += 1; at < end && isDigit(bytes[at]!); at += 1) second = second * 10 + bytes[at]! - 0x30;
  if (first === 0 || first === 10 || first === 127 || first > 255) return false;
  if (first === 172) return second < 16 || second > 31;
  if (first === 192) return second !== 168;
  if (first === 169) return second !== 254;
  return !(first === 100 && second >= 64 && second <= 127);
}

/** Neither `::1`, nor fc00::/7, nor fe80::/10. */
function isPublicV6(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at]! | 0x20;
  const second = bytes[at + 1]! | 0x20;
  if (bytes[at] === COLON) return false;
  return !(first === 0x66 && (second === 0x63 || second === 0x64 || second === 0x65));
}
