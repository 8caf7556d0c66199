import type { HistogramData } from '../../../model/histogram.ts';
import type { Interference } from '../../../model/measurement.ts';
import { binsOf } from '../../../stats/histogram.ts';
import type { Pair } from './pairs.ts';

/** A request is held up when it takes this share of the slow route's service longer than unhindered. */
const DELAY_SHARE = 0.1;

/** How many requests of a group there were, how many of them were held up, and by how much these were at the median. */
export interface HeldUp {
  readonly count: number;
  readonly hits: number;
  readonly shareRatio: number;
  readonly medianExcessSeconds: number;
}

/** The fast route's requests with the slow route in flight, and without it. */
export interface HeldUpSplit {
  readonly first: HeldUp;
  readonly second: HeldUp;
}

/** Counts the requests on both sides of a split that took more than 0.1·S longer than unhindered. */
export const heldUpSplit = ({ withOther, withoutOther }: Interference, pair: Pair): HeldUpSplit => ({
  first: heldUp(withOther, pair),
  second: heldUp(withoutOther, pair),
});

function heldUp(histogram: HistogramData, { fastSeconds, serviceSeconds }: Pair): HeldUp {
  const count = histogram.totalCount;
  const threshold = fastSeconds + DELAY_SHARE * serviceSeconds;
  const late = [...binsOf(histogram)].filter(({ lowSeconds }) => lowSeconds > threshold);
  const hits = late.reduce((sum, bin) => sum + bin.count, 0);
  let seen = 0;
  const median = late.find((bin) => (seen += bin.count) >= hits / 2);
  return {
    count,
    hits,
    shareRatio: count === 0 ? 0 : hits / count,
    medianExcessSeconds: median === undefined ? 0 : median.highSeconds - fastSeconds,
  };
}

/**
 * The held-up share without the slow route, and without a rival that holds up too: of n requests of which n_r met
 * the rival and d_r were held up, a side of n_o meets it in proportion, so that
 * (d_o − d_r·n_o/n) / (n_o − n_r·n_o/n), not below 0. The rivals are taken off one after the other.
 */
export function shareWithoutRivals(split: HeldUpSplit, rivals: readonly HeldUpSplit[]): number {
  const { count, hits } = split.second;
  const total = count + split.first.count;
  let cleanCount = count;
  let cleanHits = hits;
  for (const { first } of rivals) {
    cleanCount -= (first.count * count) / total;
    cleanHits -= (first.hits * count) / total;
  }
  return cleanCount > 0 ? Math.max(0, cleanHits / cleanCount) : 0;
}
