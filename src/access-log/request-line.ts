import { SLASH, SPACE } from './bytes.ts';
import { VERDICT, type LineFields, type Verdict } from './log-format.ts';

const LETTER_H = 0x48;
const LONGEST_METHOD = 32;

/**
 * Cuts `METHOD target [HTTP/x]` into its ranges. The target may hold spaces, so the version is looked for
 * from the right; HTTP/0.9 has none. What no server could have understood (TLS bytes, `-`, a lone word, an
 * empty line) is a bad request, with the reason in `out`.
 */
export function setRequest(bytes: Uint8Array, start: number, end: number, out: LineFields): Verdict {
  if (start >= end) return out.reject(VERDICT.badRequest, 'the request is empty', start);
  let at = start;
  while (at < end && bytes[at] !== SPACE) at += 1;
  if (!isMethod(bytes, start, at))
    return out.reject(VERDICT.badRequest, 'the request does not begin with a method', start);
  const targetEnd = versionStart(bytes, at, end);
  if (at + 1 >= targetEnd) return out.reject(VERDICT.badRequest, 'the request has no target', at);
  out.methodStart = start;
  out.methodEnd = at;
  out.targetStart = at + 1;
  out.targetEnd = targetEnd;
  return VERDICT.ok;
}

/** A token of letters, with `-` and `_` inside (`M-SEARCH`, `VERSION-CONTROL`). */
export function isMethod(bytes: Uint8Array, start: number, end: number): boolean {
  if (start >= end || end - start > LONGEST_METHOD) return false;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i]!;
    const letter = byte | 0x20;
    const isLetter = letter >= 0x61 && letter <= 0x7a;
    if (!isLetter && (i === start || (byte !== 0x2d && byte !== 0x5f))) return false;
  }
  return true;
}

/** Where ` HTTP/x` begins, or the end of the range without one. */
function versionStart(bytes: Uint8Array, from: number, end: number): number {
  let at = end - 1;
  while (at > from && bytes[at] !== SPACE) at -= 1;
  const isVersion = end - at > 6 && bytes[at + 1] === LETTER_H && bytes[at + 5] === SLASH;
  return at > from && isVersion ? at : end;
}
