import { startPlan } from '../drive/run-plan.ts';
import { mergeRoutes } from '../drive/step-measurement.ts';
import { VirtualClock } from '../host/virtual-clock.ts';
import type { Distribution } from '../model/distribution.ts';
import type { PlannedRequest } from '../model/load.ts';
import type { RouteMeasurement, StepMeasurement } from '../model/measurement.ts';
import type { SimulatedService } from '../model/simulation.ts';
import { SimulatedProtocol, simulatedCounters } from '../protocols/simulated.ts';

const MEASURE_SECONDS = 300;
/** Unmeasured before, as a share of what is measured. */
const WARMUP_SHARE = 0.1;

/**
 * What `users` would see of a service made of stations: the driver itself on the virtual clock, five simulated
 * minutes (or `measureSeconds`) after a tenth as much of warm-up. `serverCount` is the m of U = busy / (T·m).
 */
export function simulateStep(
  service: SimulatedService,
  users: number,
  requests: readonly PlannedRequest[],
  thinkTime: Distribution | undefined,
  serverCount: number,
  seed: number,
  measureSeconds = MEASURE_SECONDS,
): StepMeasurement {
  const clock = new VirtualClock();
  const protocol = new SimulatedProtocol(clock, service, requests, seed + 1);
  let measured: StepMeasurement | undefined;
  startPlan(
    {
      seed,
      shape: 'steps',
      requests,
      ...(thinkTime !== undefined && { thinkTimeSeconds: thinkTime }),
      requestTimeoutSeconds: Infinity,
      steps: [
        {
          index: 0,
          label: `${users} users`,
          driver: { kind: 'closed', users },
          warmupSeconds: WARMUP_SHARE * measureSeconds,
          measureSeconds,
        },
      ],
    },
    {
      clock,
      protocol,
      counters: [simulatedCounters(protocol, serverCount)],
      generator: { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) },
    },
    (event) => {
      if (event.kind === 'step-finished') measured = event.measurement;
    },
  );
  clock.run();
  if (measured === undefined) throw new RangeError('the simulated step did not finish');
  return { ...measured, byRoute: mergeByRoute(measured.byRoute) };
}

/** A remedy may split a route into kinds of requests (hit and miss); to its users it is still one route. */
function mergeByRoute(routes: readonly RouteMeasurement[]): readonly RouteMeasurement[] {
  const groups = new Map<string, RouteMeasurement[]>();
  for (const part of routes) groups.set(part.route, [...(groups.get(part.route) ?? []), part]);
  return [...groups.values()].map(mergeRoutes);
}
