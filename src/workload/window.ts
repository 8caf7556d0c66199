import { ShiploadError } from '../errors.ts';
import type { WorkloadModel } from '../model/workload.ts';
import { parseInstant } from '../stats/calendar.ts';

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

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * The window that a rule names: `all`, `busiest:15m` (the stretch of that length with the most request
 * starts; a shorter log is taken whole), or `FROM..TO` in ISO 8601 (UTC where no zone is given) or epoch
 * seconds. `sortedStarts` are the starts in rising order, at least one.
 * Throws `option-invalid` for any other rule and `log-window-empty` when nothing starts in FROM..TO.
 */
export function windowOf(rule: string, sortedStarts: Float64Array): Window {
  const first = sortedStarts[0]!;
  const last = sortedStarts.at(-1)!;
  const whole: Window = { rule, fromSeconds: first, toSeconds: last, isCut: false };
  if (rule === 'all') return whole;
  const length = busiestLengthOf(rule);
  if (length !== undefined) {
    if (length <= 0) throw invalidRule(rule);
    return last - first <= length ? whole : busiestOf(rule, sortedStarts, length);
  }
  return stretchOf(rule, sortedStarts);
}

/** The seconds of a rule `busiest:15m`; undefined for any other rule. */
export function busiestLengthOf(rule: string): number | undefined {
  const busiest = /^busiest:(\d+(?:\.\d+)?)([smhd])$/.exec(rule);
  return busiest === null ? undefined : Number(busiest[1]) * UNIT_SECONDS[busiest[2]!]!;
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

/** The bounds of a rule `FROM..TO`; undefined for any other rule. */
export function boundsOf(rule: string): Pick<Window, 'fromSeconds' | 'toSeconds'> | undefined {
  const [from, to, ...more] = rule.split('..').map(instantOf);
  return from === undefined || to === undefined || more.length > 0 || !(from < to)
    ? undefined
    : { fromSeconds: from, toSeconds: to };
}

function stretchOf(rule: string, starts: Float64Array): Window {
  const bounds = boundsOf(rule);
  if (bounds === undefined) throw invalidRule(rule);
  const { fromSeconds: from, toSeconds: to } = bounds;
  if (!starts.some((start) => start >= from && start < to))
    throw new ShiploadError('log-window-empty', `no request of the log starts in ${rule}`, {
      where: '--window',
      hint: `The log runs from ${starts[0]} to ${starts.at(-1)} (epoch seconds).`,
    });
  return { rule, fromSeconds: from, toSeconds: to, isCut: true };
}

function instantOf(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^\d{9,16}(\.\d+)?$/.test(trimmed)) return parseInstant(trimmed);
  const digits = trimmed.split('.')[0]!.length;
  return Number(trimmed) / (digits >= 16 ? 1e6 : digits >= 13 ? 1e3 : 1);
}

function invalidRule(rule: string): ShiploadError {
  return new ShiploadError('option-invalid', `${rule} is no window`, {
    where: '--window',
    hint: 'Give all, busiest:15m, or FROM..TO with ISO times or epoch seconds.',
  });
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
