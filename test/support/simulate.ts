import { VirtualClock } from '../../src/host/virtual-clock.ts';
import type { LoadPlan, PlannedRequest, Step } from '../../src/model/load.ts';
import type { RunTotals, StepMeasurement } from '../../src/model/measurement.ts';
import type { SimulatedService } from '../../src/model/simulation.ts';
import { type RunEvent, startPlan } from '../../src/drive/run-plan.ts';
import { SimulatedProtocol, simulatedCounters } from '../../src/protocols/simulated.ts';

export interface SimulatedRun {
  readonly measurements: readonly StepMeasurement[];
  readonly totals: RunTotals;
  readonly events: readonly RunEvent[];
}

/** Runs a plan on the virtual clock against a simulated service. */
export function simulatePlan(plan: LoadPlan, service: SimulatedService, serverCount = 1): SimulatedRun {
  const clock = new VirtualClock();
  const protocol = new SimulatedProtocol(clock, service, plan.requests, plan.seed + 1);
  const host = {
    clock,
    protocol,
    counters: [simulatedCounters(protocol, serverCount)],
    generator: { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) },
  };
  const events: RunEvent[] = [];
  startPlan(plan, host, (event) => events.push(event));
  clock.run();
  const last = events.at(-1);
  if (last?.kind !== 'finished') throw new Error('the simulated run did not finish');
  const measurements = events.flatMap((event) => (event.kind === 'step-finished' ? [event.measurement] : []));
  return { measurements, totals: last.totals, events };
}

export function closedStep(
  index: number,
  users: number,
  warmupSeconds: number,
  measureSeconds: number,
): Step {
  return { index, label: `${users} users`, driver: { kind: 'closed', users }, warmupSeconds, measureSeconds };
}

export function request(route: string, shareRatio: number): PlannedRequest {
  const targets = { draw: 'uniform', targets: [route], distinctCount: 1 } as const;
  return { id: `GET ${route}`, method: 'GET', route, shareRatio, targets };
}
