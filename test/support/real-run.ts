import { RealClock } from '../../src/host/real-clock.ts';
import type { LoadPlan, Step } from '../../src/model/load.ts';
import type { RunTotals, StepMeasurement } from '../../src/model/measurement.ts';
import { runPlan } from '../../src/drive/run-plan.ts';
import { openProtocol } from '../../src/protocols/open-protocol.ts';
import type { ProtocolOptions } from '../../src/protocols/protocol.ts';
import { request } from './simulate.ts';

export interface RealRun {
  readonly measurements: readonly StepMeasurement[];
  readonly totals: RunTotals;
  /** Of the whole run, warm-up and drain included. */
  readonly errorCodes: Readonly<Record<string, number>>;
}

/** Runs steps of one route on the real clock over real sockets, as a program that uses the engine as a library would. */
export async function runForReal(
  url: string,
  route: string,
  steps: readonly Step[],
  more: Partial<ProtocolOptions> = {},
): Promise<RealRun> {
  const plan: LoadPlan = {
    seed: 7,
    shape: 'steps',
    requests: [request(route, 1)],
    requestTimeoutSeconds: 30,
    steps,
  };
  const clock = new RealClock();
  const protocol = openProtocol({ ...plan, url: new URL(url), ...more }, clock);
  const measurements: StepMeasurement[] = [];
  const errorCodes: Record<string, number> = {};
  let totals: RunTotals | undefined;
  const generator = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };
  for await (const event of runPlan(plan, { clock, protocol, counters: [], generator })) {
    if (event.kind === 'step-finished') measurements.push(event.measurement);
    if (event.kind === 'frame') {
      for (const [code, count] of Object.entries(event.frame.errorCodes))
        errorCodes[code] = (errorCodes[code] ?? 0) + count;
    }
    if (event.kind === 'finished') totals = event.totals;
  }
  await protocol.close();
  return { measurements, totals: totals!, errorCodes };
}
