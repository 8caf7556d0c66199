import type { Interval } from './distribution.ts';

/** `p50`, `p95`, `p99.9` … */
export type PercentileName = `p${number}`;

/** A goal such as `p95 of /books/[id] <= 100 ms at 200 users`, parsed. Limits are in SI units. */
export interface Target {
  /** As written. */
  readonly text: string;
  readonly metric: PercentileName | 'mean' | 'max' | 'throughput' | 'errors' | 'errorRatio' | 'cpu';
  /** Missing: over all routes. */
  readonly route?: string;
  readonly comparison: '<=' | '>=' | '=';
  readonly limit: number;
  /** Load at which it is judged; missing: the peak step of the run (the log's M). */
  readonly load?: number;
  /** What the load counts, where the target says so (`at 200 users`); missing: any step of that load. */
  readonly loadKind?: 'users' | 'concurrency' | 'arrivalRatePerSecond';
}

export type CheckResult = 'pass' | 'fail' | 'no-margin' | 'inconclusive';

export interface Check {
  readonly target: Target;
  /** Missing when it could not be observed. */
  readonly observed?: number;
  readonly interval?: Interval;
  /** What passing needs: 0.9·limit for `<=`. */
  readonly neededForPass: number;
  readonly stepIndex?: number;
  readonly result: CheckResult;
  /** One line with the figures. */
  readonly reason: string;
}

export interface Verdict {
  readonly checks: readonly Check[];
  /** `not-judged`: no targets given. `invalid`: the run cannot carry a verdict (exit 3). */
  readonly decision: 'pass' | 'fail' | 'no-margin' | 'inconclusive' | 'invalid' | 'not-judged';
  readonly marginRatio: number;
  readonly reason: string;
}
