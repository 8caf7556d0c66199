import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importTable } from './import-table.ts';
import type { ImportedTable } from './import-table.ts';

const read = (text: string): ImportedTable => importTable(text, { file: 'table.csv' });

/** Figures of the one row of a table, in SI units. */
interface Expected {
  readonly load: number;
  readonly throughput: number;
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
  readonly mean?: number;
  readonly max?: number;
  readonly errors?: number;
  readonly errorRatio?: number;
  readonly notRead?: string;
}

/** Headers as the tools print them, with a row that a table of theirs could have. */
const TABLES: readonly (readonly [tool: string, text: string, expected: Expected])[] = [
  [
    'ab, its lines as columns',
    'Concurrency Level,Time taken for tests (seconds),Complete requests,Failed requests,Requests per second [#/sec] (mean),Time per request [ms] (mean),50%,95%,99%,Longest request\n8,10,1600,0,160.0,50.0,48,80,95,120',
    { load: 8, throughput: 160, p50: 0.048, p95: 0.08, p99: 0.095, mean: 0.05, max: 0.12, errors: 0 },
  ],
  [
    'ab, the time per request across all concurrent ones is no response time',
    'Concurrency Level,Requests per second,"Time per request (mean, across all concurrent requests)"\n8,160,6.25',
    { load: 8, throughput: 160, notRead: 'Time per request (mean, across all concurrent requests)' },
  ],
  [
    'Locust, statistics with a column of users',
    'User Count,Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,Min Response Time,Max Response Time,Average Content Size,Requests/s,Failures/s,50%,66%,95%,99%\n100,GET,/search,6000,60,48,51.5,2,900,1234,100,1,48,60,180,400',
    {
      load: 100,
      throughput: 99,
      p50: 0.048,
      p95: 0.18,
      p99: 0.4,
      mean: 0.0515,
      max: 0.9,
      errorRatio: 0.01,
      notRead: 'Type, Name, Min Response Time, Average Content Size, 50%, 66%',
    },
  ],
  [
    'k6, trend statistics under the names of its metrics',
    'vus,http_reqs,http_reqs/s,http_req_duration avg,http_req_duration med,http_req_duration p(95),http_req_duration p(99),http_req_duration max,http_req_failed\n50,3000,50,20,18,45,60,80,0.00%',
    { load: 50, throughput: 50, p50: 0.018, p95: 0.045, p99: 0.06, mean: 0.02, max: 0.08, errorRatio: 0 },
  ],
  [
    'k6, the summary’s own words',
    'VUs,http_reqs_per_second,avg,min,med,max,p(90),p(95)\n50,50,20,1,18,80,40,45',
    { load: 50, throughput: 50, p50: 0.018, p95: 0.045, mean: 0.02, max: 0.08, notRead: 'min, p(90)' },
  ],
  [
    'JMeter, the aggregate report',
    'Threads,# Samples,Average,Median,90% Line,95% Line,99% Line,Min,Max,Error %,Throughput\n20,1200,30,25,50,70,90,3,200,0.5%,20',
    {
      load: 20,
      throughput: 20,
      p50: 0.025,
      p95: 0.07,
      p99: 0.09,
      mean: 0.03,
      max: 0.2,
      errorRatio: 0.005,
      notRead: '90% Line, Min',
    },
  ],
  [
    'prose',
    'Users,RPS,95th percentile (ms),p99 latency ms,Response time avg (ms)\n10,5,80,95,40',
    { load: 10, throughput: 5, p95: 0.08, p99: 0.095, mean: 0.04 },
  ],
];

for (const [tool, text, expected] of TABLES) {
  test(`a table of ${tool}`, () => {
    const { rows, notices } = read(text);
    const row = rows[0]!;
    const {
      p50Seconds: p50,
      p95Seconds: p95,
      p99Seconds: p99,
      meanSeconds: mean,
      maxSeconds: max,
    } = row.overall;
    assert.equal(row.users ?? row.concurrency, expected.load);
    assert.deepEqual(row.byRoute, {});
    for (const [name, seen] of Object.entries({
      throughput: row.throughputPerSecond,
      p50,
      p95,
      p99,
      mean,
      max,
    })) {
      const wanted = expected[name as keyof Expected];
      if (wanted === undefined) assert.equal(seen, undefined, name);
      else assert.ok(Math.abs(seen! - Number(wanted)) < 1e-9, `${name} ${seen}`);
    }
    if (expected.errors !== undefined) assert.equal(row.errorCount, expected.errors);
    if (expected.errorRatio !== undefined) assert.ok(Math.abs(row.errorRatio - expected.errorRatio) < 1e-9);
    const unread = notices.find(({ code }) => code === 'table-columns-not-read')?.message;
    assert.equal(unread, expected.notRead && `columns that nothing was read from: ${expected.notRead}`);
  });
}

test('failures a second are taken off a rate of all requests, and it is said', () => {
  const { rows, notices } = read('users,Requests/s,Failures/s\n10,100,25\n20,40,50');
  assert.equal(rows[0]!.throughputPerSecond, 75);
  assert.equal(rows[0]!.errorRatio, 0.25);
  assert.equal(rows[1]!.throughputPerSecond, 0);
  assert.equal(rows[1]!.errorRatio, 1);
  assert.ok(notices.some(({ code }) => code === 'failures-in-throughput'));
});

test('of very many columns that are not read twelve are named and the rest counted', () => {
  const more = Array.from({ length: 15 }, (_, i) => `note ${i + 1}`);
  const { notices } = read(`N,X,${more.join(',')}\n1,10,${more.map(() => 'a').join(',')}`);
  assert.match(notices.find(({ code }) => code === 'table-columns-not-read')!.message, /note 12 and 3 more$/);
});
