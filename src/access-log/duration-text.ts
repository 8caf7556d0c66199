import { latin1Of } from './bytes.ts';

/** Units by their bytes: the micro sign comes as Latin-1 or as the UTF-8 of either of its two characters. */
const UNIT_SECONDS: Readonly<Record<string, number>> = {
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  msec: 1e-3,
  msecs: 1e-3,
  micros: 1e-6,
  us: 1e-6,
  '\u00b5s': 1e-6,
  '\u00c2\u00b5s': 1e-6,
  '\u00ce\u00bcs': 1e-6,
  ns: 1e-9,
};

/** A duration that carries its units: `0.058927s`, `1.2ms`, `129 msecs`, `1m2.5s`; in seconds, NaN for any other text. */
export function durationTextOf(bytes: Uint8Array, start: number, end: number): number {
  const text = latin1Of(bytes.subarray(start, end));
  if (!/^(?:\d+(?:\.\d+)? ?[^\d\s.]+)+$/.test(text)) return NaN;
  let seconds = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?) ?([^\d\s.]+)/g))
    seconds += Number(number) * (UNIT_SECONDS[unit!] ?? NaN);
  return seconds;
}
