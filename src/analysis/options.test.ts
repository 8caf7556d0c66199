import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulateClosed } from '../../test/support/closed-simulation.ts';
import { publishedRows } from '../../test/support/step-rows.ts';
import type { IsolatedRoute, Isolation } from '../model/analysis.ts';
import type { PlannedRequest } from '../model/load.ts';
import { judge } from '../verdict/judge.ts';
import { parseTarget } from '../verdict/parse-target.ts';
import { considerOptions } from './options.ts';
import type { OptionsInput } from './options.ts';

const alone = (route: string, shareRatio: number, demand: number, shareOfWork: number): IsolatedRoute => ({
  route,
  requestClassId: `GET ${route}`,
  shareRatio,
  users: 20,
  completionCount: 1000,
  throughputPerSecond: 20,
  windowSeconds: 60,
  utilizationRatio: 0.61,
  serviceDemandSeconds: demand,
  p50Seconds: demand,
  p95Seconds: demand,
  errorCount: 0,
  shareOfWorkRatio: shareOfWork,
});

const MIX = 0.25 * 0.0313 + 0.75 * 0.00021;
const isolation: Isolation = {
  routes: [alone('/search', 0.25, 0.0313, 0.98), alone('/books/[id]', 0.75, 0.00021, 0.02)],
  demandRatio: 149,
  mixDemandSeconds: MIX,
  serverCount: 1,
  notices: [],
};

const planned = (route: string, shareRatio: number, method = 'GET'): PlannedRequest => ({
  id: `GET ${route}`,
  method,
  route,
  shareRatio,
  targets: { draw: 'uniform', targets: [route], distinctCount: 1 },
});

const TARGETS = [
  'p95 of /books/[id] <= 100 ms at 200 users',
  'p95 of /search <= 200 ms at 200 users',
  'errors = 0 at 200 users',
  'cpu <= 70 % at 200 users',
].map(parseTarget);

const basis: OptionsInput = {
  isolation,
  peak: publishedRows('publishedBeforeFix')[5]!,
  users: 200,
  thinkTimeSeconds: 2,
  requests: [planned('/search', 0.25), planned('/books/[id]', 0.75)],
  serverCount: 1,
  machineCoreCount: 6,
  repeats: { 'GET /search': { distinctCount: 10, requestCount: 1500 } },
  simulate: simulateClosed,
  judge: (row) => judge(TARGETS, [row]),
};

const near = (actual: number, expected: number, relative: number): void =>
  assert.ok(Math.abs(actual - expected) <= relative * expected, `${actual}, expected ${expected}`);

test('the worked case: the cache is chosen, threads help in part, a second process is the fallback', () => {
  const options = considerOptions(basis);
  assert.deepEqual(
    options.map(({ id, verdict }) => [id, verdict]),
    [
      ['cache-results', 'chosen'],
      ['off-the-event-loop', 'partial'],
      ['second-process', 'fallback'],
    ],
  );
  const [cache, threads, process] = options;
  // X = N / (R + Z) with R between D and some ten ms: within 1 % of 200 / 2.01.
  for (const { predicted } of options) near(predicted.throughputPerSecond, 200 / 2.01, 0.02);
  const cachedMix = MIX - 0.25 * (1 - 10 / 1500) * (0.0313 - 0.00021);
  near(cache!.predicted.utilizationRatio, cache!.predicted.throughputPerSecond * cachedMix, 1e-9);
  near(cache!.predicted.saturationUsers, (cachedMix + 2) / cachedMix, 1e-9);
  near(threads!.predicted.utilizationRatio, threads!.predicted.throughputPerSecond * MIX, 1e-9);
  near(threads!.predicted.saturationUsers, (MIX + 2) / ((0.25 * 0.0313) / 4), 1e-9);
  near(process!.predicted.utilizationRatio, (process!.predicted.throughputPerSecond * MIX) / 2, 1e-9);
  near(process!.predicted.saturationUsers, (2 * (MIX + 2)) / MIX, 1e-9);
  assert.ok(cache!.predicted.p95ByRoute['/search']! < 0.005);
  assert.ok(threads!.predicted.p95ByRoute['/books/[id]']! < 0.002);
  assert.match(cache!.reason, /least cost: .*p95 \/search 141 ms → .*CPU 70 % → /);
  assert.match(
    cache!.effect,
    /10 distinct targets in 1500 requests of the log make 99.3 % hits at 0.21 ms; assumes/,
  );
  assert.match(threads!.reason, /^helps, but cpu <= 70 % at 200 users: /);
  assert.match(process!.effect, /doubles capacity and memory/);
});

test('without repeats worth a cache the second process is chosen', () => {
  const repeats = { 'GET /search': { distinctCount: 1500, requestCount: 1500 } };
  const [cache, , process] = considerOptions({ ...basis, repeats });
  assert.equal(cache!.verdict, 'no');
  assert.match(cache!.reason, /meets no more targets than now/);
  assert.equal(process!.verdict, 'chosen');
});

const NOT_OPEN: readonly (readonly [string, Partial<OptionsInput>, string, RegExp])[] = [
  [
    'no cache for writes',
    { requests: [planned('/search', 0.25, 'POST'), planned('/books/[id]', 0.75)] },
    'cache-results',
    /answers to POST are not for a cache/,
  ],
  [
    'no cache where repeats are not known',
    { repeats: {} },
    'cache-results',
    /how often its targets repeat is not known/,
  ],
  [
    'no second process on a machine of one core',
    { machineCoreCount: 1 },
    'second-process',
    /needs 2 cores, the machine has 1/,
  ],
];

for (const [title, fields, id, says] of NOT_OPEN) {
  test(title, () => {
    const option = considerOptions({ ...basis, ...fields }).find((one) => one.id === id)!;
    assert.equal(option.verdict, 'no');
    assert.match(option.reason, says);
    assert.equal(option.predicted.throughputPerSecond, basis.peak.throughputPerSecond);
  });
}

test('a slow route that waits elsewhere keeps its wait in the prediction', () => {
  const waits = { ...alone('/search', 0.25, 0.001, 0.98), utilizationRatio: 0.1, p50Seconds: 0.041 };
  const routes = [waits, isolation.routes[1]!];
  const mixDemandSeconds = 0.25 * 0.001 + 0.75 * 0.00021;
  const [cache, threads] = considerOptions({
    ...basis,
    isolation: { ...isolation, routes, mixDemandSeconds },
  });
  assert.ok(threads!.predicted.p95ByRoute['/search']! >= 0.041);
  assert.ok(cache!.predicted.p95ByRoute['/search']! < 0.041);
});

test('without targets nothing is chosen, and the reason says so', () => {
  for (const option of considerOptions({ ...basis, judge: (row) => judge([], [row]) })) {
    assert.equal(option.verdict, 'partial');
    assert.match(option.reason, /no targets to judge by/);
  }
});

test('nothing isolated, nothing considered', () =>
  assert.deepEqual(considerOptions({ ...basis, isolation: { ...isolation, routes: [] } }), []));

test('a hit takes as long as the quickest route alone took, not only its CPU', () => {
  // Alone a book took 0.8 to 3 ms evenly: p95 2.89 ms, of which 0.21 ms are CPU.
  const quantileSeconds = Array.from({ length: 101 }, (_, i) => 0.8e-3 + 0.022e-3 * i);
  const book = { ...isolation.routes[1]!, meanSeconds: 1.9e-3, quantileSeconds };
  const [cache] = considerOptions({
    ...basis,
    isolation: { ...isolation, routes: [isolation.routes[0]!, book] },
  });
  for (const route of ['/search', '/books/[id]']) near(cache!.predicted.p95ByRoute[route]!, 2.89e-3, 0.1);
});
