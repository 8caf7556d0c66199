import { sampleQuantile } from '../stats/order-statistics.ts';
import type { CurveModel } from './curve-model.ts';
import { lowestKnee, residualWithKneeBefore } from './knee-beyond.ts';

/** Variances by which a knee after the first load must beat every one at it or before: χ² of one degree of freedom, 99 %. */
const GAIN_OVER_KNEE_BEFORE = 6.63;
/** The same at 95 %: one end of a profile-likelihood interval, exceeded in 2.5 %. */
const PROFILE_GAIN = 3.84;
/** Systematic error of the family of curves, as a share of a knee. */
export const FAMILY_ERROR = 0.1;

/**
 * Whether the knee may lie at the first load or before it: X then need not be on the light-load line at any step,
 * and N₁/X₁ is no R₀ + Z. Never where the sweep starts at one user, who queues behind nobody.
 */
export function mayStartAboveKnee({ points, fit, fitted, thinkRatio }: CurveModel): boolean {
  if (points[0]!.load <= 1) return false;
  const gain = residualWithKneeBefore(fitted, thinkRatio) - fit.residualSumOfSquares;
  return gain <= GAIN_OVER_KNEE_BEFORE;
}

/**
 * Below N* in 97.5 % (test/truth/knee-bounds.test.ts): the lower of the bootstrap's 2.5 % quantile and of the lowest
 * knee that a curve or a balanced network can have and fit within 3.84 variances of the best, less 10 %; at most the
 * last load.
 */
export function kneeLowerBound({
  points,
  fit,
  fitted,
  kneeReplicates,
  thinkRatio,
}: CurveModel): number | undefined {
  const low = sampleQuantile(kneeReplicates, 0.025);
  if (low === undefined) return undefined;
  const profile = lowestKnee(fitted, thinkRatio, fit.residualSumOfSquares + PROFILE_GAIN);
  return (1 - FAMILY_ERROR) * Math.min(low, profile, points.at(-1)!.load);
}

/** Above N* in 97.5 % where a sweep may start above it: the first load, or the bootstrap's 97.5 % quantile and 10 %. */
export function kneeUpperBound({ points, kneeReplicates }: CurveModel): number {
  const high = sampleQuantile(kneeReplicates, 0.975) ?? 0;
  return Math.max(points[0]!.load, (1 + FAMILY_ERROR) * high);
}
