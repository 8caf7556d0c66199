import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { VirtualClock } from '../host/virtual-clock.ts';
import type { LoadPlan, Step } from '../model/load.ts';
import { compileScenario } from '../scenario/compile.ts';
import { scenario } from '../scenario/define.ts';
import { ScriptedProtocol } from '../../test/support/scripted-protocol.ts';
import { MergedRun, partEventOf } from './merged-run.ts';
import { partsOf } from './plan-part.ts';
import { type RunEvent, startPlan } from './run-plan.ts';
import { ScenarioRecord } from './scenario-record.ts';

/** Every user goes by its own way through three routes that no plan names. */
const SPEC = scenario({
  thinkTime: 0.3,
  journeys: {
    walk: async (user) => {
      for (let i = 0; i < 3; i += 1) await user.get(`/${['b', 'c', 'd'][(user.index + i) % 3]}`);
    },
  },
});

const planOf = (driver: Step['driver']): LoadPlan => ({
  seed: 7,
  shape: 'steps',
  requests: [],
  requestTimeoutSeconds: 30,
  steps: [{ index: 0, label: '', driver, warmupSeconds: 2, measureSeconds: 20 }],
});

/** The parts of a scenario on one virtual clock; `count` 1 is one generator that knows nothing of parts. */
async function runParts(driver: Step['driver'], count: number) {
  const plan = {
    ...planOf(driver),
    requests: [
      {
        id: 'GET /',
        method: 'GET',
        route: '/',
        shareRatio: 1,
        targets: { draw: 'uniform', targets: ['/'], distinctCount: 1 },
      },
    ],
  } as const;
  const clock = new VirtualClock();
  const protocol = new ScriptedProtocol(clock, (sentAtSeconds) => ({ endedAtSeconds: sentAtSeconds + 0.1 }));
  const events: RunEvent[] = [];
  const names = partsOf(count).map(({ index }) => `agent ${index}`);
  const merged = new MergedRun(
    plan,
    { names, counters: [], nowSeconds: () => clock.nowSeconds(), stopParts: () => {} },
    (event) => events.push(event),
  );
  for (const part of partsOf(count)) {
    const run = {
      compiled: compileScenario(SPEC),
      headers: {},
      origin: 'http://h',
      feeds: { take: async () => undefined },
      record: new ScenarioRecord(),
      epochSeconds: () => 0,
      shared: undefined,
    };
    const generator = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };
    startPlan(
      plan,
      { clock, protocol, counters: [], generator, scenario: run, part, originSeconds: 0 },
      (event) => merged.receive(part.index, partEventOf(event)),
    );
  }
  while (events.at(-1)?.kind !== 'finished' && clock.runNext()) await turn();
  const last = events.at(-1);
  const measured = events.find((event) => event.kind === 'step-finished');
  assert.ok(last?.kind === 'finished' && measured?.kind === 'step-finished');
  return { totals: last.totals, measurement: measured.measurement, sentAtSeconds: protocol.sentAtSeconds };
}

const byId = <Route extends { readonly requestClassId: string }>(
  routes: readonly Route[],
): readonly Route[] => routes.toSorted((a, b) => (a.requestClassId < b.requestClassId ? -1 : 1));
const rounded = (times: readonly number[]): readonly string[] =>
  times.toSorted((a, b) => a - b).map((at) => at.toFixed(9));

test('users of a scenario are split over generators that find its routes in orders of their own', async () => {
  const whole = await runParts({ kind: 'closed', users: 10 }, 1);
  for (const count of [2, 3]) {
    const split = await runParts({ kind: 'closed', users: 10 }, count);
    assert.deepEqual(rounded(split.sentAtSeconds), rounded(whole.sentAtSeconds));
    assert.deepEqual(byId(split.totals.byRoute), byId(whole.totals.byRoute));
    assert.deepEqual(
      byId(split.measurement.byRoute).map(({ okCount, responseTime }) => [okCount, responseTime.bins]),
      byId(whole.measurement.byRoute).map(({ okCount, responseTime }) => [okCount, responseTime.bins]),
    );
    const [part] = split.measurement.scenario!.parts;
    assert.equal(part!.endedCount, whole.measurement.scenario!.parts[0]!.endedCount);
  }
});

test('journeys that arrive are split too: as many begin, at the same times', async () => {
  const driver = { kind: 'open', arrivals: 'poisson', arrivalRatePerSecond: 5, maxInFlight: 100 } as const;
  const [whole, split] = [await runParts(driver, 1), await runParts(driver, 3)];
  assert.deepEqual(rounded(split.sentAtSeconds), rounded(whole.sentAtSeconds));
  assert.equal(
    split.measurement.scenario!.parts[0]!.endedCount,
    whole.measurement.scenario!.parts[0]!.endedCount,
  );
});
