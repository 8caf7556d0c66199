import type { IsolatedRoute } from '../model/analysis.ts';

/** Below this utilisation the median of an isolated route is its bare time, and what exceeds D is spent elsewhere. */
const UNQUEUED_RATIO = 0.3;

/**
 * Time a request spends outside the CPU: the mean less the demand where nothing waited; of busier routes the median, where
 * it did not queue.
 */
export function elsewhereSeconds(route: IsolatedRoute): number {
  if (route.meanSeconds !== undefined) return Math.max(0, route.meanSeconds - route.serviceDemandSeconds);
  if (route.utilizationRatio > UNQUEUED_RATIO) return 0;
  return Math.max(0, route.p50Seconds - route.serviceDemandSeconds);
}
