import type { Distribution } from '../model/distribution.ts';
import type { UserFindings } from './users.ts';

/** Two rates closer than this are one: the rest is rounding. */
const SAME = 1e-9;

/**
 * The pause before a single request with which M users make X requests per second: M/X − R, in the shape of
 * the think time. Where every request is a user's step that is Z itself, and undefined is returned; so it is
 * where M users would have to overlap their own requests to make X.
 */
export function requestThinkTime(
  { activeUsers, thinkTime, steps }: UserFindings,
  throughputPerSecond: number,
  responseTimeSeconds: number,
): Distribution | undefined {
  if (activeUsers === undefined || thinkTime === undefined || steps === undefined) return undefined;
  if (Math.abs(steps.perSecond / throughputPerSecond - 1) < SAME) return undefined;
  const meanSeconds = activeUsers / throughputPerSecond - responseTimeSeconds;
  const { distribution, mean } = thinkTime;
  if (!(meanSeconds > 0) || !(mean > 0) || distribution.kind !== 'empirical') return undefined;
  const scale = meanSeconds / mean;
  return {
    kind: 'empirical',
    meanSeconds,
    quantileSeconds: distribution.quantileSeconds.map((seconds) => seconds * scale),
  };
}
