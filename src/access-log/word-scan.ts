/**
 * Scans four bytes a step. A byte-wise loop in JavaScript costs a check for interrupts and one of bounds a
 * byte; this halves the cost of finding the end of a field twice over.
 *
 * The test for a zero byte in a word is exact for the lowest one (Warren, Hacker's Delight, 2nd ed., 6-1).
 */
const ONES = 0x01010101;
const HIGHS = 0x80808080 | 0;

/** The byte in all four places of a word. */
export const everywhere = (byte: number): number => Math.imul(byte, ONES);

/** The place of the first byte in [start, end) that is one of two, given as `everywhere`; `end` without one. */
export function firstOf(words: DataView, start: number, end: number, one: number, other: number): number {
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word = words.getInt32(at, true);
    const x = word ^ one;
    const y = word ^ other;
    const found = (((x - ONES) & ~x) | ((y - ONES) & ~y)) & HIGHS;
    if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >> 3);
  }
  for (; at < end; at += 1) {
    const byte = words.getUint8(at);
    if (byte === (one & 255) || byte === (other & 255)) return at;
  }
  return end;
}
