import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_HISTOGRAM } from '../stats/histogram.ts';
import { VirtualClock } from '../host/virtual-clock.ts';
import type { Driver, LoadPlan } from '../model/load.ts';
import type { Frame, StepMeasurement } from '../model/measurement.ts';
import { closedStep, scriptPlan } from '../../test/support/simulate.ts';
import { type Script, ScriptedProtocol } from '../../test/support/scripted-protocol.ts';
import { MergedRun, partEventOf, type PartEvent } from './merged-run.ts';
import { SharedInFlight } from './in-flight.ts';
import { partsOf } from './plan-part.ts';
import { type PartRun, type RunEvent, startPlan, type StepSource } from './run-plan.ts';

const targetsOf = (name: string) => ({
  draw: 'uniform' as const,
  distinctCount: 50,
  targets: Array.from({ length: 50 }, (_, i) => `/${name}/${i}`),
});

function planWith(driver: Driver, think = true): LoadPlan {
  return {
    seed: 7,
    shape: 'steps',
    requests: [
      { id: 'a', method: 'GET', route: '/a/[id]', shareRatio: 0.7, targets: targetsOf('a') },
      { id: 'b', method: 'GET', route: '/b/[id]', shareRatio: 0.3, targets: targetsOf('b') },
    ],
    ...(think && { thinkTimeSeconds: { kind: 'exponential', meanSeconds: 0.5 } as const }),
    usersPerSecond: 20,
    requestTimeoutSeconds: 10,
    steps: [{ ...closedStep(0, 3, 2, 6), driver }, { ...closedStep(1, 11, 2, 6) }],
  };
}

/** Every target has a time of its own, every eleventh fails. */
const script: Script = (sentAtSeconds, _, target) => {
  const number = Number(target.split('/')[2]);
  return {
    endedAtSeconds: sentAtSeconds + 0.01 + number / 1000,
    ...(number % 11 === 10 && { status: 503 }),
  };
};

interface SplitRun {
  readonly events: readonly RunEvent[];
  readonly measurements: readonly StepMeasurement[];
  readonly sentAtSeconds: readonly number[];
}

/** The parts of a plan on one virtual clock against one scripted service, as threads would run them. */
function runSplit(
  plan: LoadPlan,
  count: number,
  stopAtSeconds = Infinity,
  nextStep?: StepSource,
  answerSeconds = 0,
): SplitRun {
  const clock = new VirtualClock();
  const protocol = new ScriptedProtocol(clock, script);
  const events: RunEvent[] = [];
  const runs: PartRun[] = [];
  const parts = partsOf(count);
  const memory = SharedInFlight.memory(count);
  const merged = new MergedRun(
    plan,
    {
      names: parts.map(({ index }) => `worker ${index + 1}`),
      counters: [],
      nowSeconds: () => clock.nowSeconds(),
      // The word to stop reaches one after the other.
      stopParts: (reason) => {
        for (const [i, run] of runs.entries()) {
          clock.schedule(clock.nowSeconds() + i * 0.3, { onTime: () => run.stop(reason) });
        }
      },
      ...(nextStep !== undefined && { nextStep }),
      goOn: (step) => {
        const startsAtSeconds = clock.nowSeconds() + answerSeconds;
        for (const run of runs) run.goOn(step, startsAtSeconds);
      },
    },
    (event) => events.push(event),
  );
  for (const part of parts) {
    const generator = { read: () => ({ cpuSeconds: 0.25 * (part.index + 1), eventLoopDelayMaxSeconds: 0 }) };
    runs.push(
      startPlan(
        plan,
        {
          clock,
          protocol,
          counters: [],
          generator,
          part,
          inFlight: new SharedInFlight(memory, part.index, plan.requests.length),
          originSeconds: 0,
          awaitsSteps: nextStep !== undefined,
        },
        (event) => merged.receive(part.index, structuredClone(partEventOf(event))),
      ),
    );
  }
  clock.schedule(stopAtSeconds, { onTime: () => merged.stop('interrupted') });
  clock.run();
  return {
    events,
    measurements: events.flatMap((event) => (event.kind === 'step-finished' ? [event.measurement] : [])),
    sentAtSeconds: protocol.sentAtSeconds,
  };
}

const rising = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

/** To twelve digits: sums of floating-point numbers depend on the order of adding. */
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(12)) : one)),
  );

/** What a plan measured, without who made the load and what generators learn of each other. */
const measured = (measurements: readonly StepMeasurement[]): unknown =>
  rounded(
    measurements.map((one) => ({
      ...one,
      generator: undefined,
      interference: undefined,
      answerGap: undefined,
    })),
  );

/**
 * Answer gaps are shared in whole µs. Where an arrival and an answer fall on one moment, either may come first: of the
 * requests of a pair of routes a few may count on the other side.
 */
function assertSameInFlight(split: SplitRun, whole: Pick<SplitRun, 'measurements'>): void {
  for (const [i, { answerGap, interference }] of split.measurements.entries()) {
    const expected = whole.measurements[i]!;
    assert.equal(answerGap!.totalCount, expected.answerGap!.totalCount);
    const gapSeconds = answerGap!.sumSeconds - expected.answerGap!.sumSeconds;
    assert.ok(Math.abs(gapSeconds) <= 1e-6 * (answerGap!.totalCount + 1), `${gapSeconds} s`);
    assert.equal(interference.length, expected.interference.length);
    for (const [j, { withOther, withoutOther }] of interference.entries()) {
      const same = expected.interference[j]!;
      assert.equal(
        withOther.totalCount + withoutOther.totalCount,
        same.withOther.totalCount + same.withoutOther.totalCount,
      );
      assert.ok(Math.abs(withOther.totalCount - same.withOther.totalCount) <= 3);
    }
  }
}

const DRIVERS: readonly (readonly [title: string, driver: Driver, think: boolean])[] = [
  ['users who think', { kind: 'closed', users: 5 }, true],
  ['workers without think time', { kind: 'closed', users: 5 }, false],
  [
    'Poisson arrivals',
    { kind: 'open', arrivals: 'poisson', arrivalRatePerSecond: 60, maxInFlight: 100 },
    true,
  ],
  [
    'constant arrivals',
    { kind: 'open', arrivals: 'constant', arrivalRatePerSecond: 60, maxInFlight: 100 },
    true,
  ],
];

for (const [title, driver, think] of DRIVERS) {
  for (const count of [2, 3, 7]) {
    test(`${count} generators send and measure what one does: ${title}`, () => {
      const plan = planWith(driver, think);
      const whole = scriptPlan(plan, script);
      const split = runSplit(plan, count);
      assert.deepEqual(rounded(rising(split.sentAtSeconds)), rounded(rising(whole.sentAtSeconds)));
      assert.deepEqual(measured(split.measurements), measured(whole.measurements));
      assertSameInFlight(split, whole);
      const last = split.events.at(-1);
      assert.ok(last?.kind === 'finished');
      assert.deepEqual(last.totals, whole.totals);
      const order = (events: readonly RunEvent[]) => events.map((event) => event.kind);
      assert.deepEqual(order(split.events), order(whole.events));
    });
  }
}

test('every worker is kept by name, and their CPU and cores add', () => {
  const [first] = runSplit(planWith({ kind: 'closed', users: 5 }), 2).measurements;
  const generator = first!.generator!;
  assert.deepEqual(
    generator.workers?.map(({ name, cpuSeconds }) => [name, cpuSeconds]),
    [
      ['worker 1', 6 * 0.25],
      ['worker 2', 6 * 0.5],
    ],
  );
  assert.equal(generator.coreCount, 2);
  assert.equal(generator.utilizationRatio, (6 * 0.75) / (6 * 2));
});

for (const stopAtSeconds of [0.5, 2.05, 4.2, 7.95, 8.9, 12.4]) {
  test(`a stop at ${stopAtSeconds} s that reaches the generators apart loses no request`, () => {
    const { events, sentAtSeconds } = runSplit(planWith({ kind: 'closed', users: 5 }), 3, stopAtSeconds);
    const last = events.at(-1);
    assert.ok(last?.kind === 'finished');
    assert.equal(last.reason, 'interrupted');
    const total = last.totals.byRoute.reduce((sum, route) => sum + route.sentCount, 0);
    const framed = events
      .flatMap((event) => (event.kind === 'frame' ? event.frame.routes : []))
      .reduce((sum, route) => sum + route.sentCount, 0);
    assert.equal(total, sentAtSeconds.length);
    assert.equal(framed, sentAtSeconds.length);
  });
}

/** A frame of a second in which every connection was refused, or one in which nothing happened. */
function secondOf(atSeconds: number, errorCodes: Frame['errorCodes']): PartEvent {
  const generator = {
    cpuSeconds: 0,
    coreCount: 1,
    utilizationRatio: 0,
    scheduleLag: EMPTY_HISTOGRAM,
    eventLoopDelayMaxSeconds: 0,
  };
  const frame: Frame = {
    stepIndex: 0,
    phase: 'warmup',
    startedAtSeconds: atSeconds,
    endedAtSeconds: atSeconds + 1,
    routes: [],
    errorCodes,
    statusCounts: {},
    inFlightSeconds: 0,
    thinkingSeconds: 0,
    thinkTimeSumSeconds: 0,
    thinkTimeCount: 0,
    retriedCount: 0,
    connectionCount: 0,
    interference: [],
    generator,
  };
  return { kind: 'frame', frame };
}

test('a service that refuses one worker for three seconds, the others idle, is gone for all', () => {
  const stops: string[] = [];
  const merged = new MergedRun(
    planWith({ kind: 'closed', users: 1 }),
    {
      names: ['worker 1', 'worker 2'],
      counters: [],
      nowSeconds: () => 0,
      stopParts: (reason) => stops.push(reason),
    },
    () => {},
  );
  for (let second = 0; second < 3; second += 1) {
    assert.deepEqual(stops, []);
    merged.receive(0, secondOf(second, { ECONNREFUSED: 4 }));
    merged.receive(1, secondOf(second, {}));
  }
  assert.deepEqual(stops, ['service-gone']);
});

/** Two steps more, which depend on what was measured: users, then arrivals. */
const twoMore: StepSource = (measurements) => {
  const last = measurements.at(-1)!;
  const { index } = last.step;
  if (index === 1) return closedStep(2, Math.round(last.completionCount / 8), 1, 5);
  if (index > 2) return undefined;
  const arrivalRatePerSecond = last.completionCount / 3;
  const driver = { kind: 'open', arrivals: 'poisson', arrivalRatePerSecond, maxInFlight: 100 } as const;
  return { ...closedStep(3, 0, 1, 5), driver, restSeconds: 0.5 };
};

for (const count of [2, 3, 7]) {
  test(`${count} generators grow a plan as one does, step by step from what all of them measured`, () => {
    const plan = planWith({ kind: 'closed', users: 5 });
    const whole = scriptPlan(plan, script, twoMore);
    const split = runSplit(plan, count, Infinity, twoMore);
    assert.equal(split.measurements.length, 4);
    assert.deepEqual(
      split.measurements.map(({ step }) => step),
      whole.measurements.map(({ step }) => step),
    );
    assert.deepEqual(rounded(rising(split.sentAtSeconds)), rounded(rising(whole.sentAtSeconds)));
    assert.deepEqual(measured(split.measurements), measured(whole.measurements));
    const last = split.events.at(-1);
    assert.ok(last?.kind === 'finished');
    assert.deepEqual(last.totals, whole.totals);
  });
}

test('an answer that takes its time leaves the windows as long as they were asked for, and loses no request', () => {
  const { measurements, events, sentAtSeconds } = runSplit(
    planWith({ kind: 'closed', users: 5 }),
    3,
    Infinity,
    twoMore,
    0.4,
  );
  assert.deepEqual(
    measurements.map(({ windowSeconds }) => Number(windowSeconds.toFixed(9))),
    [6, 6, 5, 5],
  );
  const last = events.at(-1);
  assert.ok(last?.kind === 'finished');
  const total = last.totals.byRoute.reduce((sum, route) => sum + route.sentCount, 0);
  assert.equal(total, sentAtSeconds.length);
});

// 16 s are planned; the word to stop finds all of them waiting for an answer, or some already in the next step.
for (const stopAtSeconds of [16, 16.2, 17.5]) {
  test(`a stop at ${stopAtSeconds} s, around the growth of a plan, loses no request`, () => {
    const { events, sentAtSeconds } = runSplit(
      planWith({ kind: 'closed', users: 5 }),
      3,
      stopAtSeconds,
      twoMore,
      1,
    );
    const last = events.at(-1);
    assert.ok(last?.kind === 'finished');
    assert.equal(last.reason, 'interrupted');
    const total = last.totals.byRoute.reduce((sum, route) => sum + route.sentCount, 0);
    assert.equal(total, sentAtSeconds.length);
  });
}
