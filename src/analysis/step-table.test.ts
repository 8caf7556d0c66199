import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepMeasurement } from '../model/measurement.ts';
import { cumulative, histogramOf, routeOf, soundStep } from '../../test/support/measurements.ts';
import { stepTable } from './step-table.ts';

const rowOf = (more: Partial<StepMeasurement> = {}, serverCount?: number) =>
  stepTable([soundStep(more)], serverCount === undefined ? {} : { serverCount })[0]!;
const codesOf = (more: Partial<StepMeasurement>) => rowOf(more).notices.map((notice) => notice.code);
const close = (actual: number | undefined, expected: number, tolerance = 1e-9): void =>
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) <= tolerance * Math.abs(expected) + 1e-12,
    `${actual} for ${expected}`,
  );

test('a sound step: X, R, Z, percentiles with intervals, and Little agrees', () => {
  const row = rowOf();
  assert.equal(row.users, 20);
  assert.equal(row.throughputPerSecond, 10);
  close(row.responseTimeSeconds, 0.1);
  assert.equal(row.thinkTimeSeconds, 1.9);
  close(row.littleResidualRatio, 0);
  // Every batch of six alternating seconds has the same count.
  close(row.throughputStandardErrorPerSecond, 0);
  assert.deepEqual(row.overall.p95Interval, { low: 0.1, high: 0.1 });
  assert.equal(row.byRoute['/books/[id]']!.p99Seconds, 0.1);
  assert.equal(row.byRoute['/books/[id]']!.throughputPerSecond, 10);
  assert.equal(row.valid, true);
  assert.deepEqual(row.notices, []);
});

test('without think time the load is a concurrency', () => {
  const { thinkTimeSeconds: _, ...step } = soundStep();
  const [row] = stepTable([step]);
  assert.equal(row!.concurrency, 20);
  assert.equal(row!.users, undefined);
});

const cpu = (perSecond: number, capacity?: number) =>
  cumulative('process', 'cpuSeconds', perSecond, 60, capacity);
const thread = (perSecond: number) => cumulative('process', 'busiestThreadCpuSeconds', perSecond, 60);

for (const { title, counters, option, serverCount } of [
  { title: 'the option wins', counters: [cpu(0.8, 2)], option: 4, serverCount: 4 },
  {
    title: 'else the cores that affinity and quota allow',
    counters: [cpu(0.8, 2), thread(0.6)],
    serverCount: 2,
  },
  {
    title: 'but 1 where one thread does nearly all, however many are allowed',
    counters: [cpu(0.8, 2), thread(0.75)],
    serverCount: 1,
  },
  { title: 'a quota below one core stays', counters: [cpu(0.4, 0.5), thread(0.39)], serverCount: 0.5 },
  { title: '1 also where nothing else tells', counters: [cpu(0.8), thread(0.75)], serverCount: 1 },
]) {
  test(`m: ${title}; U = B/(T·m) and D = U·m/X do not depend on it twice`, () => {
    const row = rowOf({ counters }, option);
    assert.equal(row.serverCount['cpu'], serverCount);
    const [first, last] = [counters[0]!.points[0]!, counters[0]!.points.at(-1)!];
    const perSecond = (last[1] - first[1]) / (last[0] - first[0]);
    close(row.busySeconds?.['cpu'], 60 * perSecond);
    close(row.utilizationRatio['cpu'], perSecond / serverCount);
    close(row.serviceDemandSeconds['cpu'], perSecond / 10);
  });
}

test('where nothing tells m there is no utilisation, and busy seconds stay', () => {
  const row = rowOf({ counters: [cpu(0.8), thread(0.4)] });
  assert.equal(row.utilizationRatio['cpu'], undefined);
  close(row.busySeconds?.['cpu'], 48);
  close(row.utilizationRatio['busiestThread'], 0.4);
});

test('machine, disk and memory columns; the machine and the generator have no service demand', () => {
  const gauge = (source: string, quantity: string, values: readonly number[]) => ({
    source,
    quantity,
    unit: 'count' as const,
    kind: 'gauge' as const,
    points: values.map((value, i) => [100 + 30 * i, value] as const),
  });
  const row = rowOf({
    counters: [
      cumulative('machine', 'cpuBusySeconds', 1, 60, 4),
      cumulative('machine', 'diskBusySeconds', 0.2, 60),
      gauge('machine', 'loadPerCore', [0.1, 0.2, 0.3]),
      gauge('process', 'rssBytes', [100e6, 105e6, 110e6]),
      gauge('process', 'descriptorCount', [40, 44, 42]),
    ],
  });
  close(row.machineCpuRatio, 0.25);
  assert.equal(row.machineCoreCount, 4);
  close(row.diskBusyRatio, 0.2);
  close(row.serviceDemandSeconds['disk'], 0.02);
  close(row.loadPerCore, 0.2);
  assert.equal(row.residentBytes, 110e6);
  assert.equal(row.residentGrowthBytes, 10e6);
  assert.equal(row.descriptorCount, 42);
  assert.equal(row.utilizationRatio['generator'], 0.05);
  assert.deepEqual(Object.keys(row.serviceDemandSeconds), ['disk']);
});

test('a counter of another source stands in, and one that was reset tells nothing', () => {
  const prometheus = cumulative('prometheus', 'cpuSeconds', 0.5, 60, 1);
  close(rowOf({ counters: [prometheus] }).utilizationRatio['cpu'], 0.5);
  const { points, ...series } = prometheus;
  const reset = { ...series, points: [...points.slice(0, 30), [130, 0] as const, ...points.slice(31)] };
  assert.equal(rowOf({ counters: [reset] }).utilizationRatio['cpu'], undefined);
});

const soundGenerator = soundStep().generator!;
for (const { title, step, codes, valid } of [
  {
    title: 'users missing by 0.5 %',
    step: { meanThinking: 18.9 },
    codes: ['load-not-reached'],
    valid: false,
  },
  { title: 'users missing by 0.05 %', step: { meanThinking: 18.99 }, codes: [], valid: true },
  {
    title: 'think time 5 % short',
    step: { thinkTimeSeconds: 1.8 },
    codes: ['little-law-broken'],
    valid: false,
  },
  { title: 'think time 2 % short', step: { thinkTimeSeconds: 1.86 }, codes: [], valid: true },
  {
    title: 'generator at 80 %',
    step: { generator: { ...soundGenerator, utilizationRatio: 0.8 } },
    codes: ['generator-bound'],
    valid: false,
  },
  { title: 'cut short', step: { endedEarly: 'interrupted' }, codes: ['window-cut-short'], valid: true },
  {
    title: 'a red flag of the driver',
    step: { notices: [{ code: 'clock-jumped', severity: 'red-flag' as const, message: 'x' }] },
    codes: ['clock-jumped'],
    valid: false,
  },
]) {
  test(`the gate: ${title}`, () => {
    assert.deepEqual(codesOf(step), codes);
    assert.equal(rowOf(step).valid, valid);
  });
}

test('a tenth of fast errors: marked, valid, successes counted apart, and Little holds over all that ended', () => {
  const times = Array.from({ length: 540 }, () => 0.1);
  const row = rowOf({
    completionCount: 540,
    outcomeCounts: { ok: 540, error: 60, timeout: 0, dropped: 0 },
    responseTime: histogramOf(times),
    byRoute: [routeOf('/', times, { failureTime: histogramOf(Array.from({ length: 60 }, () => 0.1)) })],
  });
  assert.equal(row.throughputPerSecond, 9);
  assert.equal(row.errorRatio, 0.1);
  close(row.littleResidualRatio, 0);
  assert.equal(row.valid, true);
  assert.deepEqual(
    row.notices.map((n) => n.code),
    ['errors-over-limit', 'failures'],
  );
});

test('one user and few completions: the wider limit of Little holds', () => {
  const times = Array.from({ length: 30 }, () => 0.1);
  const step = {
    step: { ...soundStep().step, driver: { kind: 'closed', users: 1 } as const },
    completionCount: 30,
    outcomeCounts: { ok: 30, error: 0, timeout: 0, dropped: 0 },
    responseTime: histogramOf(times),
    byRoute: [routeOf('/', times)],
    meanInFlight: 0.05,
    meanThinking: 0.95,
  };
  assert.deepEqual(codesOf({ ...step, thinkTimeSeconds: 1.982 }), []);
  assert.deepEqual(codesOf({ ...step, thinkTimeSeconds: 2.02 }), ['little-law-broken']);
});

test('nothing completed is a red flag, not a division by zero', () => {
  const empty = histogramOf([]);
  const row = rowOf({
    completionCount: 0,
    outcomeCounts: { ok: 0, error: 0, timeout: 0, dropped: 0 },
    responseTime: empty,
    byRoute: [],
    counters: [cpu(0.1, 1)],
  });
  assert.equal(row.throughputPerSecond, 0);
  assert.equal(row.valid, false);
  assert.deepEqual(row.serviceDemandSeconds, {});
  assert.deepEqual(
    row.notices.map((n) => n.code),
    ['nothing-completed'],
  );
  assert.deepEqual(JSON.parse(JSON.stringify(row)), row);
});

test('two methods on one route stand under their class ids', () => {
  const post = routeOf('/books', [0.2], { requestClassId: 'POST /books' });
  const row = rowOf({ byRoute: [routeOf('/books', [0.1]), post] });
  assert.deepEqual(Object.keys(row.byRoute), ['GET /books', 'POST /books']);
});

test('an open step has a rate and no law of N', () => {
  const row = rowOf({
    step: {
      ...soundStep().step,
      driver: { kind: 'open', arrivalRatePerSecond: 10, arrivals: 'poisson', maxInFlight: 50 },
    },
  });
  assert.equal(row.arrivalRatePerSecond, 10);
  assert.equal(row.littleResidualRatio, undefined);
  assert.equal(row.valid, true);
});
