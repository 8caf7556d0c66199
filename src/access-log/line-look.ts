import { latin1Of } from './bytes.ts';

/** Lines of one format look alike in this, and most formats differ in it. */
const LOOKS: readonly (readonly [look: string, pattern: RegExp])[] = [
  ['object', /^\s*\{/],
  ['columns', /\t/],
  ['common', /\[\d{1,2}\/[A-Z][a-z]{2}\/\d{4}:[\d:]+ [+-]\d{4}\]/],
  ['bracketed', /\[\d{1,4}[-/]\w+[-/]\d/],
  ['epoch', /^\d{10}/],
  ['dated', /^\d{4}-\d\d-\d\d/],
];
const LOOKED_AT_BYTES = 256;

/** What a line looks like at first glance, to tell lines of several writers apart before their formats are known. */
export function lookOf(line: Uint8Array): string {
  const text = latin1Of(line.subarray(0, LOOKED_AT_BYTES));
  return LOOKS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}
