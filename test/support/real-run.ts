import { RealClock } from '../../src/host/real-clock.ts';
import type { LoadPlan, Step } from '../../src/model/load.ts';
import type { RunTotals, StepMeasurement } from '../../src/model/measurement.ts';
import { runPlan } from '../../src/drive/run-plan.ts';
import { createHttp1Protocol } from '../../src/protocols/http1/http1-protocol.ts';
import { request } from './simulate.ts';

export interface RealRun {
  readonly measurements: readonly StepMeasurement[];
  readonly totals: RunTotals;
}

/** Runs steps of one route on the real clock over real sockets, as a program that uses the engine as a library would. */
export async function runForReal(url: string, route: string, steps: readonly Step[]): Promise<RealRun> {
  const plan: LoadPlan = {
    seed: 7,
    shape: 'steps',
    requests: [request(route, 1)],
    requestTimeoutSeconds: 30,
    steps,
  };
  const clock = new RealClock();
  const protocol = createHttp1Protocol({ ...plan, url: new URL(url) }, clock);
  const measurements: StepMeasurement[] = [];
  let totals: RunTotals | undefined;
  const generator = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };
  for await (const event of runPlan(plan, { clock, protocol, counters: [], generator })) {
    if (event.kind === 'step-finished') measurements.push(event.measurement);
    if (event.kind === 'finished') totals = event.totals;
  }
  await protocol.close();
  return { measurements, totals: totals! };
}
