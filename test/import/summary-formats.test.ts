import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportedRows } from '../../src/analysis/reported-rows.ts';
import type { ReportedStep } from '../../src/model/imported.ts';
import { importSample, sampleText } from '../support/import-results.ts';

const near = (actual: number | undefined, expected: number, tolerance: number, what: string): void =>
  assert.ok(Math.abs(actual! - expected) <= tolerance, `${what}: ${actual} for ${expected} ± ${tolerance}`);

async function stepsOf(name: string): Promise<readonly ReportedStep[]> {
  const { imported, measurements } = await importSample(name);
  assert.equal(imported.basis, 'summary');
  // No samples stand behind a summary, so there is nothing that could be merged.
  assert.deepEqual(measurements, []);
  return imported.steps!;
}

/** A number behind a pattern in what the tool printed. */
function printed(name: string, pattern: RegExp): number {
  return Number(pattern.exec(sampleText(name))![1]);
}

test('wrk.txt: counts, rate, mean and percentiles as printed; X is of the answers that were no failures', async () => {
  const [step] = await stepsOf('wrk.txt');
  const name = 'wrk.txt';
  assert.deepEqual(step!.load, { kind: 'concurrency', value: 8, source: 'reported' });
  assert.equal(step!.requestCount, printed(name, /(\d+) requests in/));
  assert.equal(step!.errorCount, printed(name, /Non-2xx or 3xx responses: (\d+)/));
  const rate = printed(name, /Requests\/sec: +([\d.]+)/);
  near(step!.throughputPerSecond, rate * (1 - step!.errorCount / step!.requestCount), 1e-9, 'X');
  // The window is printed to the hundredth of a second.
  near(rate, step!.requestCount / step!.windowSeconds!, (rate * 0.005) / step!.windowSeconds!, 'rate');
  const { percentiles } = step!.overall;
  assert.deepEqual(
    percentiles.map(([order]) => order),
    [50, 75, 90, 99],
  );
  near(percentiles[0]![1], printed(name, /50% +([\d.]+)ms/) / 1000, 1e-12, 'p50');
  const [row] = reportedRows([step!], 'wrk');
  assert.equal(row!.overall.p95Seconds, undefined, 'wrk prints no p95, and none is made up');
  assert.equal(row!.overall.reported!.by, 'wrk');
});

test('wrk-sweep.txt: four runs one after the other are four steps, each with its own percentiles', async () => {
  const steps = await stepsOf('wrk-sweep.txt');
  assert.deepEqual(
    steps.map(({ load }) => load.value),
    [1, 2, 4, 8],
  );
  const rates = [...sampleText('wrk-sweep.txt').matchAll(/Requests\/sec: +([\d.]+)/g)].map((m) =>
    Number(m[1]),
  );
  assert.deepEqual(
    steps.map(({ throughputPerSecond }) => throughputPerSecond),
    rates,
  );
});

test('wrk2.txt: the spectrum gives p95, the sample count is that of the histogram', async () => {
  const [step] = await stepsOf('wrk2.txt');
  assert.deepEqual(step!.load, { kind: 'arrivalRatePerSecond', value: 200, source: 'estimated' });
  const p95 = printed('wrk2.txt', /^ +([\d.]+) +0\.950000/m) / 1000;
  assert.equal(step!.overall.percentiles.find(([order]) => order === 95)![1], p95);
  assert.equal(step!.overall.sampleCount, printed('wrk2.txt', /Total count += +(\d+)/));
  assert.equal(step!.notices[0]!.code, 'load-estimated');
  const { imported } = await importSample('wrk2.txt', {
    load: { kind: 'arrivalRatePerSecond', values: [250] },
  });
  assert.deepEqual(imported.steps![0]!.load, { kind: 'arrivalRatePerSecond', value: 250, source: 'given' });
  assert.deepEqual(imported.steps![0]!.notices, []);
});

test('hey.txt: 400 requests, their mean and percentiles, and eight workers by Little’s law', async () => {
  const [step] = await stepsOf('hey.txt');
  const name = 'hey.txt';
  assert.equal(step!.requestCount, 400);
  assert.equal(step!.errorCount, printed(name, /\[503\]\s+(\d+) responses/));
  near(400 / step!.windowSeconds!, printed(name, /Requests\/sec:\s+([\d.]+)/), 0.2, 'rate');
  assert.equal(step!.overall.meanSeconds, printed(name, /Average:\s+([\d.]+)/));
  assert.equal(
    step!.overall.percentiles.find(([order]) => order === 95)![1],
    printed(name, /95%+ in ([\d.]+)/),
  );
  assert.deepEqual(step!.load, { kind: 'concurrency', value: 8, source: 'estimated' });
});

test('oha.json: counts, rate and percentiles; what its deadline cut off is not counted', async () => {
  const [step] = await stepsOf('oha.json');
  const document = JSON.parse(sampleText('oha.json')) as {
    summary: Record<string, number>;
    latencyPercentiles: Record<string, number>;
    statusCodeDistribution: Record<string, number>;
    errorDistribution: Record<string, number>;
  };
  const { 200: ok, 503: busy } = document.statusCodeDistribution;
  assert.equal(step!.requestCount, ok! + busy!);
  assert.equal(step!.errorCount, busy);
  near(step!.throughputPerSecond, ok! / document.summary['total']!, 1e-9, 'X');
  assert.equal(step!.overall.meanSeconds, document.summary['average']);
  assert.deepEqual(step!.overall.percentiles.at(-1), [99.99, document.latencyPercentiles['p99.99']]);
  assert.deepEqual(step!.load, { kind: 'concurrency', value: 8, source: 'estimated' });
});

test('vegeta-report.json: the figures of the report', async () => {
  const [step] = await stepsOf('vegeta-report.json');
  const report = JSON.parse(sampleText('vegeta-report.json')) as Record<string, number>;
  assert.equal(step!.requestCount, report['requests']);
  assert.equal(step!.errorCount, 10, '5 % of 200');
  near(
    (step!.requestCount! - step!.errorCount) / step!.windowSeconds!,
    report['throughput']!,
    1e-6 * report['throughput']!,
    'X',
  );
  // 50 a second were asked for; 200 requests are 199 intervals apart.
  near(step!.load.value, 50, 0.2, 'rate');
});

test('k6-summary.json: counts, failures, mean and percentiles', async () => {
  const [step] = await stepsOf('k6-summary.json');
  const { metrics } = JSON.parse(sampleText('k6-summary.json')) as {
    metrics: Record<string, Record<string, number>>;
  };
  assert.equal(step!.requestCount, metrics['http_reqs']!['count']);
  assert.equal(step!.errorCount, metrics['http_req_failed']!['passes']);
  near(step!.overall.meanSeconds, metrics['http_req_duration']!['avg']! / 1000, 1e-12, 'mean');
  near(
    step!.overall.percentiles.find(([order]) => order === 95)![1],
    metrics['http_req_duration']!['p(95)']! / 1000,
    1e-12,
    'p95',
  );
  assert.deepEqual(step!.load, { kind: 'users', value: 6, source: 'estimated' });
});

test('autocannon.json: two runs, one a line', async () => {
  const steps = await stepsOf('autocannon.json');
  const documents = sampleText('autocannon.json')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, number> & { latency: Record<string, number> });
  for (const [i, document] of documents.entries()) {
    const step = steps[i]!;
    assert.deepEqual(step.load, { kind: 'concurrency', value: document['connections'], source: 'reported' });
    assert.equal(step.requestCount! - step.errorCount!, document['2xx']);
    assert.equal(step.errorCount, document['non2xx']);
    near(step.throughputPerSecond, document['2xx']! / document['duration']!, 1e-9, 'X');
    assert.equal(step.overall.meanSeconds, document.latency['mean']! / 1000);
    assert.equal(
      step.overall.percentiles.find(([order]) => order === 97.5)![1],
      document.latency['p97_5']! / 1000,
    );
  }
  assert.equal(steps.length, 2);
});

test('artillery.json: counters and summaries of the whole run, and those of its endpoints', async () => {
  const [step] = await stepsOf('artillery.json');
  const { counters, summaries } = (
    JSON.parse(sampleText('artillery.json')) as {
      aggregate: { counters: Record<string, number>; summaries: Record<string, Record<string, number>> };
    }
  ).aggregate;
  assert.equal(step!.requestCount, counters['http.responses']);
  assert.equal(step!.errorCount, counters['http.codes.503']);
  near(step!.overall.meanSeconds, summaries['http.response_time']!['mean']! / 1000, 1e-12, 'mean');
  near(
    step!.byRoute['/slow']!.percentiles.find(([order]) => order === 99)![1],
    summaries['plugins.metrics-by-endpoint.response_time./slow']!['p99']! / 1000,
    1e-12,
    'p99 of /slow',
  );
});

test('ab.txt: an answer of another length is no failure, a 503 is', async () => {
  const [step] = await stepsOf('ab.txt');
  assert.equal(step!.requestCount, 400);
  assert.equal(step!.errorCount, printed('ab.txt', /Non-2xx responses: +(\d+)/));
  const rate = printed('ab.txt', /Requests per second: +([\d.]+)/);
  // ab prints its seconds to the thousandth.
  near(400 / step!.windowSeconds!, rate, (rate * 0.0005) / step!.windowSeconds!, 'rate');
  assert.deepEqual(step!.load, { kind: 'concurrency', value: 8, source: 'reported' });
  assert.deepEqual(
    step!.notices.map(({ code }) => code),
    ['other-length-no-failure'],
  );
});

test('locust-stats.csv: the row of all requests, and one of each', async () => {
  const [step] = await stepsOf('locust-stats.csv');
  assert.equal(step!.requestCount, 789);
  assert.equal(step!.errorCount, 28);
  near(step!.throughputPerSecond, 65.62999609766673 - 2.329074639714409, 1e-9, 'X');
  near(step!.overall.meanSeconds, 0.0160178213662783, 1e-15, 'mean');
  assert.deepEqual(
    step!.overall.percentiles.find(([order]) => order === 95),
    [95, 0.036],
  );
  assert.deepEqual(step!.byRoute['/slow']!.percentiles[0], [50, 0.028]);
});

test('locust-history.csv: a step for each number of users, from the differences of the counts, and no percentiles', async () => {
  const steps = await stepsOf('locust-history.csv');
  // By hand from the rows "Aggregated" at 3 users (…302 to …307) and at 6 (…308 to …313).
  const expected = [
    { users: 3, count: 286 - 45, failed: 10 - 1, sum: 11.855608468531946 * 286 - 14.904804933343662 * 45 },
    { users: 6, count: 789 - 373, failed: 28 - 13, sum: 16.017821366278305 * 789 - 13.263814402144249 * 373 },
  ];
  for (const [i, { users, count, failed, sum }] of expected.entries()) {
    const step = steps[i]!;
    assert.deepEqual(step.load, { kind: 'users', value: users, source: 'reported' });
    assert.deepEqual([step.windowSeconds, step.requestCount, step.errorCount], [5, count, failed]);
    near(step.throughputPerSecond, (count - failed) / 5, 1e-9, 'X');
    near(step.overall.meanSeconds, sum / count / 1000, 1e-9, 'mean');
    assert.deepEqual(step.overall.percentiles, []);
    assert.match(step.notices[0]!.message, /cannot be pooled/);
  }
  assert.equal(steps.length, 2);
  assert.deepEqual(Object.keys(steps[0]!.byRoute).sort(), ['/mixed', '/slow']);
});
