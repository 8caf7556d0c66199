import type { LogTable } from '../model/log-table.ts';

/** Share of a client's gaps that begin before the previous request's end, beyond which it is several users. */
const SHARED_OVERLAP = 0.1;
/** A client whose mean cycle is below this share of the median client's is several users too. */
const SHARED_CYCLE = 0.25;
/** Gaps closer together than the stamps can tell apart are no overlap. */
const STAMP_SLACK = 1;
const FEWEST_GAPS = 30;
/** A mean gap below this share of a step of the stamps is a burst that the stamps cannot show. */
const LEAST_MEAN_GAP_STEPS = 0.1;

/** What the gaps between a client's requests say. Times are whole microseconds, so that no shift of the clock shows. */
export interface SessionFindings {
  readonly sessionCount: number;
  /** Gaps of clean clients: previous end to next start, or start to start in a log without durations. */
  readonly gapSeconds: Float64Array;
  /** Number of gaps over all clients. */
  readonly gapCount: number;
  readonly clientKeyCount: number;
  readonly sharedClientCount: number;
  /** Why Z cannot be told; missing when it can. */
  readonly notIdentifiable?: string;
}

interface ClientGaps {
  readonly gaps: number[];
  readonly overlapCount: number;
  readonly cycleSum: number;
}

/**
 * Sessions and think times of the rows. A client is an address and a user agent; its session ends with a
 * pause longer than the timeout. Clients with overlapping requests, or far faster than the others, are
 * several users behind one address: their gaps say nothing about one user and are left out.
 * `rows` in any order; equal rows give equal findings.
 */
export function findSessions(
  table: LogTable,
  rows: Uint32Array,
  timeoutSeconds: number,
  hasDurations: boolean,
): SessionFindings {
  const slackSeconds = table.stampResolutionSeconds * STAMP_SLACK;
  const clients = rowsByClient(table, rows);
  let sessionCount = 0;
  const perClient: ClientGaps[] = [];
  for (const clientRows of clients) {
    const { sessions, ...gaps } = gapsOf(table, clientRows, timeoutSeconds, hasDurations, slackSeconds);
    sessionCount += sessions;
    if (gaps.gaps.length > 0) perClient.push(gaps);
  }
  const shared = sharedClients(perClient);
  const clean = perClient.filter((client) => !shared.has(client));
  const gapSeconds = Float64Array.from(clean.flatMap((client) => client.gaps)).sort();
  const gapCount = perClient.reduce((sum, client) => sum + client.gaps.length, 0);
  const why =
    whyNotIdentifiable(clients.length, gapSeconds.length, shared.size, perClient.length) ??
    whyTooCoarse(gapSeconds, table.stampResolutionSeconds);
  return {
    sessionCount,
    gapSeconds,
    gapCount,
    clientKeyCount: clients.length,
    sharedClientCount: shared.size,
    ...(why === undefined ? {} : { notIdentifiable: why }),
  };
}

function whyNotIdentifiable(
  clientCount: number,
  gapCount: number,
  sharedCount: number,
  withGaps: number,
): string | undefined {
  if (clientCount === 1) return 'all requests come from one client, which may be a proxy or a load generator';
  if (sharedCount > 0 && sharedCount * 2 > withGaps)
    return `${sharedCount} of ${withGaps} clients with more than one request overlap themselves: they stand for several users each`;
  if (gapCount < FEWEST_GAPS) return `only ${gapCount} gaps between requests of one client were seen`;
  return undefined;
}

function whyTooCoarse(gapSeconds: Float64Array, stampResolutionSeconds: number): string | undefined {
  const meanSeconds = gapSeconds.reduce((sum, gap) => sum + gap, 0) / gapSeconds.length;
  if (meanSeconds >= stampResolutionSeconds * LEAST_MEAN_GAP_STEPS) return undefined;
  return `the mean gap of a client is ${meanSeconds.toPrecision(2)} s, while times are stamped in steps of ${stampResolutionSeconds} s`;
}

/** The rows of each client in the order of time, equal starts by duration. */
function rowsByClient(table: LogTable, rows: Uint32Array): Uint32Array[] {
  const groups = new Map<number, number[]>();
  const agentCount = table.agents.length;
  for (const row of rows) {
    const key = table.clientIds[row]! * agentCount + table.agentIds[row]!;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const inOrder = (a: number, b: number): number =>
    table.atSeconds[a]! - table.atSeconds[b]! || durationOf(table, a) - durationOf(table, b);
  return [...groups.values()].map((group) => Uint32Array.from(group).sort(inOrder));
}

const durationOf = (table: LogTable, row: number): number => {
  const seconds = table.responseTimeSeconds[row]!;
  return Number.isNaN(seconds) ? 0 : seconds;
};

const wholeMicroseconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

function gapsOf(
  table: LogTable,
  rows: Uint32Array,
  timeoutSeconds: number,
  hasDurations: boolean,
  slackSeconds: number,
): ClientGaps & { readonly sessions: number } {
  const gaps: number[] = [];
  let sessions = 1;
  let overlapCount = 0;
  let cycleSum = 0;
  for (let index = 1; index < rows.length; index += 1) {
    const previous = table.atSeconds[rows[index - 1]!]!;
    const cycle = wholeMicroseconds(table.atSeconds[rows[index]!]! - previous);
    const busy = hasDurations ? durationOf(table, rows[index - 1]!) : 0;
    const gap = wholeMicroseconds(cycle - busy);
    if (gap > timeoutSeconds) {
      sessions += 1;
      continue;
    }
    gaps.push(gap);
    cycleSum += cycle;
    if (gap < -slackSeconds) overlapCount += 1;
  }
  return { gaps, overlapCount, cycleSum, sessions };
}

function sharedClients(clients: readonly ClientGaps[]): ReadonlySet<ClientGaps> {
  const cycles = Float64Array.from(clients, cycleOf).sort();
  const median = cycles[cycles.length >> 1] ?? 0;
  return new Set(
    clients.filter((client) => {
      const isOverlapping = client.overlapCount > client.gaps.length * SHARED_OVERLAP;
      const isTooFast = client.gaps.length >= FEWEST_GAPS && cycleOf(client) < median * SHARED_CYCLE;
      return isOverlapping || isTooFast;
    }),
  );
}

const cycleOf = (client: ClientGaps): number => client.cycleSum / client.gaps.length;
