/** One quantity of a workload beside what a run of it sends. */
export interface CheckedQuantity {
  /** `share of GET /books/[id]`, `throughput`, … */
  readonly name: string;
  readonly unit: 'perSecond' | 'seconds' | 'ratio' | 'count' | 'index';
  readonly log: number;
  readonly sent: number;
  /** Three standard errors of what was sent: chance seldom makes a larger difference. Missing: shown, not judged. */
  readonly tolerance?: number;
  /** Missing where it is not judged. */
  readonly holds?: boolean;
  /** Why it is not judged. */
  readonly whyNot?: string;
}

/** Whether runs of a workload, by users and by open arrivals, send what the log has. */
export interface ModelCheck {
  /** Users of the run: M, rounded; missing where the log does not tell its users, and only arrivals were sent. */
  readonly users?: number;
  readonly requestCount: number;
  readonly seconds: number;
  readonly quantities: readonly CheckedQuantity[];
  /** Classes that are not sent, with their share of the log's requests; other shares are of the rest. Missing: none. */
  readonly leftOut?: { readonly classIds: readonly string[]; readonly shareRatio: number };
  /** Whether all judged quantities hold. */
  readonly holds: boolean;
}
