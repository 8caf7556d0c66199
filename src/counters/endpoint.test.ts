import assert from 'node:assert/strict';
import test from 'node:test';
import { openEndpointSource } from './endpoint.ts';
import { quantileBetween, type TimeBuckets } from './service-times.ts';
import { endsIn, plainName } from './well-known-names.ts';

const METRICS = (
  hits: number,
  upTo: readonly [number, number, number],
): string => `# TYPE shop_cache_hits_total counter
shop_cache_hits_total{cache="a"} ${hits}
shop_cache_hits_total{cache="b"} 1
shop_cache_misses_total 4
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 1.5
process_open_fds 20
process_max_fds 1024
db_pool_in_use 3
db_pool_size 8
db_pool_waiting 2
http_requests_in_flight 5
nginx_connections_active 99
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{route="/a",le="0.1"} ${upTo[0]}
http_request_duration_seconds_bucket{route="/a",le="0.2"} ${upTo[1]}
http_request_duration_seconds_bucket{route="/a",le="+Inf"} ${upTo[2]}
http_request_duration_seconds_sum{route="/a"} 12
http_request_duration_seconds_count{route="/a"} ${upTo[2]}
http_request_duration_seconds_bucket{route="/metrics",le="+Inf"} 700
http_request_duration_seconds_count{route="/metrics"} 700
`;

/** A source over pages served one after the other, and what it reads after the given number of polls. */
async function poll(pages: readonly string[]): Promise<Record<string, readonly (number | string)[]>> {
  let served = 0;
  const source = await openEndpointSource(async () => pages[Math.min(served++, pages.length - 1)]!, {
    path: '/metrics',
    everySeconds: 0.005,
    nowSeconds: () => 0,
  });
  while (served < pages.length + 1) await new Promise((resolve) => setTimeout(resolve, 2));
  source.close();
  await new Promise((resolve) => setTimeout(resolve, 2));
  return Object.fromEntries(
    source
      .read()
      .map(({ quantity, value, capacity }) => [
        quantity,
        capacity === undefined ? [value] : [value, capacity],
      ]),
  );
}

test('a metrics page is read by the ends of its names, sums over labels, without its own requests', async () => {
  const page = METRICS(6, [5, 10, 10]);
  const readings = await poll([page]);
  assert.deepEqual(readings, {
    requestsInFlight: [5],
    poolInUse: [3, 8],
    poolWaiting: [2],
    cacheHitCount: [7],
    cacheMissCount: [4],
    cpuSeconds: [1.5],
    descriptorCount: [20, 1024],
    serviceTimeCount: [10],
    serviceTimeSumSeconds: [12],
    scrapeFailureCount: [0],
  });
});

test('a page of statistics is read the same way, by the path of names', async () => {
  const readings = await poll([
    JSON.stringify({
      in_flight: 2,
      pool: { inUse: 7, size: 8, waiting: 12 },
      cache: { hits: 90, misses: 10 },
      process_cpu_s: 3.25,
      latency_ms: { '/pool': { count: 40, mean: 5, p50: 4, p95: 8 } },
    }),
  ]);
  assert.deepEqual(readings, {
    requestsInFlight: [2],
    poolInUse: [7, 8],
    poolWaiting: [12],
    cacheHitCount: [90],
    cacheMissCount: [10],
    cpuSeconds: [3.25],
    serviceTimeCount: [40],
    serviceTimeSumSeconds: [0.2],
    serviceTimeP50Seconds: [0.004],
    serviceTimeP95Seconds: [0.008],
    scrapeFailureCount: [0],
  });
});

test('the quantile of what ended between two readings is linear within its bucket', () => {
  const before: TimeBuckets = [
    [0.1, 1000],
    [0.2, 1000],
    [Infinity, 1000],
  ];
  const after: TimeBuckets = [
    [0.1, 1010],
    [0.2, 1040],
    [Infinity, 1050],
  ];
  // Of 50 more, the 25th is the 15th of the 30 between 100 and 200 ms.
  assert.ok(Math.abs(quantileBetween(before, after, 0.5)! - 0.15) < 1e-12);
  assert.equal(quantileBetween(before, after, 0.95), undefined, 'in the bucket without an end');
  assert.equal(quantileBetween(after, after, 0.5), undefined, 'nothing ended');
  assert.equal(quantileBetween(after, before, 0.5), undefined, 'the service was restarted');
});

test('a page that fails is counted and leaves a gap; one that is no page at all is refused at once', async () => {
  const readings = await poll(['{"in_flight": 1}', 'not a page {']);
  assert.ok(Number(readings['scrapeFailureCount']![0]) >= 1);
  await assert.rejects(
    openEndpointSource(async () => '<html></html>', { path: '/' }),
    /metrics page is not readable/,
  );
  await assert.rejects(
    openEndpointSource(async () => '{"in_flight": ', { path: '/' }),
    /statistics page is not readable/,
  );
});

test('names are compared word by word from the end', () => {
  assert.equal(plainName('catalogueCacheHits_total'), 'catalogue_cache_hits');
  assert.equal(endsIn('db_pool_size', ['pool_size']), true);
  assert.equal(endsIn('carpool_size', ['pool_size']), false);
});
