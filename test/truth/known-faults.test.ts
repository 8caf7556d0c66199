import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepTable } from '../../src/analysis/step-table.ts';
import type { LoadPlan, Step } from '../../src/model/load.ts';
import { meanOf, percentileOf } from '../../src/stats/histogram.ts';
import { closedStep, openStep, request, scriptPlan } from '../support/simulate.ts';

/* Public faults of load generators, each with the figure that is right. */

const planOf = (step: Step, more: Partial<LoadPlan> = {}): LoadPlan => ({
  seed: 7,
  shape: 'rate',
  requests: [request('/a', 1)],
  requestTimeoutSeconds: 30,
  steps: [step],
  ...more,
});

const STALL_FROM = 3;
const STALL_UNTIL = 5;
/** Answers after 1 ms, except that nothing is answered from 3 s to 5 s. */
const stalling = (at: number) => ({
  endedAtSeconds: at >= STALL_FROM && at < STALL_UNTIL ? STALL_UNTIL + 0.001 : at + 0.001,
});

test('one 2 s stall at 10 requests/s over 10 s: p50 1 ms, p95 1.45 s, mean 201 ms, maximum 1.95 s, all 100 sent', () => {
  const { measurements } = scriptPlan(planOf(openStep(0, 10, 'constant', [0, 10])), stalling);
  const { responseTime, byRoute, completionCount } = measurements[0]!;
  assert.equal(byRoute[0]!.sentCount, 100);
  assert.equal(completionCount, 100);
  const close = (actual: number | undefined, expected: number) =>
    assert.ok(Math.abs(actual! / expected - 1) <= 0.002, `${actual}, expected ${expected}`);
  close(percentileOf(responseTime, 50), 0.001);
  // Twenty requests meet the stall, 1.95 s down to 0.05 s before its end; five lie beyond the 95th of a hundred.
  close(percentileOf(responseTime, 95), 1.451);
  close(percentileOf(responseTime, 99), 1.851);
  close(responseTime.maxSeconds, 1.951);
  close(meanOf(responseTime), (20 * 1.001 + 80 * 0.001) / 100);
});

test('a request frozen for 5 s in a closed loop of one is the maximum, and no percentile is above it', () => {
  const { measurements } = scriptPlan(planOf(closedStep(0, 1, 0, 10)), (at) => ({
    endedAtSeconds: at >= 2 && at < 7 ? 7 : at + 0.005,
  }));
  const { responseTime } = measurements[0]!;
  assert.ok(Math.abs(responseTime.maxSeconds! - 5) < 0.01);
  for (const p of [50, 99, 99.9, 99.999, 100])
    assert.ok(percentileOf(responseTime, p)! <= responseTime.maxSeconds!, `p${p}`);
});

test('timeouts count among the response times, at the time waited', () => {
  const { measurements } = scriptPlan(planOf(openStep(0, 10, 'constant', [0, 60])), (at) =>
    at >= 20 && at < 30 ? { endedAtSeconds: at + 2, errorCode: 'timeout' } : { endedAtSeconds: at + 0.01 },
  );
  const { responseTime, outcomeCounts } = measurements[0]!;
  assert.deepEqual(outcomeCounts, { ok: 500, error: 0, timeout: 100, dropped: 0 });
  assert.equal(responseTime.totalCount, 600);
  assert.ok(Math.abs(percentileOf(responseTime, 95)! - 2) < 0.002);
});

test('fast failures do not make the response times look good', () => {
  const { measurements } = scriptPlan(planOf(openStep(0, 100, 'constant', [0, 10])), (at) =>
    Math.floor(at) % 2 === 0 ? { endedAtSeconds: at + 0.0005, status: 503 } : { endedAtSeconds: at + 0.1 },
  );
  const [row] = stepTable(measurements);
  assert.ok(Math.abs(row!.overall.p50Seconds! - 0.1) < 0.001);
  assert.equal(row!.errorCount, 500);
  assert.deepEqual(measurements[0]!.errorCodes, { 'http-503': 500 });
});

test('times of less than a millisecond are kept: at ten workers and 0.33 ms, X·R is 10 and not 2', () => {
  const { measurements } = scriptPlan(planOf(closedStep(0, 10, 1, 3)), (at) => ({
    endedAtSeconds: at + 0.00033,
  }));
  const [row] = stepTable(measurements);
  assert.ok(Math.abs(row!.throughputPerSecond * row!.responseTimeSeconds! - 10) < 0.02);
  assert.ok(Math.abs(row!.meanInFlight! - 10) < 1e-6);
});

test('ten arrivals at 1/s that take 10 s each: the offered rate stays 1/s, the drain is not in the divisor', () => {
  const { measurements, totals } = scriptPlan(planOf(openStep(0, 1, 'constant', [0, 10])), (at) => ({
    endedAtSeconds: at + 10,
  }));
  assert.equal(measurements[0]!.byRoute[0]!.sentCount / measurements[0]!.windowSeconds, 1);
  assert.equal(totals.byRoute[0]!.okCount, 10);
});

test('100 users with a think time of 2 s, over 30 s, make 50 requests a second', () => {
  const plan = planOf(closedStep(0, 100, 10, 30), {
    thinkTimeSeconds: { kind: 'constant', meanSeconds: 2 },
  });
  const [row] = stepTable(scriptPlan(plan, (at) => ({ endedAtSeconds: at + 0.0001 })).measurements);
  // All users of a constant think time move together: one round more or less falls into the window.
  assert.ok(Math.abs(row!.throughputPerSecond - 50) <= 100 / 30, `${row!.throughputPerSecond}`);
});

test('8 requests in 24 s are 0.33 a second, and their p99 is marked by its count, never NaN', () => {
  const { measurements } = scriptPlan(planOf(openStep(0, 1 / 3, 'constant', [0, 24])), (at) => ({
    endedAtSeconds: at + 0.05,
  }));
  const [row] = stepTable(measurements);
  assert.ok(Math.abs(row!.throughputPerSecond - 1 / 3) < 1e-9);
  assert.equal(row!.overall.sampleCount, 8);
  assert.ok(Math.abs(row!.overall.p99Seconds! - 0.05) < 1e-4);
});

test('a slow service does not slow the arrivals: a hundred are in flight where a request takes 10 s at 10/s', () => {
  const { measurements } = scriptPlan(planOf(openStep(0, 10, 'constant', [20, 30])), (at) => ({
    endedAtSeconds: at + 10,
  }));
  assert.ok(Math.abs(measurements[0]!.meanInFlight - 100) < 1e-6);
  assert.equal(measurements[0]!.byRoute[0]!.sentCount, 300);
});

test('960 requests in two minutes are 8 a second, 14 in five minutes 0.047: short or slow, no unit is lost', () => {
  for (const [rate, seconds, count] of [
    [8, 120, 960],
    [14 / 300, 300, 14],
    [20, 30, 600],
  ] as const) {
    const { measurements } = scriptPlan(planOf(openStep(0, rate, 'constant', [0, seconds])), (at) => ({
      endedAtSeconds: at + 0.01,
    }));
    assert.equal(measurements[0]!.byRoute[0]!.sentCount, count);
    assert.ok(Math.abs(measurements[0]!.completionCount / seconds - rate) < 1e-9);
  }
});

test('twelve workers at 35.37 ms make 339 a second: N/R and the count agree', () => {
  const { measurements } = scriptPlan(planOf(closedStep(0, 12, 1, 60)), (at) => ({
    endedAtSeconds: at + 0.03537,
  }));
  const [row] = stepTable(measurements);
  assert.ok(Math.abs(row!.throughputPerSecond - 12 / 0.03537) < 1, `${row!.throughputPerSecond}`);
});

test('one sample of 575 ms: no percentile of it is 580 ms; of uneven times every percentile rises with its order', () => {
  const one = scriptPlan(planOf(openStep(0, 0.1, 'constant', [0, 10])), (at) => ({
    endedAtSeconds: at + 0.575,
  }));
  const { responseTime } = one.measurements[0]!;
  assert.equal(responseTime.totalCount, 1);
  for (const p of [50, 95, 99]) assert.ok(Math.abs(percentileOf(responseTime, p)! - 0.575) < 1e-6);
  const many = scriptPlan(planOf(openStep(0, 1000, 'constant', [0, 10])), (at) => ({
    endedAtSeconds: at + 0.001 + 2.4 * ((at * 7.919) % 1) ** 9,
  }));
  const orders = [50, 75, 90, 95, 99, 99.9, 99.99, 100];
  const values = orders.map((p) => percentileOf(many.measurements[0]!.responseTime, p)!);
  assert.deepEqual(
    values,
    values.toSorted((a, b) => a - b),
  );
});

test('the far tail of 200,000 samples is that of the sorted samples, within a bin of 0.1 %', () => {
  const times = Array.from({ length: 200_000 }, (_, i) => 0.001 + ((i * 0.6180339887) % 1) ** 12);
  let next = 0;
  const { measurements } = scriptPlan(planOf(openStep(0, 20_000, 'constant', [0, 10])), (at) => ({
    endedAtSeconds: at + times[next++]!,
  }));
  // What is still out at the end of the window belongs to no percentile of it.
  const answered = times.filter((seconds, i) => (i + 0.5) / 20_000 + seconds < 10).toSorted((a, b) => a - b);
  const { responseTime } = measurements[0]!;
  assert.equal(responseTime.totalCount, answered.length);
  for (const p of [50, 99, 99.9, 99.99, 99.999]) {
    const expected = answered[Math.ceil((p / 100) * answered.length) - 1]!;
    const seen = percentileOf(responseTime, p)!;
    assert.ok(Math.abs(seen - expected) <= 0.001 * expected + 1e-6, `p${p}: ${seen}, expected ${expected}`);
  }
});

test('ten seconds before an open load at 1/s are no ten requests at once: it begins with its own step', () => {
  const plan = planOf(openStep(0, 1, 'constant', [0, 10]), {
    steps: [closedStep(0, 1, 0, 10), openStep(1, 1, 'constant', [0, 10])],
  });
  const { sentAtSeconds, measurements } = scriptPlan(plan, (at) => ({ endedAtSeconds: at + 0.9 }));
  assert.equal(measurements[1]!.byRoute[0]!.sentCount, 10);
  const ofOpen = sentAtSeconds.filter((at) => at > 10);
  assert.deepEqual(
    ofOpen.map((at) => Math.floor(at)),
    Array.from({ length: 10 }, (_, i) => 10 + i),
  );
});

test('a rate that the service does not keep up with stands in the table: asked, sent, answered and dropped apart', () => {
  let freeAt = 0;
  const { measurements } = scriptPlan(planOf(openStep(0, 100, 'constant', [0, 20], 50)), (at) => {
    freeAt = Math.max(freeAt, at) + 0.02;
    return { endedAtSeconds: freeAt };
  });
  const [row] = stepTable(measurements);
  assert.equal(row!.arrivalRatePerSecond, 100);
  assert.ok(Math.abs(row!.throughputPerSecond - 50) < 1);
  assert.equal(row!.sentPerSecond! * 20 + row!.droppedCount!, 2000);
  assert.ok(Math.abs(row!.droppedCount! - 950) <= 5, `${row!.droppedCount}`);
});
