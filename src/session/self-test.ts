import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadPlan } from '../model/load.ts';
import type { EngineSelfTest } from '../model/machine-check.ts';
import { percentileOf } from '../stats/histogram.ts';
import { openEngine } from './load-engine.ts';
import { runLoad } from './run-load.ts';

/** One second of workers without a pause, one of a low constant rate, each after a short warm-up. */
const PLAN: LoadPlan = {
  seed: 1,
  shape: 'self-test',
  requestTimeoutSeconds: 5,
  requests: [
    {
      id: 'GET /',
      method: 'GET',
      route: '/',
      shareRatio: 1,
      targets: { draw: 'uniform', targets: ['/'], distinctCount: 1 },
    },
  ],
  steps: [
    {
      index: 0,
      label: '32 workers',
      driver: { kind: 'closed', users: 32 },
      warmupSeconds: 0.5,
      measureSeconds: 1,
    },
    {
      index: 1,
      label: '200/s',
      driver: { kind: 'open', arrivalRatePerSecond: 200, arrivals: 'constant', maxInFlight: 1000 },
      warmupSeconds: 0.2,
      measureSeconds: 1,
    },
  ],
};

/** Runs the engine against an echo server in another process: what a request costs here, and what an echo takes. */
export async function testEngine(): Promise<EngineSelfTest> {
  const echo = spawn(process.execPath, [fileURLToPath(new URL('./echo-server.js', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const [port] = (await once(echo.stdout.setEncoding('utf8'), 'data')) as [string];
  const url = new URL(`http://127.0.0.1:${Number(port)}/`);
  const { requests, requestTimeoutSeconds } = PLAN;
  const options = { url, requests, requestTimeoutSeconds };
  const engine = await openEngine(PLAN, options, { generatorCount: 1, sendSamples: false });
  try {
    const { measurements } = await runLoad(PLAN, { engine, counters: [] });
    const [busy, quiet] = measurements;
    const answered = busy!.completionCount + busy!.outcomeCounts.error;
    return {
      cpuSecondsPerRequest: busy!.generator!.cpuSeconds / Math.max(1, answered),
      throughputPerSecond: busy!.completionCount / busy!.windowSeconds,
      noiseFloorP50Seconds: percentileOf(quiet!.responseTime, 50) ?? Infinity,
      noiseFloorP99Seconds: percentileOf(quiet!.responseTime, 99) ?? Infinity,
      errorCount: measurements.reduce(
        (sum, step) => sum + step.outcomeCounts.error + step.outcomeCounts.timeout,
        0,
      ),
    };
  } finally {
    await engine.close();
    echo.stdin.end();
    await once(echo, 'close');
  }
}
