import { createRandom, drawExponential, mixSeed, weightedSampler } from '../stats/random.ts';

/** What a constructed log is made from. */
export interface ConstructedLog {
  readonly users: number;
  readonly spanSeconds: number;
  readonly startedAtEpochMs: number;
  readonly bookCount: number;
  /** The log's own response times: what the service showed its users last month. */
  readonly bookResponseSeconds: number;
  readonly searchResponseSeconds: number;
  readonly terms: readonly string[];
  readonly seed: number;
}

export const BOOKS_PER_SEARCH = 3;
const MIN_THINK_SECONDS = 1;
const MAX_THINK_SECONDS = 3;

/**
 * An access log of a peak quarter of an hour in the simple format: users who think 1–3 s (2 s on average), one
 * search per three book views, book ids uniform over the catalogue, search terms by 1/rank. Seeded: the same
 * arguments give the same text.
 */
export function constructLog(options: ConstructedLog): string {
  const drawTerm = weightedSampler(options.terms.map((_, rank) => 1 / (rank + 1)));
  const lines: { readonly atMs: number; readonly text: string }[] = [];
  for (let user = 0; user < options.users; user += 1) {
    const random = createRandom(mixSeed(options.seed, user));
    const client = `10.0.${user >> 8}.${user & 255}`;
    const think = (): number => MIN_THINK_SECONDS + random.next() * (MAX_THINK_SECONDS - MIN_THINK_SECONDS);
    // The log starts in the middle of a busy hour: each user is somewhere in a think time.
    let atSeconds = random.next() * think();
    while (atSeconds < options.spanSeconds) {
      const isSearch = random.next() * (1 + BOOKS_PER_SEARCH) < 1;
      const mean = isSearch ? options.searchResponseSeconds : options.bookResponseSeconds;
      const path = isSearch
        ? `/search?q=${encodeURIComponent(options.terms[drawTerm(random)]!)}`
        : `/books/${1 + Math.floor(random.next() * options.bookCount)}`;
      const responseMs = Math.max(1, Math.round(mean * 500 + drawExponential(random, mean * 500)));
      const atMs = options.startedAtEpochMs + Math.floor(atSeconds * 1e3);
      lines.push({ atMs, text: `${atMs} ${client} GET ${path} 200 ${responseMs}` });
      atSeconds += responseMs / 1e3 + think();
    }
  }
  lines.sort((a, b) => a.atMs - b.atMs);
  return `${lines.map((line) => line.text).join('\n')}\n`;
}
