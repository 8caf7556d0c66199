import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { VirtualClock } from '../host/virtual-clock.ts';
import type { LoadPlan, Step } from '../model/load.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import { compileScenario } from '../scenario/compile.ts';
import { get, scenario } from '../scenario/define.ts';
import type { Scenario } from '../scenario/types.ts';
import { requestsOf } from '../session/open-scenario.ts';
import { meanOf, percentileOf } from '../stats/histogram.ts';
import { ScriptedProtocol } from '../../test/support/scripted-protocol.ts';
import { type RunEvent, startPlan } from './run-plan.ts';
import { ScenarioRecord } from './scenario-record.ts';

const SERVICE_SECONDS = 0.2;
const NO_PROBE = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };

/** Runs a scenario on the virtual clock against a service that takes 0.2 s for every request. */
async function run(spec: Scenario<never, never> | Scenario, driver: Step['driver'], seconds = 60) {
  const compiled = compileScenario(spec);
  const clock = new VirtualClock();
  const protocol = new ScriptedProtocol(clock, (sentAtSeconds) => ({
    endedAtSeconds: sentAtSeconds + SERVICE_SECONDS,
  }));
  const record = new ScenarioRecord();
  const rehearsed = [{ journey: compiled.journeys[0]!.name, method: 'GET', route: '/a', target: '/a' }];
  const requests = requestsOf({
    path: 'test.ts',
    folder: '',
    compiled,
    feeds: new Set(),
    rehearsal: { requests: rehearsed.map((one) => ({ ...one, headers: {}, pauseSeconds: 0 })), faults: [] },
  });
  const step: Step = { index: 0, label: '', driver, warmupSeconds: 5, measureSeconds: seconds };
  const plan: LoadPlan = { seed: 7, shape: 'steps', requests, requestTimeoutSeconds: 30, steps: [step] };
  const measurements: StepMeasurement[] = [];
  const progress = { isFinished: false };
  const listener = (event: RunEvent): void => {
    if (event.kind === 'step-finished') measurements.push(event.measurement);
    progress.isFinished ||= event.kind === 'finished';
  };
  const feeds = { take: async () => undefined };
  const base = { headers: {}, origin: 'http://h', feeds, record, epochSeconds: () => 0, shared: undefined };
  startPlan(
    plan,
    { clock, protocol, counters: [], generator: NO_PROBE, scenario: { ...base, compiled } },
    listener,
  );
  // What users do between two answers is done in promises, which a turn of the event loop lets come to their ends.
  while (!progress.isFinished && clock.runNext()) await turn();
  return { measurement: measurements[0]!, record, protocol };
}

const closed = (users: number): Step['driver'] => ({ kind: 'closed', users });

const WAYS: readonly [string, Scenario][] = [
  ['a function', scenario({ thinkTime: 0.8, journeys: { a: async (user) => void (await user.get('/a')) } })],
  ['a list of plain requests', scenario({ thinkTime: 0.8, journeys: { a: [get('/a')] } })],
  [
    'a function that pauses',
    scenario({
      journeys: {
        a: async (user) => {
          await user.pause(0.8);
          await user.get('/a');
        },
      },
    }),
  ],
];

for (const [name, spec] of WAYS)
  test(`users of ${name} obey the interactive response time law, N = X(R + Z)`, async () => {
    const { measurement } = await run(spec, closed(5));
    const throughput = measurement.completionCount / measurement.windowSeconds;
    // One request a second and user: exactly, up to the edges of the window.
    assert.ok(Math.abs(throughput - 5) <= 5 / measurement.windowSeconds, `${throughput}`);
    assert.ok(Math.abs(meanOf(measurement.responseTime)! - SERVICE_SECONDS) < 1e-3);
    assert.ok(Math.abs(measurement.thinkTimeSeconds! - 0.8) < 1e-9);
    assert.ok(Math.abs(measurement.meanInFlight + measurement.meanThinking! - 5) < 1e-9);
  });

test('journeys are chosen by weight, and their groups are timed', async () => {
  const { measurement } = await run(
    scenario({
      journeys: {
        often: {
          weight: 3,
          run: (user) => user.group('both', async () => [await user.get('/a'), await user.get('/b/1')]),
        },
        seldom: [get('/c')],
      },
    }),
    closed(20),
    200,
  );
  const parts = new Map(measurement.scenario!.parts.map((part) => [part.name, part]));
  const [often, seldom] = [parts.get('often')!.endedCount, parts.get('seldom')!.endedCount];
  const share = often / (often + seldom);
  // Four standard deviations of a share of n independent choices.
  assert.ok(Math.abs(share - 0.75) < 4 * Math.sqrt((0.75 * 0.25) / (often + seldom)), `${share}`);
  assert.equal(parts.get('often/both')!.endedCount, often);
  const median = percentileOf(parts.get('often/both')!.duration, 50)!;
  assert.ok(Math.abs(median - 2 * SERVICE_SECONDS) < 0.02, `${median}`);
  // Routes that nobody announced are counted under their own names.
  assert.deepEqual(
    measurement.byRoute.map(({ requestClassId }) => requestClassId),
    ['GET /c', 'GET /a', 'GET /b/[id]'],
  );
});

test('journeys that arrive do so at the rate, however long they take', async () => {
  const { measurement } = await run(
    scenario({
      journeys: { a: async (user) => [await user.get('/a'), await user.pause(3), await user.get('/a')] },
    }),
    { kind: 'open', arrivalRatePerSecond: 10, arrivals: 'constant', maxInFlight: 1000 },
  );
  const begun = measurement.scenario!.parts[0]!.endedCount / measurement.windowSeconds;
  assert.ok(Math.abs(begun - 10) <= 10 / measurement.windowSeconds, `${begun}`);
  // A pause is no time of the service.
  assert.ok(Math.abs(meanOf(measurement.responseTime)! - SERVICE_SECONDS) < 1e-3);
});

test('arrivals above the most that may be under way are dropped, and counted', async () => {
  const { measurement } = await run(
    scenario({ journeys: { a: async (user) => [await user.get('/a'), await user.pause(0.8)] } }),
    { kind: 'open', arrivalRatePerSecond: 10, arrivals: 'constant', maxInFlight: 5 },
  );
  // Five under way for a second each: five of ten arrivals a second.
  const dropped = measurement.outcomeCounts.dropped / measurement.windowSeconds;
  assert.ok(Math.abs(dropped - 5) <= 10 / measurement.windowSeconds, `${dropped}`);
});

test('a journey that throws is counted each time, told once, and does not stop its user', async () => {
  const { measurement, record } = await run(
    scenario({
      journeys: {
        a: async (user) => {
          await user.get('/a');
          throw new Error(`user ${user.index}, run ${user.iteration}`);
        },
      },
    }),
    closed(3),
  );
  const [part] = measurement.scenario!.parts;
  assert.equal(part!.failedCount, part!.endedCount);
  assert.deepEqual(part!.brokeOffAfter, { 'GET /a': part!.failedCount });
  assert.ok(part!.endedCount > 800);
  assert.equal(record.faults.length, 1);
  assert.equal(record.faults[0]!.message, 'user 0, run 0');
  assert.ok(record.faults[0]!.count >= part!.endedCount);
  // What was sent before is measured like the rest.
  assert.equal(measurement.outcomeCounts.error, 0);
});

test('a journey that throws before it sends anything is tried once a second, not without end', async () => {
  const { measurement, record } = await run(
    scenario({
      journeys: {
        a: async () => {
          throw new Error('at once');
        },
      },
    }),
    closed(2),
    10,
  );
  const [part] = measurement.scenario!.parts;
  assert.deepEqual(part!.brokeOffAfter, { '': part!.failedCount });
  assert.ok(record.faults[0]!.count <= 2 * 16 && record.faults[0]!.count >= 2 * 14);
});

test('checks that fail make the request a failure, and let the user go on', async () => {
  const { measurement } = await run(
    scenario({
      journeys: {
        a: async (user) => [
          await user.get('/a', { check: { status: 404 } }),
          await user.get('/b', { check: { status: 200 } }),
        ],
      },
    }),
    closed(1),
  );
  const { ok, error } = measurement.outcomeCounts;
  assert.ok(ok > 100 && Math.abs(ok - error) <= 1);
  assert.deepEqual(Object.keys(measurement.errorCodes), ['check-status-404']);
  const { parts, checks } = measurement.scenario!;
  const [first, second] = checks;
  // One of the two checks of each run fails.
  assert.equal(parts[0]!.failedCheckCount, parts[0]!.endedCount);
  assert.equal(parts[0]!.failedCount, 0);
  assert.deepEqual([first!.name, first!.passedCount], ['GET /a: status 404', 0]);
  assert.deepEqual([second!.name, second!.failedCount], ['GET /b: status 200', 0]);
});

test('two requests of one user at a time are refused, the run through the journey fails', async () => {
  const { record } = await run(
    scenario({ journeys: { a: async (user) => Promise.all([user.get('/a'), user.get('/b')]) } }),
    closed(1),
    5,
  );
  assert.match(record.faults[0]!.message, /one request at a time/);
});
