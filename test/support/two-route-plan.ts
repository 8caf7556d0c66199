import type { LoadPlan, PlannedRequest } from '../../src/model/load.ts';

const request = (route: string, shareRatio: number): PlannedRequest => ({
  id: `GET ${route}`,
  method: 'GET',
  route,
  shareRatio,
  targets: { draw: 'uniform', targets: [route], distinctCount: 1 },
});

/** One step of a minute, three quarters of the requests fast and one quarter slow. */
export const twoRoutePlan = (users: number): LoadPlan => ({
  seed: 1,
  shape: 'steps',
  requests: [request('/fast', 0.75), request('/slow', 0.25)],
  requestTimeoutSeconds: 30,
  steps: [
    {
      index: 0,
      label: `${users} users`,
      driver: { kind: 'closed', users },
      warmupSeconds: 10,
      measureSeconds: 50,
    },
  ],
});
