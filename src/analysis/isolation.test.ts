import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture } from '../../test/support/paths.ts';
import { cumulative, routeOf } from '../../test/support/measurements.ts';
import { stepMeasurement } from '../../test/support/step-measurement.ts';
import { stepRow } from '../../test/support/step-rows.ts';
import { ShiploadError } from '../errors.ts';
import type { StepRow } from '../model/analysis.ts';
import { isolateRoutes } from './isolation.ts';

interface Published {
  publishedIsolation: {
    route: string;
    users: number;
    X: number;
    p50: number;
    p95: number;
    U: number;
    demandMs: number;
  }[];
}

const { publishedIsolation } = JSON.parse(
  readFileSync(fixture('case', 'published-tables.json'), 'utf8'),
) as Published;

const SHARES: Readonly<Record<string, number>> = { '/search': 0.25, '/books/[id]': 0.75 };

const steps = publishedIsolation.map(({ route, users, X, p50, p95, U }) => ({
  route,
  requestClassId: `GET ${route}`,
  shareRatio: SHARES[route]!,
  row: stepRow({
    users,
    windowSeconds: 60,
    completionCount: 60 * X,
    throughputPerSecond: X,
    utilizationRatio: { cpu: U },
    serverCount: { cpu: 1 },
    byRoute: { [route]: { p50Seconds: p50 / 1e3, p95Seconds: p95 / 1e3 } },
  }),
}));

test('the published isolation: 31.3 ms and 0.21 ms of CPU, 98 % of the work in a quarter of the requests', () => {
  const { routes, demandRatio, mixDemandSeconds, serverCount, notices } = isolateRoutes(steps);
  const [search, book] = routes;
  // U is published to two digits: 0.61 ± 0.005 and 0.02 ± 0.005 bound D to 0.8 % and 25 %.
  assert.ok(Math.abs(search!.serviceDemandSeconds - 0.0313) < 0.0313 * 0.01);
  assert.ok(Math.abs(book!.serviceDemandSeconds - 0.00021) < 0.00021 * 0.25);
  assert.equal(search!.shareOfWorkRatio.toFixed(2), '0.98');
  assert.ok(Math.abs(routes.reduce((sum, route) => sum + route.shareOfWorkRatio, 0) - 1) < 1e-12);
  assert.ok(Math.abs(mixDemandSeconds - (0.25 * 0.61) / 19.4 - (0.75 * 0.02) / 99.4) < 1e-12);
  assert.ok(Math.abs(demandRatio - 0.61 / 19.4 / (0.02 / 99.4)) < 1e-9);
  assert.equal(serverCount, 1);
  assert.deepEqual(notices, []);
});

test('busy seconds are taken as counted, over all cores, and shares scale to 1', () => {
  const row = { ...steps[0]!.row, busySeconds: { cpu: 24 }, completionCount: 1200, serverCount: { cpu: 4 } };
  const { routes } = isolateRoutes([{ ...steps[0]!, row, shareRatio: 0.1 }]);
  assert.equal(routes[0]!.serviceDemandSeconds, 0.02);
  assert.equal(routes[0]!.shareRatio, 1);
});

test('failures and self-made queues are told', () => {
  const row = { ...steps[0]!.row, errorRatio: 0.1, utilizationRatio: { cpu: 0.9 } };
  assert.deepEqual(
    isolateRoutes([{ ...steps[0]!, row }]).notices.map(({ code }) => code),
    ['isolation-errors', 'isolation-queueing'],
  );
});

const REFUSED: readonly (readonly [string, Partial<StepRow>, RegExp])[] = [
  ['no CPU', { utilizationRatio: {} }, /\/search: the process's CPU was not watched/],
  ['no completions', { completionCount: 0 }, /no request succeeded/],
  ['no response times', { byRoute: {} }, /no response times/],
];

for (const [title, fields, says] of REFUSED) {
  test(`an isolated step with ${title} is refused`, () => {
    assert.throws(
      () => isolateRoutes([{ ...steps[0]!, row: { ...steps[0]!.row, ...fields } }]),
      (error: unknown) =>
        error instanceof ShiploadError && error.code === 'run-invalid' && says.test(error.message),
    );
  });
}

test('nothing isolated is refused', () => assert.throws(() => isolateRoutes([]), ShiploadError));

test('one user alone gives the mean and the quantiles, and the service’s own count the time of its lock', () => {
  const times = Array.from({ length: 1000 }, (_, i) => 0.001 + i * 1e-6);
  const measurement = stepMeasurement(0, {
    byRoute: [routeOf('/entries', times)],
    counters: [cumulative('prometheus', 'lockHeldSeconds', 0.4, 10)],
  });
  const row = { ...steps[0]!.row, users: 1, throughputPerSecond: 200, responseTimeSeconds: 0.0015 };
  const [route] = isolateRoutes([{ ...steps[0]!, row, measurement }]).routes;
  assert.equal(route!.meanSeconds, 0.0015);
  // 0.4 s a second for 200 requests a second.
  assert.ok(Math.abs(route!.lockHeldSeconds! - 0.002) < 1e-12);
  assert.equal(route!.quantileSeconds!.length, 101);
  assert.ok(Math.abs(route!.quantileSeconds![50]! / 0.0015 - 1) < 0.002);
  const busy = { ...row, users: 20, utilizationRatio: { cpu: 0.61 } };
  const [several] = isolateRoutes([{ ...steps[0]!, row: busy, measurement }]).routes;
  const idle = { ...busy, utilizationRatio: { cpu: 0.05 } };
  assert.equal(isolateRoutes([{ ...steps[0]!, row: idle, measurement }]).routes[0]!.meanSeconds, 0.0015);
  assert.equal(several!.meanSeconds, undefined);
  assert.equal(several!.quantileSeconds, undefined);
});
