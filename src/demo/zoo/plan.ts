import { planLoad } from '../../load/plan-load.ts';
import type { Distribution } from '../../model/distribution.ts';
import type { LoadPlan, PlannedRequest } from '../../model/load.ts';
import type { Probe } from './member.ts';
import { routeNames } from './routes.ts';

const REQUEST_TIMEOUT_SECONDS = 10;
const USERS_PER_SECOND = 500;
/** Think times vary by this share of their mean either way, so that users do not march in step. */
const THINK_SPREAD = 0.2;

/** The load of a probe on routes with names drawn from the seed. */
export function probePlan(probe: Probe, seed: number): LoadPlan {
  const [first, second] = routeNames(seed);
  const { shareOfFirst, thinkSeconds, keyCount, ...load } = probe;
  const request = (route: string, shareRatio: number): PlannedRequest => ({
    id: `GET ${route}`,
    method: 'GET',
    route,
    shareRatio,
    targets: {
      draw: 'uniform',
      targets: Array.from({ length: keyCount }, (_, key) => `${route}?key=${key}`),
      distinctCount: keyCount,
    },
  });
  const requests = [request(first, shareOfFirst), request(second, 1 - shareOfFirst)];
  const { plan } = planLoad(
    { requests, notices: [] },
    {
      ...load,
      usersPerSecond: USERS_PER_SECOND,
      requestTimeoutSeconds: REQUEST_TIMEOUT_SECONDS,
      seed,
      ...(thinkSeconds !== undefined && { thinkTime: uniformAround(thinkSeconds) }),
    },
  );
  return plan;
}

const uniformAround = (meanSeconds: number): Distribution => ({
  kind: 'uniform',
  meanSeconds,
  minSeconds: (1 - THINK_SPREAD) * meanSeconds,
  maxSeconds: (1 + THINK_SPREAD) * meanSeconds,
});
