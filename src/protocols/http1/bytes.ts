/** Octets of RFC 9110's grammar that the scanners look for. */
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const DIGIT_0 = 0x30;
export const DIGIT_1 = 0x31;
export const DIGIT_9 = 0x39;

/** A fault name: what in an answer broke RFC 9112, in words a reader of a report understands. */
export type Fault =
  | 'status line is no HTTP/1.x status line'
  | 'header name is no token'
  | 'header value holds a control character'
  | 'header line is folded'
  | 'line end is not CR LF'
  | 'head is longer than 64 KiB'
  | 'more than 100 interim answers'
  | 'Content-Length is no number'
  | 'Content-Length is given twice'
  | 'Content-Length beside Transfer-Encoding'
  | 'chunked is applied twice'
  | 'chunk size is no hexadecimal number'
  | 'chunk is longer than its size'
  | 'answer switches protocols unasked'
  | 'bytes follow the answer';

/** RFC 9110 §5.6.2 `tchar` → the same octet in lower case; every other octet → 0. */
export const TOKEN_LOWER = tableOf((octet) => {
  const char = String.fromCharCode(octet);
  return /^[\w!#$%&'*+.^`|~-]$/.test(char) ? char.toLowerCase().charCodeAt(0) : 0;
});

/** 1 for octets a field value or reason phrase may hold (RFC 9110 §5.5): HTAB, SP, VCHAR, obs-text. */
export const FIELD_TEXT = tableOf((octet) => (octet === TAB || (octet >= SPACE && octet !== 0x7f) ? 1 : 0));

/** Hexadecimal digit → its value; every other octet → 255. */
export const HEX_VALUE = tableOf((octet) => {
  const value = Number.parseInt(String.fromCharCode(octet), 16);
  return Number.isNaN(value) ? 255 : value;
});

function tableOf(valueOf: (octet: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, octet) => valueOf(octet));
}

export const asciiBytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

/** Whether the first `length` octets of `bytes` are `expected`, no more and no fewer. */
export function startsWith(bytes: Uint8Array, length: number, expected: Uint8Array): boolean {
  if (length !== expected.length) return false;
  for (let i = 0; i < length; i++) if (bytes[i] !== expected[i]) return false;
  return true;
}
