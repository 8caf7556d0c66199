import type { StepMeasurement } from '../src/model/measurement.ts';
import type { LoadPlan, PlannedRequest } from '../src/model/load.ts';
import { WorkerPool } from '../src/drive/workers/worker-pool.ts';

/**
 * One closed step of 64 users made by so many worker threads. Prints requests a second and the CPU seconds of the
 * workers. Usage: workers-loop PORT WORKERS SECONDS; port 0: no service, answered inside each worker.
 */
const [port, count, seconds] = process.argv.slice(2).map(Number) as [number, number, number];

const requests: readonly PlannedRequest[] = [
  {
    id: 'GET /books/1',
    method: 'GET',
    route: '/books/1',
    shareRatio: 1,
    targets: { draw: 'uniform', targets: ['/books/1'], distinctCount: 1 },
  },
];
const plan: LoadPlan = {
  seed: 7,
  shape: 'sweep',
  requests,
  requestTimeoutSeconds: 10,
  steps: [
    {
      index: 0,
      label: 'bench',
      driver: { kind: 'closed', users: 64 },
      warmupSeconds: 2,
      measureSeconds: seconds,
    },
  ],
};
const module = port === 0 ? './instant-protocol.js' : '../src/protocols/open-protocol.js';
const pool = await WorkerPool.open({
  plan,
  count,
  protocolModule: new URL(module, import.meta.url),
  protocolOptions: { url: new URL(`http://127.0.0.1:${port}`), requests, requestTimeoutSeconds: 10 },
  sendSamples: false,
});
const step = await new Promise<StepMeasurement>((resolve, reject) => {
  let measurement: StepMeasurement | undefined;
  pool.start({ counters: [], onFault: reject }, (event) => {
    if (event.kind === 'step-finished') measurement = event.measurement;
    if (event.kind === 'finished') resolve(measurement!);
  });
});
await pool.close();
const throughput = step.completionCount / step.windowSeconds;
process.stdout.write(
  `${throughput.toFixed(0)} ${(step.generator!.cpuSeconds / step.completionCount) * 1e6}\n`,
);
