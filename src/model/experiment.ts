/** The one thing an experiment changes against the repeated step; everything else of the plan stays. */
export type ExperimentChange =
  /** The same users without one route: what vanishes was its doing. */
  | { readonly kind: 'without-route'; readonly route: string }
  | { readonly kind: 'only-route'; readonly route: string }
  /** The load times a factor: 2 doubles it. */
  | { readonly kind: 'load-times'; readonly factor: number }
  /** No load for so long, then the same step again: what leaked stays, what waited is gone. */
  | { readonly kind: 'load-off'; readonly seconds: number }
  /** The same step once more: what filled up rises no further, what leaks goes on as before. */
  | { readonly kind: 'load-again' };

/** What is read of both steps, the repeated one and the changed one. */
export type ObservedQuantity =
  | 'throughputPerSecond'
  | 'meanResponseTimeSeconds'
  | 'p95Seconds'
  | 'failuresPerSecond'
  | 'residentGrowthBytesPerSecond'
  | 'descriptorGrowthPerSecond';

/** The cheapest experiment that decides about a finding, as data: it can be run without a person. */
export interface Experiment {
  readonly change: ExperimentChange;
  /** The load of the step that is repeated and changed, in the run's own kind (users, workers, arrivals/s). */
  readonly load: number;
  readonly observe: ObservedQuantity;
  /** Read of this route only; missing: of all. */
  readonly route?: string;
  /**
   * after / before that the finding predicts. Inside: the finding gains; outside by more than the noise of both
   * steps: it loses.
   */
  readonly predicts: { readonly atLeast?: number; readonly atMost?: number };
}
