import { startPlan } from '../src/drive/run-plan.ts';
import { RealClock } from '../src/host/real-clock.ts';
import type { LoadPlan, PlannedRequest } from '../src/model/load.ts';
import { openProtocol as openHttp } from '../src/protocols/open-protocol.ts';
import { openProtocol as openInstant } from './instant-protocol.ts';

/**
 * A run of one closed step until so many requests were answered or the time is over. Prints the requests, the
 * growth of memory in use (after garbage collection) since the first 100,000, and the most memory the process
 * ever had, in MB. Usage: memory-loop PORT USERS THINK_SECONDS REQUESTS SECONDS; port 0: no service, answered
 * inside the process. Needs --expose-gc.
 */
const [port, users, thinkSeconds, mostRequests, mostSeconds] = process.argv.slice(2).map(Number) as [
  number,
  number,
  number,
  number,
  number,
];
const FIRST_REQUESTS = 100_000;
const MB = 1e6;

const requests: readonly PlannedRequest[] = [
  {
    id: 'GET /books/[id]',
    method: 'GET',
    route: '/books/[id]',
    shareRatio: 1,
    targets: {
      draw: 'uniform',
      targets: Array.from({ length: 1000 }, (_, i) => `/books/${i}`),
      distinctCount: 1000,
    },
  },
];
const plan: LoadPlan = {
  seed: 7,
  shape: 'soak',
  requests,
  ...(thinkSeconds > 0 && { thinkTimeSeconds: { kind: 'exponential', meanSeconds: thinkSeconds } as const }),
  ...(users > 1000 && { usersPerSecond: users / 5 }),
  requestTimeoutSeconds: 10,
  steps: [
    {
      index: 0,
      label: 'soak',
      driver: { kind: 'closed', users },
      warmupSeconds: 0,
      measureSeconds: mostSeconds,
    },
  ],
};

function usedMb(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MB;
}

const clock = new RealClock();
const open = port === 0 ? openInstant : openHttp;
const protocol = open(
  { url: new URL(`http://127.0.0.1:${port}`), requests, requestTimeoutSeconds: 10 },
  clock,
);
let answered = 0;
let firstMb: number | undefined;
const generator = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };
const run = startPlan(plan, { clock, protocol, counters: [], generator }, (event) => {
  if (event.kind === 'frame') {
    answered += event.frame.routes.reduce((sum, route) => sum + route.okCount, 0);
    if (answered >= FIRST_REQUESTS) firstMb ??= usedMb();
    if (answered >= mostRequests) run.stop('completed');
  }
  if (event.kind === 'finished') {
    const growthMb = firstMb === undefined ? Number.NaN : usedMb() - firstMb;
    const peakMb = process.resourceUsage().maxRSS / 1e3;
    process.stdout.write(`${answered} ${growthMb.toFixed(2)} ${peakMb.toFixed(0)}\n`);
    void protocol.close();
  }
});
