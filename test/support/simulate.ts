import { VirtualClock } from '../../src/host/virtual-clock.ts';
import type { LoadPlan, PlannedRequest, Step } from '../../src/model/load.ts';
import type { RunTotals, StepMeasurement } from '../../src/model/measurement.ts';
import type { SimulatedService } from '../../src/model/simulation.ts';
import { type RunEvent, startPlan, type StepSource } from '../../src/drive/run-plan.ts';
import type { CounterSource } from '../../src/counters/counter-source.ts';
import type { Protocol } from '../../src/protocols/protocol.ts';
import { SimulatedProtocol, simulatedCounters } from '../../src/protocols/simulated.ts';
import { type Script, ScriptedProtocol } from './scripted-protocol.ts';

export interface SimulatedRun {
  readonly measurements: readonly StepMeasurement[];
  readonly totals: RunTotals;
  readonly events: readonly RunEvent[];
}

/** Runs a plan on the virtual clock against a simulated service. */
export function simulatePlan(plan: LoadPlan, service: SimulatedService, serverCount = 1): SimulatedRun {
  const clock = new VirtualClock();
  const protocol = new SimulatedProtocol(clock, service, plan.requests, plan.seed + 1);
  return runOnVirtualClock(plan, clock, protocol, [simulatedCounters(protocol, serverCount)]);
}

/** Runs a plan on the virtual clock against a service whose answers the test writes down. */
export function scriptPlan(
  plan: LoadPlan,
  script: Script,
  nextStep?: StepSource,
): SimulatedRun & { readonly sentAtSeconds: readonly number[] } {
  const clock = new VirtualClock();
  const protocol = new ScriptedProtocol(clock, script);
  return { ...runOnVirtualClock(plan, clock, protocol, [], nextStep), sentAtSeconds: protocol.sentAtSeconds };
}

function runOnVirtualClock(
  plan: LoadPlan,
  clock: VirtualClock,
  protocol: Protocol,
  counters: readonly CounterSource[],
  nextStep?: StepSource,
): SimulatedRun {
  const host = {
    clock,
    protocol,
    counters,
    generator: { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) },
    ...(nextStep !== undefined && { nextStep }),
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

export function openStep(
  index: number,
  arrivalRatePerSecond: number,
  arrivals: 'poisson' | 'constant',
  [warmupSeconds, measureSeconds]: readonly [number, number],
  maxInFlight = 100_000,
): Step {
  const driver = { kind: 'open', arrivalRatePerSecond, arrivals, maxInFlight } as const;
  return { index, label: `${arrivalRatePerSecond}/s`, driver, warmupSeconds, measureSeconds };
}

export function request(route: string, shareRatio: number): PlannedRequest {
  const targets = { draw: 'uniform', targets: [route], distinctCount: 1 } as const;
  return { id: `GET ${route}`, method: 'GET', route, shareRatio, targets };
}
