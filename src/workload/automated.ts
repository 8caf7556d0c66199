import type { LogTable } from '../model/log-table.ts';
import type { AutomatedTraffic } from '../model/workload.ts';
import { durationOf, type ClientRows } from './clients.ts';
import { TARGET_KIND } from './target-kinds.ts';
import { agentKind, claimsToBeBrowser } from './user-agents.ts';

type Automation = AutomatedTraffic['kind'];

/** Below this coefficient of variation of its pauses a client keeps a beat; exponential pauses have 1, a user's 0.3 to 2. */
const STEADY_BEAT = 0.1;
/** Fewer pauses or requests say too little of a client: ten give its coefficient of variation to about ±25 %. */
const FEWEST_TO_JUDGE = 10;
/** More pages than a person reads in one go, where others read a tenth of that. */
const MOST_PAGES = 150;
const FAR_MORE_PAGES = 10;
/** Several users behind one address overlap; a program that goes from page to page does not. */
const SHARED_OVERLAP = 0.1;
/** A visitor meets a dead link or two; five different ones, and half of all requests, is looking for holes. */
const FEWEST_PROBES = 5;
const PROBE_SHARE = 0.5;
const PROBE_STATUSES = new Set([400, 403, 404, 405, 410]);

/** What one client did, as far as it tells a program from a person. */
interface Profile {
  readonly agent: ReturnType<typeof agentKind>;
  readonly isBrowser: boolean;
  readonly pageCount: number;
  readonly assetCount: number;
  readonly readsRobots: boolean;
  readonly isProbing: boolean;
  readonly hasOneTarget: boolean;
  readonly keepsBeat: boolean;
  readonly overlaps: boolean;
  readonly isJudgeable: boolean;
}

/**
 * Which clients are programs, by client: those who say so, who read robots.txt, who ask for what is not
 * there, and who behave unlike the others of the same log (far more pages, no assets where all others load
 * them, a steady beat). What most clients of a log do is never held against one: a log of polls or of a load
 * generator has no other users.
 */
export function automatedClients(
  table: LogTable,
  clients: readonly ClientRows[],
  kinds: Uint8Array,
  hasDurations: boolean,
): readonly (Automation | undefined)[] {
  const agents = new Map<number, ReturnType<typeof agentKind>>();
  const profiles = clients.map(({ rows }) => profileOf(table, rows, kinds, agents));
  const judged = profiles.filter(({ isJudgeable }) => isJudgeable);
  const beatIsRare = judged.filter(({ keepsBeat }) => keepsBeat).length * 2 <= judged.length;
  const readers = profiles.filter(({ pageCount, agent }) => pageCount > 0 && agent === undefined);
  const medianPages =
    readers.map(({ pageCount }) => pageCount).sort((a, b) => a - b)[readers.length >> 1] ?? 0;
  const browsers = judged.filter(({ isBrowser, agent }) => isBrowser && agent === undefined);
  const assetsAreUsual = browsers.filter(({ assetCount }) => assetCount > 0).length * 2 > browsers.length;
  const isUnlikeOthers = (client: Profile): boolean =>
    (hasDurations &&
      !client.overlaps &&
      client.pageCount > MOST_PAGES &&
      client.pageCount > FAR_MORE_PAGES * medianPages) ||
    (client.keepsBeat && beatIsRare) ||
    (assetsAreUsual && client.isBrowser && client.pageCount >= FEWEST_TO_JUDGE && client.assetCount === 0);
  return profiles.map((client) => {
    if (client.agent !== undefined) return client.agent;
    if (client.isProbing) return 'scanner';
    if (client.keepsBeat && client.hasOneTarget && beatIsRare) return 'health-check';
    return client.readsRobots || isUnlikeOthers(client) ? 'bot' : undefined;
  });
}

function profileOf(
  table: LogTable,
  rows: Uint32Array,
  kinds: Uint8Array,
  agents: Map<number, ReturnType<typeof agentKind>>,
): Profile {
  const agentId = table.agentIds[rows[0]!]!;
  const agentText = table.agents.at(agentId) ?? '';
  if (!agents.has(agentId)) agents.set(agentId, agentKind(agentText));
  let assetCount = 0;
  let readsRobots = false;
  let probed: Set<number> | undefined;
  let probeCount = 0;
  let hasOneTarget = true;
  for (const row of rows) {
    const target = table.targetIds[row]!;
    if (kinds[target] === TARGET_KIND.asset) assetCount += 1;
    if (kinds[target] === TARGET_KIND.robots) readsRobots = true;
    if (target !== table.targetIds[rows[0]!]) hasOneTarget = false;
    if (!PROBE_STATUSES.has(table.status[row]!)) continue;
    probeCount += 1;
    probed ??= new Set();
    if (probed.size < FEWEST_PROBES) probed.add(target);
  }
  const isJudgeable = rows.length > FEWEST_TO_JUDGE;
  return {
    agent: agents.get(agentId),
    isBrowser: claimsToBeBrowser(agentText),
    pageCount: rows.length - assetCount,
    assetCount,
    readsRobots,
    isProbing: probed?.size === FEWEST_PROBES && probeCount > rows.length * PROBE_SHARE,
    hasOneTarget,
    keepsBeat: isJudgeable && pauseVariation(table, rows) < STEADY_BEAT,
    overlaps: overlapCount(table, rows) > rows.length * SHARED_OVERLAP,
    isJudgeable,
  };
}

function overlapCount(table: LogTable, rows: Uint32Array): number {
  let count = 0;
  for (let index = 1; index < rows.length; index += 1) {
    const end = table.atSeconds[rows[index - 1]!]! + durationOf(table, rows[index - 1]!);
    if (table.atSeconds[rows[index]!]! < end) count += 1;
  }
  return count;
}

/** Coefficient of variation of the pauses from start to start; infinite where nothing pauses. */
function pauseVariation(table: LogTable, rows: Uint32Array): number {
  const count = rows.length - 1;
  const first = table.atSeconds[rows[0]!]!;
  const mean = (table.atSeconds[rows[count]!]! - first) / count;
  if (mean <= 0) return Infinity;
  let squares = 0;
  for (let index = 1; index <= count; index += 1)
    squares += (table.atSeconds[rows[index]!]! - table.atSeconds[rows[index - 1]!]! - mean) ** 2;
  return Math.sqrt(squares / count) / mean;
}

/** The shares of each kind, most requests first. */
export function automatedTraffic(
  clients: readonly ClientRows[],
  kinds: readonly (Automation | undefined)[],
  allCount: number,
): AutomatedTraffic[] {
  const sums = new Map<Automation, { clientCount: number; requestCount: number }>();
  clients.forEach(({ rows }, index) => {
    const kind = kinds[index];
    if (kind === undefined) return;
    const sum = sums.get(kind) ?? { clientCount: 0, requestCount: 0 };
    sums.set(kind, {
      clientCount: sum.clientCount + 1,
      requestCount: sum.requestCount + rows.length,
    });
  });
  return [...sums]
    .map(([kind, sum]) => ({ kind, ...sum, shareRatio: sum.requestCount / allCount }))
    .sort((a, b) => b.requestCount - a.requestCount || (a.kind < b.kind ? -1 : 1));
}
