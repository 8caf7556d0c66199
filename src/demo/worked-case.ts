import { BOOKS_PER_SEARCH } from './constructed-log.ts';

/** The peak of the constructed log would use this much of one core. */
const PEAK_UTILIZATION = 0.74;
const THINK_TIME_SECONDS = 2;
/** Targets in proportion to the demand of a search: 100 and 200 ms where a search costs 31 ms. */
const BOOK_TARGET_FACTOR = 3.2;
const SEARCH_TARGET_FACTOR = 6.4;
const SHARE_OF_SEARCHES = 1 / (1 + BOOKS_PER_SEARCH);

/** Users whose searches and book views would use 74 % of one core: M = X·(Z + R) with X = 0.74 / D of the mix. */
export function peakUsers(searchDemandSeconds: number, bookDemandSeconds: number): number {
  const mixDemandSeconds =
    SHARE_OF_SEARCHES * searchDemandSeconds + (1 - SHARE_OF_SEARCHES) * bookDemandSeconds;
  const responseTimeSeconds = mixDemandSeconds * 1.5;
  return Math.round((PEAK_UTILIZATION / mixDemandSeconds) * (THINK_TIME_SECONDS + responseTimeSeconds));
}

/** The goals, in whole milliseconds, in proportion to what one search costs on this machine. */
export function targetTexts(searchDemandSeconds: number, users: number): readonly string[] {
  const milliseconds = (factor: number): number => Math.round(searchDemandSeconds * factor * 1e3);
  return [
    `p95 of /books/[id] <= ${milliseconds(BOOK_TARGET_FACTOR)} ms at ${users} users`,
    `p95 of /search <= ${milliseconds(SEARCH_TARGET_FACTOR)} ms at ${users} users`,
    `errors = 0 at ${users} users`,
    `cpu <= 70 % at ${users} users`,
  ];
}

/** What the users of the constructed log search for, most popular first. */
export const SEARCH_TERMS: readonly string[] = [
  'queue',
  'cache',
  'river',
  'garden',
  'winter',
  'python',
  'kernel',
  'market',
  'harbor',
  'signal',
];
