export const TAB = 0x09;
export const NEWLINE = 0x0a;
export const RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const PERCENT = 0x25;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const ZERO = 0x30;
export const NINE = 0x39;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const LATIN1 = new TextDecoder('latin1');
const ENCODER = new TextEncoder();

export const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

/** The bytes of a text, as UTF-8. */
export const bytesOf = (text: string): Uint8Array => ENCODER.encode(text);

/** Text of a byte range: UTF-8 where it is valid, else byte for byte, so that no byte is ever lost. */
export function textOf(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const range = bytes.subarray(start, end);
  try {
    return UTF8.decode(range);
  } catch {
    return LATIN1.decode(range);
  }
}

/** Byte for byte, so that an index into the text is an index into the bytes. */
export const latin1Of = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

/** Whether `literal` stands at `at`, before `end`. */
export function standsAt(bytes: Uint8Array, at: number, end: number, literal: Uint8Array): boolean {
  const length = literal.length;
  if (at + length > end) return false;
  for (let i = 0; i < length; i += 1) if (bytes[at + i] !== literal[i]) return false;
  return true;
}

const POWERS_OF_TEN = Array.from({ length: 16 }, (_, power) => 10 ** power);

/**
 * The decimal number that fills a range (`12`, `0.044`); NaN for anything else: empty, `-`, a sign, more
 * than 15 significant digits.
 */
export function decimalOf(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end || end - start > 16) return NaN;
  let digits = 0;
  let decimals = -1;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i]!;
    if (byte >= ZERO && byte <= NINE) {
      digits = digits * 10 + byte - ZERO;
      if (decimals >= 0) decimals += 1;
    } else if (byte === DOT && decimals < 0 && i > start) decimals = 0;
    else return NaN;
  }
  return decimals > 0 ? digits / POWERS_OF_TEN[decimals]! : digits;
}
