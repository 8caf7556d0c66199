import { startPlan } from '../src/drive/run-plan.ts';
import { ScenarioRecord } from '../src/drive/scenario-record.ts';
import type { LoadPlan } from '../src/model/load.ts';
import { createHttp1Protocol } from '../src/protocols/http1/http1-protocol.ts';
import { compileScenario } from '../src/scenario/compile.ts';
import { get, scenario } from '../src/scenario/define.ts';
import type { Scenario } from '../src/scenario/types.ts';
import { TIMER_CLOCK } from '../test/support/timer-clock.ts';

/** One generator of bench/scenario.ts: prints answers and CPU seconds of a window after its warm-up. */
const WARMUP_SECONDS = 1;
const TARGETS = Array.from({ length: 100 }, (_, i) => `/books/${i}`);

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  declared: scenario({ journeys: { a: TARGETS.map((target) => get(target)) } }),
  plain: scenario({ journeys: { a: TARGETS.map((target) => get(target)) } }),
  checked: scenario({
    journeys: {
      a: async (user) => {
        const book = await user.get('/books/1', {
          check: { status: 200, header: { 'content-length': '27' } },
        });
        const id = book.json<number>('id');
        await user.get(`/books/${id}`, { check: { json: { id: 1 } } });
      },
    },
  }),
};

const [kind, port, users, seconds] = process.argv.slice(2) as [string, string, string, string];
const compiled = compileScenario(SCENARIOS[kind]);
const declared = { draw: 'uniform', targets: TARGETS, distinctCount: TARGETS.length } as const;
const plan: LoadPlan = {
  seed: 7,
  shape: 'steps',
  requests: [
    { id: 'GET /books/[id]', method: 'GET', route: '/books/[id]', shareRatio: 1, targets: declared },
  ],
  requestTimeoutSeconds: 10,
  steps: [
    {
      index: 0,
      label: kind,
      driver: { kind: 'closed', users: Number(users) },
      warmupSeconds: WARMUP_SECONDS,
      measureSeconds: Number(seconds),
    },
  ],
};
const url = new URL(`http://127.0.0.1:${port}`);
const protocol = createHttp1Protocol(
  { url, requests: plan.requests, requestTimeoutSeconds: 10 },
  TIMER_CLOCK,
);
const run = {
  compiled,
  headers: {},
  origin: url.origin,
  shared: undefined,
  record: new ScenarioRecord(),
  feeds: { take: async () => undefined },
  epochSeconds: () => Date.now() / 1000,
};
let cpu = process.cpuUsage();
const probe = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };
setTimeout(() => (cpu = process.cpuUsage()), WARMUP_SECONDS * 1000);
startPlan(
  plan,
  {
    clock: TIMER_CLOCK,
    protocol,
    counters: [],
    generator: probe,
    ...(kind !== 'declared' && { scenario: run }),
  },
  (event) => {
    if (event.kind === 'step-finished') {
      const { completionCount, outcomeCounts } = event.measurement;
      const { user, system } = process.cpuUsage(cpu);
      if (outcomeCounts.error + outcomeCounts.timeout > 0)
        throw new Error(JSON.stringify(event.measurement.errorCodes));
      process.stdout.write(`${completionCount} ${(user + system) / 1e6}\n`);
    }
    if (event.kind === 'finished') void protocol.close();
  },
);
