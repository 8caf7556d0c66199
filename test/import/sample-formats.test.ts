import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistogramData } from '../../src/model/histogram.ts';
import { meanOf, percentileRank, valueAtRank } from '../../src/stats/histogram.ts';
import { allTimes, importSample, sampleText, wholeSample } from '../support/import-results.ts';

/** A bin of our histograms is at most 2^−10 wide. */
const BIN = 1 / 1024;

/** The tool's percentile lies between our samples of `ranks` below and above ours, a bin and its own rounding wider. */
function percentileAgrees(
  times: HistogramData,
  percentile: number,
  seconds: number,
  { ranks, rounding = 0 }: { readonly ranks: number; readonly rounding?: number },
): void {
  const rank = percentileRank(percentile, times.totalCount);
  const low = valueAtRank(times, Math.max(1, rank - ranks))!;
  const high = valueAtRank(times, Math.min(times.totalCount, rank + ranks))!;
  assert.ok(
    seconds >= low * (1 - BIN) - rounding && seconds <= high * (1 + BIN) + rounding,
    `p${percentile}: ${seconds} of the tool, ${low} to ${high} of ours`,
  );
}

const near = (actual: number | undefined, expected: number, tolerance: number, what: string): void =>
  assert.ok(Math.abs(actual! - expected) <= tolerance, `${what}: ${actual} for ${expected} ± ${tolerance}`);

for (const name of ['k6.json', 'k6.csv'])
  test(`${name}: the summary that k6 exported of the same run`, async () => {
    const { metrics } = JSON.parse(sampleText('k6-summary.json')) as {
      metrics: Record<string, Record<string, number>>;
    };
    const step = await wholeSample(name);
    const times = allTimes(step);
    const duration = metrics['http_req_duration']!;
    const { error, ok, timeout } = step.outcomeCounts;
    assert.equal(ok + error + timeout, metrics['http_reqs']!['count']);
    // In k6's export a "pass" of http_req_failed is a request that failed.
    assert.equal(error, metrics['http_req_failed']!['passes']);
    near(meanOf(times), duration['avg']! / 1000, 1e-6 * duration['avg']!, 'mean');
    near(times.maxSeconds, duration['max']! / 1000, 1e-6, 'max');
    near(times.minSeconds, duration['min']! / 1000, 1e-6, 'min');
    // k6 draws a straight line between the two samples on either side.
    for (const [percentile, key] of [
      [50, 'med'],
      [90, 'p(90)'],
      [95, 'p(95)'],
      [99, 'p(99)'],
    ] as const)
      percentileAgrees(times, percentile, duration[key]! / 1000, { ranks: 1 });
    // k6 divides by the run, which is longer than from the first request to the last; in CSV seconds are whole.
    const rate = (ok + error) / step.windowSeconds;
    const clock = name === 'k6.csv' ? 1 : 0.1;
    near(rate, metrics['http_reqs']!['rate']!, (rate * clock) / (step.windowSeconds - clock), 'rate');
  });

for (const name of ['vegeta.json', 'vegeta.csv'])
  test(`${name}: Vegeta's own report of the same attack`, async () => {
    const report = JSON.parse(sampleText('vegeta-report.json')) as {
      latencies: Record<string, number>;
      requests: number;
      throughput: number;
      success: number;
      bytes_in: { total: number };
      status_codes: Record<string, number>;
    };
    const step = await wholeSample(name, 'arrivalRatePerSecond');
    const times = allTimes(step);
    assert.equal(times.totalCount, report.requests);
    assert.equal(step.completionCount, Math.round(report.requests * report.success));
    assert.deepEqual(step.statusCounts, report.status_codes);
    assert.equal(step.byRoute[0]!.receivedBytes, report.bytes_in.total);
    near(meanOf(times), report.latencies['mean']! / 1e9, 1e-9, 'mean');
    near(times.maxSeconds, report.latencies['max']! / 1e9, 1e-9, 'max');
    near(step.completionCount / step.windowSeconds, report.throughput, 1e-5 * report.throughput, 'X');
    // Vegeta estimates percentiles by a t-digest: within 1 % of the ranks.
    for (const percentile of [50, 90, 95, 99])
      percentileAgrees(times, percentile, report.latencies[`${percentile}th`]! / 1e9, { ranks: 2 });
  });

/** What JMeter printed at the end: `summary = 535 in 00:00:05 = 105.9/s Avg: 15 Min: 3 Max: 43 Err: 14`. */
for (const { name, count, errors, rate, average, least, most } of [
  { name: 'jmeter.csv', count: 535, errors: 14, rate: 105.9, average: 15, least: 3, most: 43 },
  { name: 'jmeter.xml', count: 522, errors: 13, rate: 103.3, average: 15, least: 3, most: 42 },
])
  test(`${name}: what JMeter printed at its end`, async () => {
    const step = await wholeSample(name);
    const times = allTimes(step);
    assert.equal(times.totalCount, count);
    assert.equal(step.outcomeCounts.error, errors);
    assert.equal(step.errorCodes['http-503'], errors);
    // JMeter cuts the decimals off.
    assert.equal(Math.floor(1000 * meanOf(times)!), average);
    assert.deepEqual([times.minSeconds, times.maxSeconds], [least / 1000, most / 1000]);
    // JMeter's clock for the rate begins with the test: its own times tell 0.2 s before the first request, of 5 s.
    near(count / step.windowSeconds, rate, 0.06 * rate, 'rate');
    assert.deepEqual(step.byRoute.map(({ route }) => route).sort(), ['/mixed', '/slow']);
  });

test('a JTL file tells its threads: four of them held, and the run is one step at four users', async () => {
  const { measurements, imported } = await importSample('jmeter.csv');
  assert.deepEqual(
    measurements.map(({ importedLoad }) => importedLoad),
    [{ kind: 'users', value: 4, source: 'reported' }],
  );
  assert.equal(imported.format, 'jtl-csv');
  assert.match(imported.startedAt!, /^2026-12-01T10:33:52/);
});

test('k6 tells its users apart from its requests: each number that held is a step', async () => {
  const { measurements, imported } = await importSample('k6.json');
  assert.deepEqual(
    measurements.map(({ importedLoad }) => importedLoad!.value),
    [2, 6],
  );
  const inSteps = measurements.reduce((sum, { outcomeCounts: c }) => sum + c.ok + c.error, 0);
  const outside = imported.notices.find(({ code }) => code === 'requests-outside-steps')!;
  assert.match(outside.message, new RegExp(`^${604 - inSteps} requests of 604 `));
  // Each user makes two requests and waits 100 ms: N = X(R + Z), with Z = 50 ms a request, and the client's own time.
  for (const { outcomeCounts, windowSeconds, importedLoad, meanInFlight } of measurements) {
    const perSecond = (outcomeCounts.ok + outcomeCounts.error) / windowSeconds;
    const users = meanInFlight + perSecond * 0.05;
    near(users, importedLoad!.value, 0.12 * importedLoad!.value, 'users');
  }
});

/** hey and oha print either a summary or every request, not both of one run: 400 requests of 8 workers were asked for. */
for (const { name, of } of [
  { name: 'hey.csv', of: { time: 0, status: 6 } },
  { name: 'oha.csv', of: { time: 4, status: 6 } },
])
  test(`${name}: 400 requests of 8 workers, as they stand in the file`, async () => {
    const rows = sampleText(name)
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').map(Number));
    const { measurements } = await importSample(name);
    const step = measurements[0]!;
    const times = allTimes(step);
    assert.equal(times.totalCount, 400);
    assert.equal(step.outcomeCounts.error, rows.filter((row) => row[of.status] === 503).length);
    const sorted = rows.map((row) => row[of.time]!).sort((a, b) => a - b);
    near(meanOf(times), sorted.reduce((sum, value) => sum + value, 0) / 400, 1e-9, 'mean');
    for (const percentile of [50, 95, 99]) {
      const own = sorted[percentileRank(percentile, 400) - 1]!;
      near(valueAtRank(times, percentileRank(percentile, 400)), own, own * BIN + 1e-6, `p${percentile}`);
    }
    // Nobody says that there were eight; eight workers without pauses have nearly eight requests in flight.
    assert.deepEqual(step.importedLoad, { kind: 'concurrency', value: 8, source: 'estimated' });
  });

test('ab.tsv: times as ab sums them up, and a window of a second is of no use', async () => {
  const { measurements } = await importSample('ab.tsv');
  const [step] = measurements;
  const printed = sampleText('ab.txt');
  const percentile = (order: number): number =>
    Number(new RegExp(`^ +${order}% +(\\d+)`, 'm').exec(printed)![1]) / 1000;
  assert.equal(step!.responseTime.totalCount, 400);
  for (const order of [50, 75, 90, 95])
    percentileAgrees(step!.responseTime, order, percentile(order), { ranks: 1 });
  assert.deepEqual(
    step!.notices.map(({ code, severity }) => [code, severity]),
    [['coarse-clock', 'red-flag']],
  );
});
