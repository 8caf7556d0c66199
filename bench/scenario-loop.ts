import { ScenarioRecord } from '../src/drive/scenario-record.ts';
import type { LoadPlan } from '../src/model/load.ts';
import { compileScenario } from '../src/scenario/compile.ts';
import { get, scenario } from '../src/scenario/define.ts';
import type { Scenario } from '../src/scenario/types.ts';
import { openEngine } from '../src/session/load-engine.ts';
import { runLoad } from '../src/session/run-load.ts';

/**
 * A scenario on one closed step, as `shipload run scenario.ts` drives it, beside the same requests as the mix of a
 * plan. Prints the answers of the measured window and the CPU spent on it.
 * Usage: scenario-loop declared|plain|checked PORT USERS SECONDS.
 */
const [kind, ...size] = process.argv.slice(2) as [string, ...string[]];
const [port, users, seconds] = size.map(Number) as [number, number, number];
/** Compiling the hot path belongs before the measurement. */
const WARMUP_SECONDS = 3;
const TARGETS = Array.from({ length: 100 }, (_, i) => `/books/${i}`);

const SCENARIOS: Readonly<Record<string, Scenario>> = {
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
      driver: { kind: 'closed', users },
      warmupSeconds: WARMUP_SECONDS,
      measureSeconds: seconds,
    },
  ],
};
const url = new URL(`http://127.0.0.1:${port}`);
const run = kind !== 'declared' && {
  scenario: {
    compiled: compileScenario(SCENARIOS[kind]),
    headers: {},
    origin: url.origin,
    shared: undefined,
    record: new ScenarioRecord(),
    feeds: { take: async () => undefined },
    epochSeconds: () => Date.now() / 1000,
  },
};
const engine = await openEngine(
  plan,
  { url, requests: plan.requests, requestTimeoutSeconds: 10 },
  { generatorCount: 1, sendSamples: false },
);
const { measurements } = await runLoad(plan, { engine, counters: [], ...run });
const [step] = measurements;
if (step === undefined || step.outcomeCounts.error + step.outcomeCounts.timeout > 0)
  throw new Error(`requests failed: ${JSON.stringify(step?.errorCodes)}`);
process.stdout.write(`${step.completionCount} ${step.generator!.cpuSeconds}\n`);
await engine.close();
