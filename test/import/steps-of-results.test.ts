import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { importResults } from '../../src/session/import-results.ts';
import { createRandom } from '../../src/stats/random.ts';
import { percentileOf } from '../../src/stats/histogram.ts';
import { resultText } from '../support/import-results.ts';

const HEADER = 'timeStamp,elapsed,label,responseCode,responseMessage,success,bytes,allThreads';
const START_MS = 1_796_121_232_000;

/** Users that ask, wait R for the answer and pause for Z, each shifted against the others; whole milliseconds. */
function closedLoop(
  levels: readonly { users: number; seconds: number }[],
  responseMs: number,
  pauseMs: number,
) {
  const rows: { endMs: number; line: string }[] = [];
  let fromMs = START_MS;
  for (const { users, seconds } of levels) {
    const toMs = fromMs + 1000 * seconds;
    const cycleMs = responseMs + pauseMs;
    for (let user = 0; user < users; user += 1) {
      const shift = Math.floor((user * cycleMs) / users);
      for (let at = fromMs + shift; at + responseMs <= toMs; at += cycleMs)
        rows.push({ endMs: at + responseMs, line: `${at},${responseMs},/books,200,OK,true,120,${users}` });
    }
    fromMs = toMs;
  }
  return rows.sort((a, b) => a.endMs - b.endMs).map(({ line }) => line);
}

const jtl = (lines: readonly string[]): string => `${[HEADER, ...lines].join('\n')}\n`;

test('levels of a closed loop become steps: X = N/(R + Z), N = X(R + Z), U of in-flight = X·R', async () => {
  const [responseMs, pauseMs] = [40, 160];
  const levels = [
    { users: 5, seconds: 20 },
    { users: 10, seconds: 20 },
    { users: 20, seconds: 20 },
  ];
  const { measurements } = await importResults(resultText(jtl(closedLoop(levels, responseMs, pauseMs))));
  assert.deepEqual(
    measurements.map(({ importedLoad }) => importedLoad!.value),
    [5, 10, 20],
  );
  for (const [i, { users }] of levels.entries()) {
    const step = measurements[i]!;
    const expected = users / ((responseMs + pauseMs) / 1000);
    const throughput = step.completionCount / step.windowSeconds;
    // At each edge of the window every user may have one answer more or less.
    const edge = (2 * users) / step.windowSeconds;
    assert.ok(Math.abs(throughput - expected) <= edge, `X ${throughput} for ${expected} at ${users} users`);
    const inFlight = (expected * responseMs) / 1000;
    assert.ok(
      Math.abs(step.meanInFlight - inFlight) <= edge * (responseMs / 1000) + 1e-6,
      `${step.meanInFlight} in flight for ${inFlight}`,
    );
    assert.equal(percentileOf(step.responseTime, 95), responseMs / 1000);
    assert.ok(step.windowSeconds >= 19 && step.windowSeconds <= 20, `${step.windowSeconds} s`);
  }
});

test('a ramp between two levels is in no step, and is counted', async () => {
  const ramp = [6, 7, 8, 9].map((users) => ({ users, seconds: 2 }));
  const levels = [{ users: 5, seconds: 10 }, ...ramp, { users: 10, seconds: 10 }];
  const lines = closedLoop(levels, 20, 80);
  const { measurements, imported } = await importResults(resultText(jtl(lines)));
  assert.deepEqual(
    measurements.map(({ importedLoad }) => importedLoad!.value),
    [5, 10],
  );
  const inSteps = measurements.reduce((sum, { completionCount }) => sum + completionCount, 0);
  const notice = imported.notices.find(({ code }) => code === 'requests-outside-steps')!;
  assert.match(notice.message, new RegExp(`^${lines.length - inSteps} requests of ${lines.length} `));
});

test('what failed is apart: an error by its status, a time-out with the time waited, an assertion by name', async () => {
  const rows = [
    '0,10,/a,200,OK,true,9,1',
    '20,3,/a,503,busy,false,9,1',
    '40,5000,/a,Non HTTP response code: java.net.SocketTimeoutException,Read timed out,false,0,1',
    '5100,7,/a,200,"Test failed: text expected to contain /x, y/",false,9,1',
    '5200,2,/a,Non HTTP response code: java.net.ConnectException,Connection refused,false,0,1',
  ].map((row) => row.replace(/^\d+/, (at) => String(START_MS + Number(at))));
  const { measurements } = await importResults(resultText(jtl(rows)), {
    load: { kind: 'users', values: [1] },
  });
  const [step] = measurements;
  assert.deepEqual(step!.outcomeCounts, { ok: 1, error: 3, timeout: 1, dropped: 0 });
  assert.deepEqual(step!.errorCodes, {
    'http-503': 1,
    timeout: 1,
    'assertion-failed': 1,
    'java.net.ConnectException': 1,
  });
  assert.equal(step!.responseTime.maxSeconds, 5);
  assert.equal(step!.byRoute[0]!.failureTime.totalCount, 3);
});

test('lines in any order and chunks of any size give the same measurement', async () => {
  const lines = closedLoop([{ users: 3, seconds: 5 }], 30, 70);
  const expected = await importResults(resultText(jtl(lines)));
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1e6 }),
      fc.integer({ min: 1, max: 5000 }),
      async (seed, chunk) => {
        const random = createRandom(seed);
        const shuffled = lines
          .map((line) => ({ line, at: random.next() }))
          .sort((a, b) => a.at - b.at)
          .map(({ line }) => line);
        const { measurements } = await importResults(resultText(jtl(shuffled), chunk));
        const [own, other] = [measurements[0]!, expected.measurements[0]!];
        assert.deepEqual(own.responseTime.bins, other.responseTime.bins);
        assert.deepEqual(own.outcomeCounts, other.outcomeCounts);
        assert.ok(Math.abs(own.meanInFlight - other.meanInFlight) < 1e-6);
      },
    ),
    { numRuns: 10 },
  );
});

test('a load that is given makes the file one step, and what was in flight is held against it', async () => {
  const lines = closedLoop(
    [
      { users: 3, seconds: 5 },
      { users: 6, seconds: 5 },
    ],
    30,
    18,
  );
  // 4.5 users on average, 30 of every 48 ms in flight: 2.81 requests.
  for (const { workers, code } of [
    { workers: 2, code: 'load-exceeded' },
    { workers: 3, code: undefined },
    { workers: 4, code: 'workers-idle' },
  ]) {
    const { measurements } = await importResults(resultText(jtl(lines)), {
      load: { kind: 'concurrency', values: [workers] },
    });
    const [step] = measurements;
    assert.deepEqual(step!.importedLoad, { kind: 'concurrency', value: workers, source: 'given' });
    assert.equal(step!.completionCount, lines.length);
    assert.ok(Math.abs(step!.meanInFlight - 2.8125) < 0.03, `${step!.meanInFlight} in flight`);
    assert.equal(step!.notices[0]?.code, code);
  }
});

test('routes past a hundred are put together, and none is lost', async () => {
  const lines = Array.from({ length: 500 }, (_, i) => `${START_MS + 10 * i},5,/item/${i},200,OK,true,9,1`);
  const { measurements } = await importResults(resultText(jtl(lines)), {
    load: { kind: 'users', values: [1] },
  });
  const { byRoute, completionCount } = measurements[0]!;
  assert.equal(byRoute.length, 101);
  assert.equal(byRoute.at(-1)!.route, '(other routes)');
  assert.equal(byRoute.at(-1)!.okCount, 400);
  assert.equal(completionCount, 500);
});

test('a file of 43 MB is read in the memory of its steps', async () => {
  const row = Buffer.from(
    Array.from(
      { length: 1000 },
      (_, i) =>
        `TIME_MS_13_DIG,${10 + (i % 50)},/books/${i % 7},200,OK and a message of some length,true,120,8`,
    ).join('\n'),
  ).toString();
  const blockCount = 450;
  const source = {
    name: 'large.jtl',
    async *open() {
      yield Buffer.from(`${HEADER}\n`);
      for (let block = 0; block < blockCount; block += 1) {
        let i = 0;
        yield Buffer.from(
          `${row.replaceAll('TIME_MS_13_DIG', () => String(START_MS + block * 1000 + i++))}\n`,
        );
      }
    },
  };
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().heapUsed)), 20);
  const before = process.memoryUsage().heapUsed;
  const { measurements, imported } = await importResults(source);
  clearInterval(watch);
  assert.equal(imported.lines.total, 1000 * blockCount + 1);
  assert.equal(measurements[0]!.completionCount, 1000 * blockCount);
  assert.ok(peak - before < 36e6, `the heap grew by ${Math.round((peak - before) / 1e6)} MB`);
});
