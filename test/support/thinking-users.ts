import type { RunEvent } from '../../src/drive/run-plan.ts';
import type { LoadPlan, Step } from '../../src/model/load.ts';
import { request, simulatePlan } from './simulate.ts';

/** Users of one route who think for a second, on one CPU that takes 10 ms a request: X = N/1.01 s until it is full. */
export function thinkingUsers(steps: readonly Step[]): {
  readonly plan: LoadPlan;
  readonly events: readonly RunEvent[];
} {
  const plan: LoadPlan = {
    seed: 7,
    shape: 'steps',
    requests: [request('/a', 1)],
    thinkTimeSeconds: { kind: 'constant', meanSeconds: 1 },
    requestTimeoutSeconds: 30,
    steps,
  };
  const { events } = simulatePlan(plan, {
    stations: [{ name: 'cpu', serverCount: 1 }],
    visits: { 'GET /a': [{ station: 'cpu', service: { kind: 'constant', meanSeconds: 0.01 } }] },
  });
  return { plan, events };
}
