import type { Driver } from '../model/load.ts';
import { drawExponential, type Random } from '../stats/random.ts';

type OpenDriver = Extract<Driver, { kind: 'open' }>;

/** The intended start of one arrival after the other, seconds on the clock of `startSeconds`; never falls. */
export type ArrivalTimes = () => number;

/**
 * The arrivals of an open step from `startSeconds` on. `constant`: the k-th comes (k + ½)/λ after the start, so
 * that any stretch of T seconds in step with the start holds exactly λT and none falls on its edge; from the
 * index, so that no rounding adds up. `poisson`: independent exponential gaps of mean 1/λ. Throws a RangeError
 * unless λ is positive and finite. The times of a log are those of a `ReplayStream`.
 */
export function arrivalTimes(
  { arrivals, arrivalRatePerSecond }: OpenDriver,
  startSeconds: number,
  random: Random,
): ArrivalTimes {
  if (!(arrivalRatePerSecond > 0 && arrivalRatePerSecond < Infinity)) {
    throw new RangeError(`an arrival rate must be positive, not ${arrivalRatePerSecond}/s`);
  }
  if (arrivals === 'constant') {
    let index = 0;
    return () => startSeconds + (index++ + 0.5) / arrivalRatePerSecond;
  }
  let atSeconds = startSeconds;
  return () => (atSeconds += drawExponential(random, 1 / arrivalRatePerSecond));
}
