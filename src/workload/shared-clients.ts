import { studentTQuantile } from '../stats/distributions.ts';
import { gapsOfClient, type ClientGaps } from './sessions.ts';
import { MICROSECONDS, type Steps } from './steps.ts';

/** One user does not start a step before the last one ends, but for what a second window or a reload makes. */
const SHARED_OVERLAP = 0.1;
/** Users differ in pace by less than this; an address four times as fast as the median one holds several. */
const SHARED_CYCLE = 0.25;
/** A mean of fewer pauses may be that fast by chance. */
const FEWEST_GAPS = 30;
const CONFIDENCE = 0.95;

/** The clients of a log told apart by whether their pauses are those of one user. */
export interface SharedSplit {
  readonly clean: readonly Steps[];
  readonly shared: readonly Steps[];
  readonly gapCount: number;
  /** Clients with any gap. */
  readonly withGaps: number;
  /** Half the width of the 95 % interval of the mean gap of the clean ones, in seconds; missing for fewer than two. */
  readonly marginSeconds?: number;
}

/**
 * Splits off clients that stand for several users: their steps overlap, or follow each other far faster than
 * those of the median client, or the log does not name them. Their pauses are those of a superposition and
 * say nothing of one user: five users behind an address show about a fifth of the pause.
 */
export function splitShared(
  clients: readonly Steps[],
  timeoutSeconds: number,
  slackSeconds: number,
): SharedSplit {
  const gaps = clients.map((client) => gapsOfClient(client, timeoutSeconds, slackSeconds));
  const cycles = Float64Array.from(gaps.filter(({ count }) => count > 0).map(cycleOf)).sort();
  const median = cycles[cycles.length >> 1] ?? 0;
  const isShared = (client: Steps, index: number): boolean =>
    client.isUnknown || isSeveral(gaps[index]!, median);
  const clean = clients.filter((client, index) => !isShared(client, index));
  const margin = marginOf(gaps.filter((gap, index) => gap.count > 0 && !isShared(clients[index]!, index)));
  return {
    clean,
    shared: clients.filter(isShared),
    gapCount: gaps.reduce((sum, { count }) => sum + count, 0),
    withGaps: cycles.length,
    ...(margin === undefined ? {} : { marginSeconds: margin }),
  };
}

function isSeveral(gaps: ClientGaps, medianCycle: number): boolean {
  if (gaps.count === 0) return false;
  if (gaps.overlapCount > gaps.count * SHARED_OVERLAP) return true;
  return gaps.count >= FEWEST_GAPS && cycleOf(gaps) < medianCycle * SHARED_CYCLE;
}

const cycleOf = ({ cycleSum, count }: ClientGaps): number => cycleSum / count;

/**
 * Interval of a ratio of sums Σg/Σn over m clients: the standard error is
 * √(m/(m − 1) · Σ(g − Z·n)²) / Σn (Cochran 1977, §6.3), with Student's t for m − 1 degrees of freedom.
 */
function marginOf(clients: readonly ClientGaps[]): number | undefined {
  const m = clients.length;
  if (m < 2) return undefined;
  const n = clients.reduce((sum, { count }) => sum + count, 0);
  const mean = clients.reduce((sum, { gapSum }) => sum + gapSum, 0) / n;
  const squares = Float64Array.from(clients, ({ gapSum, count }) => (gapSum - mean * count) ** 2).sort();
  const error = Math.sqrt((m / (m - 1)) * squares.reduce((sum, square) => sum + square, 0)) / n;
  return (studentTQuantile((1 + CONFIDENCE) / 2, m - 1) * error) / MICROSECONDS;
}
