import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadPlan } from '../model/load.ts';
import type { Distribution } from '../model/distribution.ts';
import { withWrites } from '../load/write-mix.ts';
import { closedStep, request, simulatePlan } from '../../test/support/simulate.ts';
import { stepTable } from './step-table.ts';
import { writeCost } from './write-cost.ts';

const READ_SECONDS = 0.002;
const WRITE_SECONDS = 0.009;

const write = { ...request('/books', 0.1), id: 'POST /books', method: 'POST', body: '{}' };
const service = (meanSeconds: number): Distribution => ({ kind: 'exponential', meanSeconds });

/** A sweep for each share of writes on one simulated server whose reads and writes are known to cost. */
function sweep(ratios: readonly number[], cpuRatio = 1) {
  const reads: LoadPlan = {
    seed: 5,
    shape: 'sweep',
    requests: [request('/books', 0.75), request('/shelves', 0.25)],
    requestTimeoutSeconds: 30,
    steps: [closedStep(0, 1, 1, 40), closedStep(1, 4, 1, 40)],
  };
  const plan = withWrites(reads, { request: write, ratios });
  const at = (meanSeconds: number) => [{ station: 'cpu', service: service(meanSeconds), cpuRatio }];
  const visits = {
    'GET /books': at(READ_SECONDS),
    'GET /shelves': at(READ_SECONDS),
    'POST /books': at(WRITE_SECONDS),
  };
  const { measurements } = simulatePlan(plan, { stations: [{ name: 'cpu', serverCount: 1 }], visits });
  return { plan, measurements, rows: stepTable(measurements) };
}

const within = (actual: number | undefined, expected: number, tolerance: number) =>
  assert.ok(Math.abs(actual! / expected - 1) <= tolerance, `${actual}, expected ${expected}`);

test('the cost of a read and of a write come out of two mixes as they went into the service, within 5 %', () => {
  const { plan, measurements, rows } = sweep([0.1, 0.9]);
  const result = writeCost(plan, rows, measurements);
  assert.equal(result.basis, 'demand');
  // Means of some 10,000 exponential times, each mix known to 1 %; the extrapolation from 0.1 to 0 adds little.
  within(result.readDemandSeconds, READ_SECONDS, 0.05);
  within(result.writeDemandSeconds, WRITE_SECONDS, 0.05);
  within(result.costRatio, WRITE_SECONDS / READ_SECONDS, 0.07);
  assert.match(result.reason, /a write costs 4\.[3-7]\d? times a read/);
});

test('where no CPU is watched the highest throughputs tell the same', () => {
  const { plan, measurements, rows } = sweep([0.1, 0.5, 0.9]);
  const unwatched = rows.map((row) => ({ ...row, busySeconds: {} }));
  const result = writeCost(plan, unwatched, measurements);
  assert.equal(result.basis, 'throughput');
  assert.equal(result.mixes.length, 3);
  within(result.costRatio, WRITE_SECONDS / READ_SECONDS, 0.1);
});

test('the shares sent are the shares asked for, and reads keep their proportions', () => {
  const { measurements } = sweep([0.1, 0.9]);
  for (const { step, byRoute } of measurements) {
    const counts = Object.fromEntries(byRoute.map((route) => [route.requestClassId, route.okCount]));
    const total = byRoute.reduce((sum, route) => sum + route.okCount, 0);
    const writes = step.writeRatio!;
    const near = (count: number, share: number) =>
      assert.ok(Math.abs(count / total - share) < 5 * Math.sqrt((share * (1 - share)) / total));
    near(counts['POST /books']!, writes);
    near(counts['GET /books']!, 0.75 * (1 - writes));
    near(counts['GET /shelves']!, 0.25 * (1 - writes));
  }
});

test('one mix tells no write from a read, and says so', () => {
  const { plan, measurements, rows } = sweep([0.1, 0.9]);
  const one = writeCost(plan, rows.slice(0, 2), measurements);
  assert.equal(one.costRatio, undefined);
  assert.match(one.reason, /takes two/);
});
