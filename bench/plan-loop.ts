import type { LoadPlan, PlannedRequest } from '../src/model/load.ts';
import { openEngine } from '../src/session/load-engine.ts';
import { runLoad } from '../src/session/run-load.ts';

/**
 * The whole engine on one closed step, as `shipload run -c` drives it: drawn requests, every response time in
 * its histograms, frames, timeouts watched. Prints the answers of the measured window and the CPU spent on it.
 * Usage: plan-loop PORT CONNECTIONS SECONDS [ROUTES [GENERATORS]].
 */
const [port, connections, seconds, routeCount = 1, generatorCount = 1] = process.argv
  .slice(2)
  .map(Number) as [number, number, number, number?, number?];
/** Compiling the hot path belongs before the measurement. */
const WARMUP_SECONDS = 3;

const route = (name: string): PlannedRequest => ({
  id: `GET /${name}/[id]`,
  method: 'GET',
  route: `/${name}/[id]`,
  shareRatio: 1 / routeCount,
  targets: {
    draw: 'uniform',
    targets: Array.from({ length: 1000 }, (_, i) => `/${name}/${i}`),
    distinctCount: 1000,
  },
});

const plan: LoadPlan = {
  seed: 7,
  shape: 'sweep',
  requests: ['books', 'search'].slice(0, routeCount).map(route),
  requestTimeoutSeconds: 10,
  steps: [
    {
      index: 0,
      label: 'bench',
      driver: { kind: 'closed', users: connections },
      warmupSeconds: WARMUP_SECONDS,
      measureSeconds: seconds,
    },
  ],
};

const protocolOptions = {
  url: new URL(`http://127.0.0.1:${port}`),
  requests: plan.requests,
  requestTimeoutSeconds: plan.requestTimeoutSeconds,
};
const engine = await openEngine(plan, protocolOptions, { generatorCount, sendSamples: false });
const { measurements } = await runLoad(plan, { engine, counters: [] });
const [step] = measurements;
if (step === undefined || step.outcomeCounts.error > 0) throw new Error('the target failed requests');
process.stdout.write(`${step.completionCount} ${step.generator!.cpuSeconds}\n`);
await engine.close();
