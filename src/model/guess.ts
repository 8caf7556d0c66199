/** What a person expects of a run, said before it. */
export interface Guess {
  /** As written. */
  readonly text: string;
  /** The highest throughput. */
  readonly peakPerSecond?: number;
  /** The load at which a percentile goes above a limit. */
  readonly crossing?: {
    readonly percentile: 'p50' | 'p95' | 'p99';
    /** Missing: over all routes. */
    readonly route?: string;
    readonly limitSeconds: number;
    readonly load: number;
  };
  /** The resource that gives out first: `cpu`, `pool`, `lane`, `disk` … */
  readonly firstResource?: string;
}

/** One guess beside what was measured. */
export interface ScoredGuess {
  readonly quantity: string;
  readonly unit: 'perSecond' | 'users' | 'resource';
  readonly guessed: number | string;
  /** Missing: the run did not get there. */
  readonly measured?: number | string;
  /** guessed / measured − 1, of numbers. */
  readonly errorRatio?: number;
  /** What the measured figure rests on, or why there is none. */
  readonly note: string;
}
