import { BACKSLASH, HASH, textOf } from './bytes.ts';

/**
 * How a writer marks bytes that would break its line. `backslash` covers nginx (`\x22`, upper-case hex) and
 * Apache (`\"`, `\\`, `\t`, `\xhh`); `hash` is HAProxy's captures (`#22`), `json` a JSON string's (`\\u0022`).
 */
export type EscapeStyle = 'backslash' | 'hash' | 'json' | 'none';

const CONTROL = new Map(
  [
    ['b', 8],
    ['t', 9],
    ['n', 10],
    ['v', 11],
    ['f', 12],
    ['r', 13],
  ].map(([letter, code]) => [String(letter).charCodeAt(0), Number(code)]),
);

const LETTER_X = 0x78;

function hexOf(bytes: Uint8Array, at: number): number {
  const digit = (byte: number | undefined): number => {
    if (byte === undefined) return NaN;
    if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
    const lower = byte | 0x20;
    return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : NaN;
  };
  return digit(bytes[at]) * 16 + digit(bytes[at + 1]);
}

/** The text that was logged, escapes undone; an escape that is none stays as it stands. */
export function unescapeText(bytes: Uint8Array, start: number, end: number, style: EscapeStyle): string {
  const mark = style === 'hash' ? HASH : BACKSLASH;
  const range = bytes.subarray(start, end);
  if (style === 'none' || !range.includes(mark)) return textOf(range);
  if (style === 'json') return unescapeJson(range);
  const plain = new Uint8Array(range.length);
  let length = 0;
  for (let i = 0; i < range.length;) {
    const [byte, width] = range[i] === mark ? escapeAt(range, i, style) : [range[i]!, 1];
    plain[length] = byte;
    length += 1;
    i += width;
  }
  return textOf(plain, 0, length);
}

/** A text with its escapes, as `unescapeText` undoes them. */
export function escapeText(text: string, style: EscapeStyle): string {
  if (style === 'json') return JSON.stringify(text).slice(1, -1);
  if (style === 'hash') return text.replaceAll('#', '#23');
  return style === 'backslash' ? text.replaceAll('\\', '\\\\') : text;
}

/** A JSON string; one whose escapes are none (nginx without escape=json writes `\\x22`) is read as nginx means it. */
function unescapeJson(range: Uint8Array): string {
  try {
    return JSON.parse(`"${textOf(range)}"`) as string;
  } catch {
    return unescapeText(range, 0, range.length, 'backslash');
  }
}

function escapeAt(range: Uint8Array, at: number, style: EscapeStyle): readonly [byte: number, width: number] {
  const next = range[at + 1];
  const hexAt = style === 'hash' ? at + 1 : at + 2;
  const hex = style === 'hash' || next === LETTER_X ? hexOf(range, hexAt) : NaN;
  if (!Number.isNaN(hex)) return [hex, hexAt + 2 - at];
  if (style === 'hash' || next === undefined || next === LETTER_X) return [range[at]!, 1];
  const control = CONTROL.get(next);
  if (control !== undefined) return [control, 2];
  return next === 0x22 || next === BACKSLASH ? [next, 2] : [range[at]!, 1];
}
