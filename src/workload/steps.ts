import type { LogTable } from '../model/log-table.ts';
import { durationOf, type ClientRows } from './clients.ts';
import { TARGET_KIND } from './target-kinds.ts';

/** What a client did one after the other, in whole microseconds from a common zero, so that sums are exact. */
export interface Steps {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly requestCount: number;
  readonly isUnknown: boolean;
  /** Number of the address; missing where the client goes by its name. */
  readonly addressId?: number;
}

/** How requests of one client are put together; the same for all clients of a log. */
export interface StepRules {
  /** Whether styles, scripts and pictures belong to a page, rather than being what the log is about. */
  readonly hasPages: boolean;
  /** Whether clients fire calls side by side, as programs in a browser do. */
  readonly firesTogether: boolean;
  readonly hasDurations: boolean;
  readonly resolutionSeconds: number;
  readonly zeroSeconds: number;
}

export const MICROSECONDS = 1e6;

/** A page seldom loads more: the 90th percentile of the HTTP Archive's pages is under 200 requests. */
const MOST_EMBEDDED = 200;
/** What comes this soon after another request of the same client was not asked for by hand. */
const TOGETHER_SECONDS = 1;
/** Fewer pauses do not show how a client behaves. */
const FEWEST_PAUSES = 10;
/** Independent users have a ratio of 1, one user with pauses less; a page with two calls has 2 and more. */
const BURST_RATIO = 1.5;

/** The rules for a log: learned from all its clients together, so that one client does not decide. */
export function stepRules(
  table: LogTable,
  clients: readonly ClientRows[],
  kinds: Uint8Array,
  facts: Pick<StepRules, 'hasDurations' | 'zeroSeconds'>,
): StepRules {
  let pageCount = 0;
  let count = 0;
  for (const { rows } of clients) {
    count += rows.length;
    for (const row of rows) if (kinds[table.targetIds[row]!] !== TARGET_KIND.asset) pageCount += 1;
  }
  const hasPages = pageCount * MOST_EMBEDDED >= count;
  const ratios = clients.flatMap(({ rows }) => burstRatio(table, rows, hasPages ? kinds : undefined) ?? []);
  const bursting = ratios.filter((ratio) => ratio > BURST_RATIO).length;
  return {
    hasPages,
    firesTogether: bursting * 2 > ratios.length,
    resolutionSeconds: table.stampResolutionSeconds,
    ...facts,
  };
}

/**
 * −ln(1 − p)·C/b, with C the mean pause from start to start and p the share of pauses below b = 1 s: the rate
 * of requests right after a request, over the mean rate. It is 1 for a Poisson stream, which is what several
 * users behind one address add up to (Palm 1943), and far above 1 where one action sends several requests.
 */
function burstRatio(table: LogTable, rows: Uint32Array, kinds: Uint8Array | undefined): number | undefined {
  const bin = Math.max(TOGETHER_SECONDS, table.stampResolutionSeconds);
  let previous = NaN;
  let first = NaN;
  let count = 0;
  let soon = 0;
  for (const row of rows) {
    if (kinds?.[table.targetIds[row]!] === TARGET_KIND.asset) continue;
    const at = table.atSeconds[row]!;
    if (Number.isNaN(first)) first = at;
    else {
      count += 1;
      if (at - previous < bin) soon += 1;
    }
    previous = at;
  }
  if (count < FEWEST_PAUSES) return undefined;
  const share = Math.min(soon / count, (count - 0.5) / count);
  return (-Math.log1p(-share) * (previous - first)) / count / bin;
}

/** The steps of each client, in two arrays for all: a log has as many clients as steps, or nearly so. */
export function stepsOf(
  table: LogTable,
  clients: readonly ClientRows[],
  kinds: Uint8Array,
  rules: StepRules,
): Steps[] {
  const count = clients.reduce((sum, { rows }) => sum + rows.length, 0);
  const starts = new Float64Array(count);
  const ends = new Float64Array(count);
  let from = 0;
  return clients.map((client) => {
    const to = from + client.rows.length;
    const room = { starts: starts.subarray(from, to), ends: ends.subarray(from, to) };
    from = to;
    return stepsOfOne(table, client, kinds, rules, room);
  });
}

/**
 * The steps of one client: a page takes in the assets that follow it, and a call that starts while another
 * is under way and within a second of it joins that one where the log's clients do so. An asset that comes
 * later (a picture scrolled to) belongs to its page, but does not make it longer.
 */
function stepsOfOne(
  table: LogTable,
  client: ClientRows,
  kinds: Uint8Array,
  rules: StepRules,
  { starts, ends }: Pick<Steps, 'starts' | 'ends'>,
): Steps {
  const { rows } = client;
  let count = 0;
  let lastStart = -Infinity;
  for (const row of rows) {
    const start = microseconds(table.atSeconds[row]! - rules.zeroSeconds);
    const end = start + (rules.hasDurations ? microseconds(durationOf(table, row)) : 0);
    const isAsset = rules.hasPages && kinds[table.targetIds[row]!] === TARGET_KIND.asset;
    const stepEnd = count === 0 ? -Infinity : ends[count - 1]!;
    if (count > 0 && (isAsset || isTogether(rules, start, lastStart, stepEnd))) {
      if (start <= stepEnd + TOGETHER_SECONDS * MICROSECONDS) ends[count - 1] = Math.max(stepEnd, end);
    } else {
      starts[count] = start;
      ends[count] = end;
      count += 1;
    }
    lastStart = start;
  }
  const isShorter = count < rows.length;
  return {
    starts: isShorter ? starts.subarray(0, count) : starts,
    ends: isShorter ? ends.subarray(0, count) : ends,
    requestCount: rows.length,
    isUnknown: client.isUnknown,
    ...(client.addressId !== undefined && { addressId: client.addressId }),
  };
}

function isTogether(rules: StepRules, start: number, lastStart: number, stepEnd: number): boolean {
  if (!rules.firesTogether) return false;
  if (!rules.hasDurations) return start - lastStart < rules.resolutionSeconds * MICROSECONDS;
  return start < stepEnd && start - lastStart < TOGETHER_SECONDS * MICROSECONDS;
}

const microseconds = (seconds: number): number => Math.round(seconds * MICROSECONDS);
