import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meanOf, percentileOf } from '../../src/stats/histogram.ts';
import type { Distribution } from '../../src/model/distribution.ts';
import type { LoadPlan } from '../../src/model/load.ts';
import type { StepMeasurement } from '../../src/model/measurement.ts';
import { closedStep, request, simulatePlan } from '../support/simulate.ts';

const exponential = (meanSeconds: number): Distribution => ({ kind: 'exponential', meanSeconds });

/** Exact mean-value analysis of single-server stations and a think time (Reiser and Lavenberg, JACM 27(2), 1980). */
function exactMva(demandsSeconds: readonly number[], thinkSeconds: number, users: number) {
  let queueLengths = demandsSeconds.map(() => 0);
  let throughput = 0;
  for (let n = 1; n <= users; n += 1) {
    const residences = demandsSeconds.map((demand, k) => demand * (1 + queueLengths[k]!));
    throughput = n / (thinkSeconds + residences.reduce((sum, r) => sum + r, 0));
    queueLengths = residences.map((residence) => throughput * residence);
  }
  return { throughput, responseTime: users / throughput - thinkSeconds };
}

/** Relative half-width of the mean throughput at five standard errors, by ten batch means of the slices. */
function throughputTolerance(measurement: StepMeasurement): number {
  const perBatch = Math.floor(measurement.slices.length / 10);
  const means = Array.from({ length: 10 }, (_, b) => {
    const batch = measurement.slices.slice(b * perBatch, (b + 1) * perBatch);
    return batch.reduce((sum, slice) => sum + slice.okCount, 0) / perBatch;
  });
  const mean = means.reduce((sum, x) => sum + x, 0) / 10;
  const variance = means.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 9;
  return (5 * Math.sqrt(variance / 10)) / mean;
}

const plan = (
  users: readonly number[],
  thinkTime: Distribution | undefined,
  measureSeconds: number,
): LoadPlan => ({
  seed: 7,
  shape: 'steps',
  requests: [request('/a', 1)],
  ...(thinkTime !== undefined && { thinkTimeSeconds: thinkTime }),
  requestTimeoutSeconds: 30,
  steps: users.map((n, i) => closedStep(i, n, 200, measureSeconds)),
});

test('two stations and think time give the throughput, response time and utilisation of exact MVA', () => {
  const demands = [0.05, 0.02];
  const service = {
    stations: [
      { name: 'cpu', serverCount: 1 },
      { name: 'disk', serverCount: 1 },
    ],
    visits: {
      'GET /a': [
        { station: 'cpu', service: exponential(demands[0]!) },
        { station: 'disk', service: exponential(demands[1]!), cpuRatio: 0 },
      ],
    },
  };
  const { measurements } = simulatePlan(plan([1, 10, 20, 30], exponential(1), 4000), service);
  for (const measurement of measurements) {
    const users = measurement.step.driver.kind === 'closed' ? measurement.step.driver.users : 0;
    const exact = exactMva(demands, 1, users);
    const throughput = measurement.completionCount / measurement.windowSeconds;
    const tolerance = throughputTolerance(measurement);
    assert.ok(tolerance < 0.1, `the run is long enough to tell: ±${tolerance}`);
    assert.ok(
      Math.abs(throughput / exact.throughput - 1) < tolerance,
      `X at ${users}: ${throughput}, exact ${exact.throughput}`,
    );
    // R = N/X − Z: an error of X of ε moves R by about ε·N/X.
    const responseTime = meanOf(measurement.responseTime)!;
    const responseTolerance = (tolerance * users) / exact.throughput;
    assert.ok(
      Math.abs(responseTime - exact.responseTime) < responseTolerance,
      `R at ${users}: ${responseTime}, exact ${exact.responseTime}`,
    );
    const cpu = measurement.counters.find((series) => series.quantity === 'cpuSeconds')!;
    const busy = cpu.points.at(-1)![1] - cpu.points[0]![1];
    const utilization = busy / measurement.windowSeconds;
    assert.ok(
      Math.abs(utilization / (exact.throughput * demands[0]!) - 1) < tolerance + 0.02,
      `U at ${users}: ${utilization}`,
    );
  }
});

test('workers without think time keep a pool of eight slots of 5 ms at X = min(N, 8)/5 ms, and X·R = N', () => {
  const service = {
    stations: [{ name: 'pool', serverCount: 8 }],
    visits: {
      'GET /a': [
        { station: 'pool', service: { kind: 'constant', meanSeconds: 0.005 } as const, cpuRatio: 0 },
      ],
    },
  };
  const { measurements } = simulatePlan({ ...plan([1, 4, 8, 16, 64], undefined, 20) }, service);
  for (const measurement of measurements) {
    const users = measurement.step.driver.kind === 'closed' ? measurement.step.driver.users : 0;
    const throughput = measurement.completionCount / measurement.windowSeconds;
    const exact = Math.min(users, 8) / 0.005;
    // At most one batch of `users` completions falls on either side of the window's edges.
    assert.ok(
      Math.abs(throughput - exact) <= (2 * users) / measurement.windowSeconds + 1e-6,
      `X at ${users}: ${throughput}`,
    );
    assert.ok(Math.abs(measurement.meanInFlight / users - 1) < 1e-9);
    assert.ok(Math.abs((throughput * meanOf(measurement.responseTime)!) / users - 1) < 0.01);
  }
});

test('thinking and in-flight users sum to N, counts of warm-up and drain included add up, and a seed repeats a run', () => {
  const service = {
    stations: [{ name: 'cpu', serverCount: 1 }],
    visits: { 'GET /a': [{ station: 'cpu', service: exponential(0.05) }] },
  };
  const thinkTime: Distribution = { kind: 'uniform', meanSeconds: 2, minSeconds: 1, maxSeconds: 3 };
  const stepped: LoadPlan = {
    ...plan([5, 50, 20], thinkTime, 60),
    usersPerSecond: 10,
    steps: [5, 50, 20].map((users, i) => closedStep(i, users, 20, 40)),
  };
  const run = simulatePlan(stepped, service);
  for (const [i, users] of [5, 50, 20].entries()) {
    const measurement = run.measurements[i]!;
    assert.ok(Math.abs((measurement.meanInFlight + measurement.meanThinking!) / users - 1) < 1e-3);
    assert.equal(measurement.windowSeconds, 40);
    assert.ok(
      Math.abs(measurement.thinkTimeSeconds! - 2) <
        (5 * (2 / Math.sqrt(12))) / Math.sqrt(measurement.completionCount),
    );
  }
  const [totals] = run.totals.byRoute;
  assert.equal(totals!.sentCount, totals!.okCount);
  assert.equal(totals!.answeredCount, totals!.okCount);
  assert.ok(totals!.okCount > run.measurements.reduce((sum, m) => sum + m.completionCount, 0));
  assert.deepEqual(simulatePlan(stepped, service).measurements, run.measurements);
  assert.notDeepEqual(simulatePlan({ ...stepped, seed: 8 }, service).measurements, run.measurements);
});

test('a fast route behind a slow one on one lane waits for it, and the split by what was in flight shows it', () => {
  const requests = [request('/fast', 0.75), request('/slow', 0.25)];
  const visits = (station: string) => ({
    'GET /fast': [{ station: 'lane', service: { kind: 'constant', meanSeconds: 0.0005 } as const }],
    'GET /slow': [{ station, service: { kind: 'constant', meanSeconds: 0.03 } as const }],
  });
  const measure = (station: string) => {
    const service = {
      stations: [{ name: 'lane', serverCount: 1 }, { name: 'elsewhere' }],
      visits: visits(station),
    };
    const thinkTime: Distribution = { kind: 'uniform', meanSeconds: 2, minSeconds: 1, maxSeconds: 3 };
    const { measurements } = simulatePlan({ ...plan([60], thinkTime, 300), requests }, service);
    return measurements[0]!.interference.find((pair) => pair.route === '/fast')!;
  };
  const blocked = measure('lane');
  assert.ok(percentileOf(blocked.withOther, 50)! > 0.01);
  assert.ok(percentileOf(blocked.withoutOther, 50)! < 0.001);
  const free = measure('elsewhere');
  assert.ok(percentileOf(free.withOther, 95)! < 0.002);
});
