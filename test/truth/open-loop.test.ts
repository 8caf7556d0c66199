import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Distribution } from '../../src/model/distribution.ts';
import type { LoadPlan, Step } from '../../src/model/load.ts';
import type { StepMeasurement } from '../../src/model/measurement.ts';
import { meanOf, percentileOf } from '../../src/stats/histogram.ts';
import { mg1, mmm } from '../../src/stats/queueing/open-queues.ts';
import { closedStep, openStep, request, scriptPlan, simulatePlan } from '../support/simulate.ts';

const planOf = (...steps: readonly Step[]): LoadPlan => ({
  seed: 7,
  shape: 'rate',
  requests: [request('/a', 1)],
  requestTimeoutSeconds: 30,
  steps,
});

const oneStation = (service: Distribution, serverCount = 1) => ({
  stations: [{ name: 'cpu', serverCount }],
  visits: { 'GET /a': [{ station: 'cpu', service }] },
});

const BATCHES = 20;

/** Five standard errors of the mean of a slice figure, by twenty batch means. */
function tolerance(
  { slices }: StepMeasurement,
  pick: (slice: StepMeasurement['slices'][number]) => number,
): number {
  const size = Math.floor(slices.length / BATCHES);
  const means = Array.from({ length: BATCHES }, (_, b) => {
    const batch = slices.slice(b * size, (b + 1) * size);
    return batch.reduce((sum, slice) => sum + pick(slice), 0) / size;
  });
  const mean = means.reduce((sum, x) => sum + x, 0) / BATCHES;
  const variance = means.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (BATCHES - 1);
  return 5 * Math.sqrt(variance / BATCHES);
}

const S = 0.01;
const REQUESTS = 60_000;
const QUEUES = [
  ...[0.3, 0.6, 0.8].map((load) => ({
    name: `M/M/1 at ρ = ${load}`,
    rate: load / S,
    service: oneStation({ kind: 'exponential', meanSeconds: S }),
    exact: mmm(load / S, S, 1),
  })),
  {
    name: 'M/M/4 at ρ = 0.75',
    rate: 300,
    service: oneStation({ kind: 'exponential', meanSeconds: S }, 4),
    exact: mmm(300, S, 4),
  },
  {
    name: 'M/D/1 at ρ = 0.7',
    rate: 70,
    service: oneStation({ kind: 'constant', meanSeconds: S }),
    exact: mg1([{ arrivalRatePerSecond: 70, serviceTimeSeconds: S, squaredVariation: 0 }])[0]!,
  },
];

for (const { name, rate, service, exact } of QUEUES) {
  test(`${name}: response time, number in flight and rate agree with theory within five standard errors`, () => {
    const seconds = REQUESTS / rate;
    const plan = planOf(openStep(0, rate, 'poisson', [20, seconds]));
    const [measured] = simulatePlan(plan, service).measurements;
    // R = L/λ, so a relative error of L is one of R too.
    const inFlightTolerance = tolerance(measured!, (slice) => slice.meanInFlight);
    const relative = inFlightTolerance / exact.meanInSystem + 5 / Math.sqrt(REQUESTS);
    assert.ok(relative < 0.2, `the run is long enough to tell: ±${relative}`);
    assert.ok(Math.abs(measured!.meanInFlight - exact.meanInSystem) < inFlightTolerance);
    const responseTime = meanOf(measured!.responseTime)!;
    assert.ok(Math.abs(responseTime / exact.responseTimeSeconds - 1) < relative, `R ${responseTime}`);
    const sentCount = measured!.byRoute[0]!.sentCount;
    assert.ok(Math.abs(sentCount - REQUESTS) < 5 * Math.sqrt(REQUESTS), `${sentCount} sent`);
    // Little's law, from two counts that do not know of each other; at the edges at most what is in flight differs.
    const little = (measured!.completionCount * responseTime) / measured!.windowSeconds;
    assert.ok(
      Math.abs(measured!.meanInFlight / little - 1) < 0.01,
      `L ${measured!.meanInFlight}, X·R ${little}`,
    );
  });
}

test('the response time of M/M/1 is exponential: its p50, p95 and p99 are R·ln 2, R·ln 20 and R·ln 100', () => {
  const service = oneStation({ kind: 'exponential', meanSeconds: S });
  const [measured] = simulatePlan(planOf(openStep(0, 50, 'poisson', [20, 2000])), service).measurements;
  const mean = meanOf(measured!.responseTime)!;
  assert.ok(Math.abs(mean / 0.02 - 1) < tolerance(measured!, (slice) => slice.meanInFlight));
  for (const p of [50, 95, 99]) {
    const ratio = percentileOf(measured!.responseTime, p)! / (-mean * Math.log(1 - p / 100));
    assert.ok(Math.abs(ratio - 1) < 0.05, `p${p}: ${ratio} of theory`);
  }
});

test('600 requests asked for are 600 sent, at their times, also beside a step of another rate and of users', () => {
  const { measurements, sentAtSeconds } = scriptPlan(
    planOf(
      openStep(0, 10, 'constant', [5, 60]),
      openStep(1, 100, 'constant', [0, 6]),
      closedStep(2, 3, 0.1, 4.9),
      openStep(3, 60, 'constant', [0, 10]),
    ),
    (at) => ({ endedAtSeconds: at + 0.26 }),
  );
  const sent = measurements.map((measurement) => measurement.byRoute[0]!.sentCount);
  assert.deepEqual([sent[0], sent[1], sent[3]], [600, 600, 600]);
  // Three users, each with a request every 0.26 s the first of them in the warm-up.
  assert.equal(sent[2], 3 * 19);
  assert.ok(sentAtSeconds.slice(0, 650).every((at, i) => Math.abs(at - (i + 0.5) / 10) < 1e-9));
});

test('a service that never answers costs drops over the limit, counted and never sent late', () => {
  const { measurements, totals, sentAtSeconds } = scriptPlan(
    planOf(openStep(0, 20, 'constant', [0, 10], 50)),
    (at) => ({ endedAtSeconds: at + 30, errorCode: 'timeout' }),
  );
  const { sentCount, droppedCount } = measurements[0]!.byRoute[0]!;
  assert.deepEqual([sentCount, droppedCount], [50, 150]);
  assert.equal(measurements[0]!.outcomeCounts.dropped, 150);
  assert.ok(sentAtSeconds.at(-1)! < 2.5);
  assert.equal(totals.byRoute[0]!.timeoutCount, 50);
});

test('what is sent and when depends on the seed alone, not on how fast the service is', () => {
  const at = (seconds: number, seed = 7) =>
    scriptPlan({ ...planOf(openStep(0, 30, 'poisson', [0, 20])), seed }, (sentAt) => ({
      endedAtSeconds: sentAt + seconds,
    })).sentAtSeconds;
  assert.deepEqual(at(0.001), at(1.7));
  assert.notDeepEqual(at(0.001), at(0.001, 8));
});
