import type { LoadPlan, Step } from '../model/load.ts';
import { BOOKS_PER_SEARCH } from './constructed-log.ts';

/** The peak of the constructed log would use this much of one core. */
const PEAK_UTILIZATION = 0.74;
const THINK_TIME_SECONDS = 2;
/** Targets in proportion to the demand of a search: 100 and 200 ms where a search costs 31 ms. */
const BOOK_TARGET_FACTOR = 3.2;
const SEARCH_TARGET_FACTOR = 6.4;
const SHARE_OF_SEARCHES = 1 / (1 + BOOKS_PER_SEARCH);

/** Samples that each judged percentile should rest on: ten of them lie beyond a 95th percentile. */
const JUDGED_SAMPLES = 200;
/** Slack for unevenly arriving requests and for a service that answers fewer than planned. */
const SAMPLE_SLACK = 1.3;
const LONGEST_JUDGED_SECONDS = 30;
/** Where the samples take longer than that (a slow machine), a percentile that cannot be judged helps nobody. */
const LONGEST_ON_SLOW_MACHINES_SECONDS = 45;

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

/**
 * The plan with its judged step made as long as 200 samples of the rarer route take, at most 30 s; up to 45 s
 * where 30 s cannot hold them.
 */
export function withJudgedStep(plan: LoadPlan, users: number): LoadPlan {
  const rarest = Math.min(...plan.requests.map((request) => request.shareRatio));
  const throughputPerSecond = users / (plan.thinkTimeSeconds?.meanSeconds ?? THINK_TIME_SECONDS);
  const least = JUDGED_SAMPLES / (throughputPerSecond * rarest);
  const longest =
    least * SAMPLE_SLACK > LONGEST_JUDGED_SECONDS ? LONGEST_ON_SLOW_MACHINES_SECONDS : LONGEST_JUDGED_SECONDS;
  const judgedSeconds = Math.min(longest, Math.ceil(least * SAMPLE_SLACK));
  const lengthen = (step: Step): Step =>
    step.driver.kind === 'closed' && step.driver.users === users
      ? { ...step, measureSeconds: Math.max(step.measureSeconds, judgedSeconds) }
      : step;
  return { ...plan, steps: plan.steps.map(lengthen) };
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
