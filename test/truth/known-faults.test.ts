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
