import { ShiploadError } from '../errors.ts';
import type { WorkloadModel } from '../model/workload.ts';
import { boundsOf, busiestLengthOf, checkWindow, instantText } from './window-rule.ts';

/** The stretch of a log that a model is made of, and the requests that start in it. */
export interface Window {
  /** As asked for. */
  readonly rule: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Whether the window is shorter than the log. */
  readonly isCut: boolean;
}

export const DEFAULT_WINDOW = 'busiest:15m';

/**
 * The window that a rule names: `all`, `busiest:15m` (the stretch of that length with the most request
 * starts; a shorter log is taken whole), or `FROM..TO` in ISO 8601 (UTC where no zone is given) or epoch
 * seconds. `sortedStarts` are the starts in rising order, at least one.
 * Throws what `checkWindow` throws and `log-window-empty` when nothing starts in FROM..TO.
 */
export function windowOf(rule: string, sortedStarts: Float64Array): Window {
  const first = sortedStarts[0]!;
  const last = sortedStarts.at(-1)!;
  const whole: Window = { rule, fromSeconds: first, toSeconds: last, isCut: false };
  if (rule === 'all') return whole;
  checkWindow(rule);
  const length = busiestLengthOf(rule);
  if (length === undefined) return stretchOf(rule, sortedStarts);
  return last - first <= length ? whole : busiestOf(rule, sortedStarts, length);
}

/** The earliest of the fullest stretches [t, t + length) that begin at a request. */
function busiestOf(rule: string, starts: Float64Array, lengthSeconds: number): Window {
  let bestCount = 0;
  let fromSeconds = starts[0]!;
  let end = 0;
  for (let begin = 0; begin < starts.length; begin += 1) {
    while (end < starts.length && starts[end]! < starts[begin]! + lengthSeconds) end += 1;
    if (end - begin > bestCount) {
      bestCount = end - begin;
      fromSeconds = starts[begin]!;
    }
  }
  return { rule, fromSeconds, toSeconds: fromSeconds + lengthSeconds, isCut: true };
}

function stretchOf(rule: string, starts: Float64Array): Window {
  const { fromSeconds: from, toSeconds: to } = boundsOf(rule)!;
  if (!starts.some((start) => start >= from && start < to))
    throw new ShiploadError('log-window-empty', `no request of the log starts in ${rule}`, {
      where: '--window',
      hint: `The log runs from ${instantText(starts[0]!)} to ${instantText(starts.at(-1)!)}; a time without a zone is UTC.`,
    });
  return { rule, fromSeconds: from, toSeconds: to, isCut: true };
}

const SHORTEST_BIN_SECONDS = 60;
const MOST_BINS = 1440;

/** How many requests start in each stretch of a log, to show where in it a window lies. */
export function wholeLogOf(sortedStarts: Float64Array): NonNullable<WorkloadModel['wholeLog']> {
  const fromSeconds = Math.floor(sortedStarts[0]!);
  const length = sortedStarts.at(-1)! - fromSeconds;
  const minutes = Math.floor(length / SHORTEST_BIN_SECONDS) + 1;
  const binSeconds = SHORTEST_BIN_SECONDS * Math.ceil(minutes / MOST_BINS);
  const requestsPerBin = Array.from({ length: Math.floor(length / binSeconds) + 1 }, () => 0);
  for (const start of sortedStarts) requestsPerBin[Math.floor((start - fromSeconds) / binSeconds)]! += 1;
  return { fromSeconds, binSeconds, requestsPerBin };
}
