import type { StepRow } from '../model/analysis.ts';

/** Three significant digits, without trailing zeros or exponents: 0.000213 → `0.000213`, 1234.5 → `1230`. */
export function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** A duration in the unit a reader expects: `0.21 ms`, `105 ms`, `1.2 s`. */
export function secondsText(seconds: number): string {
  return Math.abs(seconds) < 1 ? `${figure(seconds * 1e3)} ms` : `${figure(seconds)} s`;
}

/** A ratio as per cent: 0.7 → `70 %`. */
export function percentText(ratio: number): string {
  return `${figure(ratio * 100)} %`;
}

/** A size in MB (10^6 bytes): `113 MB`. */
export function bytesText(bytes: number): string {
  return `${figure(bytes / 1e6)} MB`;
}

/** `1 step`, `3 steps`. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Which of the three loads a step has. */
export type LoadKind = 'users' | 'concurrency' | 'arrivalRatePerSecond';

/** The load of a step and its kind; missing for a row without any. */
export function loadOf(
  row: Pick<StepRow, LoadKind>,
): { readonly kind: LoadKind; readonly value: number } | undefined {
  if (row.users !== undefined) return { kind: 'users', value: row.users };
  if (row.concurrency !== undefined) return { kind: 'concurrency', value: row.concurrency };
  if (row.arrivalRatePerSecond === undefined) return undefined;
  return { kind: 'arrivalRatePerSecond', value: row.arrivalRatePerSecond };
}

/**
 * The load of a step in words: `200 users`, `8 workers`, `100/s`, with its part of the run where it has one
 * (`100/s (burst)`); `step 3` for a row without a load.
 */
export function loadText(row: Pick<StepRow, LoadKind | 'index' | 'part'>): string {
  const text = bareLoadText(row);
  return row.part === undefined ? text : `${text} (${row.part})`;
}

/** The load without the part of the run. */
export function bareLoadText(row: Pick<StepRow, LoadKind | 'index'>): string {
  const load = loadOf(row);
  if (load === undefined) return `step ${row.index}`;
  if (load.kind === 'arrivalRatePerSecond') return `${figure(load.value)}/s`;
  return countText(load.value, load.kind === 'users' ? 'user' : 'worker');
}
