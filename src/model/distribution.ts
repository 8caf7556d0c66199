/**
 * A distribution of durations, in seconds. Every kind knows its mean.
 * `empirical` is an inverse CDF: `quantileSeconds[i]` is the quantile of order i / (length − 1), drawn
 * with linear interpolation, then scaled so that the mean of the draws is `meanSeconds`.
 */
export type Distribution =
  | { readonly kind: 'constant'; readonly meanSeconds: number }
  | {
      readonly kind: 'uniform';
      readonly meanSeconds: number;
      readonly minSeconds: number;
      readonly maxSeconds: number;
    }
  | { readonly kind: 'exponential'; readonly meanSeconds: number }
  | { readonly kind: 'empirical'; readonly meanSeconds: number; readonly quantileSeconds: readonly number[] };

/** A closed interval [low, high] of a quantity, in the quantity's own unit. */
export type Interval = readonly [low: number, high: number];
