import type { LogTable } from '../model/log-table.ts';
import { durationOf, type ClientRows } from './clients.ts';
import { TARGET_KIND } from './target-kinds.ts';

/** What a page loads by itself is asked for this soon after the page has come. */
const SOON_SECONDS = 1;
/** A page that takes longer than this to come is not waited for. */
const LONGEST_PAGE_SECONDS = 60;
/** Fewer cases may be a quick hand. */
const FEWEST_CASES = 3;
/** Of what browsers ask for: some pictures are loaded when they are scrolled to, some links are clicked at once. */
const LEAST_SHARE = 0.7;
/** Of all that is asked for: what mostly programs ask for is no part of a page. */
const LEAST_SHARE_OF_ALL = 0.5;

/** The kinds of targets with what was learned, and what that changes. */
export interface LearnedKinds {
  readonly kinds: Uint8Array;
  /** Requests that turned out to be parts of pages. */
  readonly requestCount: number;
}

interface Uses {
  /** Follows its page at once. */
  readonly soon: number;
  /** Asked for by a client that tells where it comes from. */
  readonly byBrowsers: number;
  readonly all: number;
}

/**
 * Finds targets without an extension that pages load by themselves: a GET whose referer is a page that the same
 * client got no more than a second before, where this is so for most requests of such paths (alike but for their
 * numbers). A path that others give as their referer is a page itself. `kinds` is not changed.
 */
export function learnEmbedded(
  table: LogTable,
  clients: readonly ClientRows[],
  kinds: Uint8Array,
): LearnedKinds {
  const none = { kinds, requestCount: 0 };
  if (table.refererTargetIds === undefined) return none;
  const keys = new PathKeys(table);
  const uses = usesOf(table, clients, kinds, keys);
  const embedded = new Set([...uses].filter(([, use]) => isEmbedded(use)).map(([key]) => key));
  if (embedded.size === 0) return none;
  const learned = kinds.map((kind, id) =>
    kind === TARGET_KIND.page && embedded.has(keys.of(id)) ? TARGET_KIND.asset : kind,
  );
  const requestCount = [...embedded].reduce((sum, key) => sum + uses.get(key)!.all, 0);
  return { kinds: learned, requestCount };
}

const isEmbedded = ({ soon, byBrowsers, all }: Uses): boolean =>
  soon >= FEWEST_CASES && soon >= byBrowsers * LEAST_SHARE && soon >= all * LEAST_SHARE_OF_ALL;

/** Paths without query, numbers and hashes, by target. */
class PathKeys {
  readonly #table: LogTable;
  readonly #known: (string | undefined)[] = [];

  constructor(table: LogTable) {
    this.#table = table;
  }

  of(targetId: number): string {
    return (this.#known[targetId] ??= this.#table.targets
      .at(targetId)!
      .split('?', 1)[0]!
      .replace(/[\da-f]{8,}|\d+/gi, '0'));
  }
}

/** How the paths of pages that follow pages are used; no others are counted. */
function usesOf(
  table: LogTable,
  clients: readonly ClientRows[],
  kinds: Uint8Array,
  keys: PathKeys,
): Map<string, Uses> {
  const soon = new Map<string, number>();
  const pages = new Set<string>();
  for (const { rows } of clients)
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index]!;
      const from = table.refererTargetIds![row]!;
      if (from === 0) continue;
      const isOther = table.targetIds[row] !== from - 1;
      if (isOther) pages.add(keys.of(from - 1));
      const isCandidate =
        isOther &&
        kinds[table.targetIds[row]!] === TARGET_KIND.page &&
        table.methods.at(table.methodIds[row]!) === 'GET' &&
        followsAtOnce(table, rows, index, from - 1);
      if (isCandidate) add(soon, keys.of(table.targetIds[row]!));
    }
  for (const page of pages) soon.delete(page);
  return soon.size === 0 ? new Map() : totalsOf(table, clients, keys, soon);
}

function totalsOf(
  table: LogTable,
  clients: readonly ClientRows[],
  keys: PathKeys,
  soon: ReadonlyMap<string, number>,
): Map<string, Uses> {
  const all = new Map<string, number>();
  const byBrowsers = new Map<string, number>();
  for (const { rows } of clients) {
    const isBrowser = rows.some((row) => table.refererTargetIds![row] !== 0);
    for (const row of rows) {
      const key = keys.of(table.targetIds[row]!);
      if (!soon.has(key)) continue;
      add(all, key);
      if (isBrowser) add(byBrowsers, key);
    }
  }
  return new Map(
    [...soon].map(([key, count]) => [
      key,
      { soon: count, byBrowsers: byBrowsers.get(key)!, all: all.get(key)! },
    ]),
  );
}

/** Whether the client got `page` no more than a second before; rows in the order of starts, equal ones in any. */
function followsAtOnce(table: LogTable, rows: Uint32Array, index: number, page: number): boolean {
  const at = table.atSeconds[rows[index]!]!;
  for (let other = index + 1; other < rows.length && table.atSeconds[rows[other]!] === at; other += 1)
    if (table.targetIds[rows[other]!] === page) return true;
  for (let other = index - 1; other >= 0; other -= 1) {
    const row = rows[other]!;
    const since = at - table.atSeconds[row]!;
    if (since > LONGEST_PAGE_SECONDS + SOON_SECONDS) return false;
    if (table.targetIds[row] === page) return since <= durationOf(table, row) + SOON_SECONDS;
  }
  return false;
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
