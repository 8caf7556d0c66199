import { amountOf, asObject } from './json-value.ts';

/**
 * Percentiles among the fields of an object, rising: `p50`, `p97_5`, `p99.9`, `p(95)`, `95th`, `50%`; `p999` is 99.9.
 * `secondsPerUnit` is that of its figures. `med` and `median` are the 50th where no other field says so.
 */
export function percentilesOf(
  value: unknown,
  secondsPerUnit: number,
): readonly (readonly [number, number])[] {
  const found = new Map<number, number>();
  for (const [name, figure] of Object.entries(asObject(value) ?? {})) {
    const seconds = amountOf(figure);
    const percentile = percentileNamed(name);
    if (seconds === undefined || percentile === undefined || found.has(percentile)) continue;
    found.set(percentile, seconds * secondsPerUnit);
  }
  return [...found].sort((a, b) => a[0] - b[0]);
}

function percentileNamed(name: string): number | undefined {
  if (name === 'med' || name === 'median') return 50;
  const match = /^(?:p\(?(\d{1,3}(?:[._]\d+)?)\)?|(\d{1,3}(?:\.\d+)?)(?:th|%))$/.exec(name);
  if (match === null) return undefined;
  const text = (match[1] ?? match[2]!).replace('_', '.');
  const value = text === '999' ? 99.9 : Number(text);
  return value > 0 && value <= 100 ? value : undefined;
}
