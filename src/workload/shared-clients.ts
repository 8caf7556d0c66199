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
/** A household has two user agents at its address; an office has one for every few people. */
const FEWEST_AGENTS = 3;
/** Of fewer clients with an address of their own the pace of one user is not known. */
const FEWEST_ALONE = 10;
/** People behind a shared address who are a quarter faster than others are more people than user agents. */
const CROWDED_CYCLE = 0.75;
const STANDARD_ERRORS = 3;

/** The clients of a log told apart by whether their pauses are those of one user. */
export interface SharedSplit {
  readonly clean: readonly Steps[];
  readonly shared: readonly Steps[];
  readonly gapCount: number;
  /** Clients with any gap. */
  readonly withGaps: number;
  /** Half the width of the 95 % interval of the mean gap of the clean ones, in seconds; missing for fewer than two. */
  readonly marginSeconds?: number;
  /** Share of the requests from addresses with several user agents, where too few others are there to compare with. */
  readonly doubtfulRatio?: number;
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
  const isSuspect = clients.map((client, index) => client.isUnknown || isSeveral(gaps[index]!, median));
  const crowding = crowdedClients(clients, gaps, isSuspect);
  const isShared = (_: Steps, index: number): boolean =>
    isSuspect[index]! || (crowding.isFaster && crowding.isCrowded[index]!);
  const clean = clients.filter((client, index) => !isShared(client, index));
  const margin = marginOf(gaps.filter((gap, index) => gap.count > 0 && !isShared(clients[index]!, index)));
  return {
    clean,
    shared: clients.filter(isShared),
    gapCount: gaps.reduce((sum, { count }) => sum + count, 0),
    withGaps: cycles.length,
    ...(margin === undefined ? {} : { marginSeconds: margin }),
    ...(crowding.doubtfulRatio === undefined ? {} : { doubtfulRatio: crowding.doubtfulRatio }),
  };
}

interface Crowding {
  /** Whether a client's address has several user agents. */
  readonly isCrowded: readonly boolean[];
  /** Whether such clients are faster than those with an address of their own by more than chance. */
  readonly isFaster: boolean;
  readonly doubtfulRatio?: number;
}

/**
 * Where an address has many user agents, many people share it, and two of them may have the same agent: their steps
 * overlap too seldom to show, and the client is two or three times as fast. Clients with an address of their own tell.
 */
function crowdedClients(
  clients: readonly Steps[],
  gaps: readonly ClientGaps[],
  isSuspect: readonly boolean[],
): Crowding {
  const agents = new Map<number, number>();
  for (const { addressId } of clients)
    if (addressId !== undefined) agents.set(addressId, (agents.get(addressId) ?? 0) + 1);
  const isCrowded = clients.map(
    ({ addressId }) => addressId !== undefined && agents.get(addressId)! >= FEWEST_AGENTS,
  );
  const counted = gaps.map(({ count }, index) => count > 0 && !isSuspect[index]!);
  const alone = gaps.filter((_, index) => counted[index] && !isCrowded[index]);
  const crowded = gaps.filter((_, index) => counted[index] && isCrowded[index]);
  if (crowded.length < 2) return { isCrowded, isFaster: false };
  if (alone.length < FEWEST_ALONE) {
    const requests = clients.reduce((sum, { requestCount }) => sum + requestCount, 0);
    const doubtful = clients.reduce((sum, one, index) => sum + (isCrowded[index] ? one.requestCount : 0), 0);
    return { isCrowded, isFaster: false, doubtfulRatio: doubtful / requests };
  }
  const [own, theirs] = [ratioOf(alone, cycleSumOf), ratioOf(crowded, cycleSumOf)];
  const difference = own.mean - theirs.mean;
  const isFaster =
    theirs.mean < own.mean * CROWDED_CYCLE &&
    difference > STANDARD_ERRORS * Math.hypot(own.standardError, theirs.standardError);
  return { isCrowded, isFaster };
}

function isSeveral(gaps: ClientGaps, medianCycle: number): boolean {
  if (gaps.count === 0) return false;
  if (gaps.overlapCount > gaps.count * SHARED_OVERLAP) return true;
  return gaps.count >= FEWEST_GAPS && cycleOf(gaps) < medianCycle * SHARED_CYCLE;
}

const cycleOf = ({ cycleSum, count }: ClientGaps): number => cycleSum / count;

const cycleSumOf = ({ cycleSum }: ClientGaps): number => cycleSum;

/**
 * A ratio of sums Σg/Σn over m clients; the standard error is √(m/(m − 1) · Σ(g − Z·n)²) / Σn (Cochran 1977, §6.3).
 */
function ratioOf(
  clients: readonly ClientGaps[],
  sumOf: (gaps: ClientGaps) => number,
): { readonly mean: number; readonly standardError: number } {
  const m = clients.length;
  const n = clients.reduce((sum, { count }) => sum + count, 0);
  const mean = clients.reduce((sum, gaps) => sum + sumOf(gaps), 0) / n;
  const squares = Float64Array.from(clients, (gaps) => (sumOf(gaps) - mean * gaps.count) ** 2).sort();
  const error = Math.sqrt((m / (m - 1)) * squares.reduce((sum, square) => sum + square, 0)) / n;
  return { mean, standardError: error };
}

/** With Student's t for m − 1 degrees of freedom. */
function marginOf(clients: readonly ClientGaps[]): number | undefined {
  if (clients.length < 2) return undefined;
  const { standardError } = ratioOf(clients, ({ gapSum }) => gapSum);
  return (studentTQuantile((1 + CONFIDENCE) / 2, clients.length - 1) * standardError) / MICROSECONDS;
}
