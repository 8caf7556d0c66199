import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { readLog, type LogSource } from '../src/access-log/read-log.ts';
import type { WorkloadModel } from '../src/model/workload.ts';
import { createRandom } from '../src/stats/random.ts';
import { buildWorkload, type WorkloadOptions } from '../src/workload/build-workload.ts';
import { logFile, logText } from './support/log-source.ts';
import { fixture, shared, skipWithout } from './support/paths.ts';

const modelOf = async (source: LogSource, options?: WorkloadOptions): Promise<WorkloadModel> =>
  buildWorkload(await readLog([source]), options);

const SMALL = fixture('logs', 'catalogue-small.log');
const casePath = shared('case', 'access.log');
const withCase = { skip: skipWithout(casePath) };
let caseModel: Promise<WorkloadModel> | undefined;
const modelOfCase = (): Promise<WorkloadModel> => (caseModel ??= modelOf(logFile(casePath!)));

const near = (value: number | undefined, wanted: number, tolerance: number): void =>
  assert.ok(Math.abs(value! - wanted) <= tolerance, `${value} is not ${wanted} ± ${tolerance}`);

/** The model without what tells the order of the lines and the clock. */
function essence(model: WorkloadModel): unknown {
  const { firstSeconds, lastSeconds, clientCount, busiestMinute } = model.logged!;
  return {
    ...model,
    logged: [clientCount, busiestMinute.lineCount, (lastSeconds - firstSeconds).toFixed(6)],
    files: [],
    lineExamples: [],
    ...(model.wholeLog === undefined ? {} : { wholeLog: { ...model.wholeLog, fromSeconds: 0 } }),
    window: { ...model.window, fromSeconds: 0, toSeconds: model.window.toSeconds - model.window.fromSeconds },
    warnings: model.warnings.filter(({ code }) => code !== 'clock-order'),
  };
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = createRandom(seed);
  const keyed = items.map((item) => [random.next(), item] as const);
  return keyed.sort((a, b) => a[0] - b[0]).map(([, item]) => item);
}

test('the worked case: requests, rates and mix as published', withCase, async () => {
  const model = await modelOfCase();
  assert.equal(model.format, 'simple');
  assert.equal(model.requestCount, 89_345);
  assert.equal(model.clientCount, 200);
  assert.equal(model.spanSeconds.toFixed(0), '900');
  near(model.throughputPerSecond, 99.27, 0.01);
  assert.equal(model.busiestMinutePerSecond.toFixed(1), '99.8');
  assert.deepEqual(
    model.requestClasses.map(({ id, shareRatio }) => [id, Math.round(100 * shareRatio)]),
    [
      ['GET /books/[id]', 75],
      ['GET /search', 25],
    ],
  );
});

test('the worked case: Z, R, and M = X(R + Z) as published', withCase, async () => {
  const model = await modelOfCase();
  assert.equal(model.thinkTimeSeconds!.mean.toFixed(2), '2.00');
  assert.equal((1000 * model.responseTimeSeconds!.mean).toFixed(0), '12');
  assert.equal(Math.round(model.activeUsers!), 200);
  const { throughputPerSecond, responseTimeSeconds, thinkTimeSeconds } = model;
  near(model.activeUsers, throughputPerSecond * (responseTimeSeconds!.mean + thinkTimeSeconds!.mean), 1e-9);
  assert.deepEqual(
    model.warnings.map(({ code }) => code),
    [],
  );
});

test('the worked case: ten search terms by 1/rank, book ids all alike', withCase, async () => {
  const model = await modelOfCase();
  const [books, search] = model.requestClasses;
  const term = search!.parameters[0]!;
  assert.deepEqual([term.name, term.in, term.kind, term.distinctCount], ['q', 'query', 'zipf', 10]);
  assert.deepEqual(term.top[0], { value: 'queue', count: 7726 });
  assert.deepEqual(term.top[9], { value: 'signal', count: 692 });
  // The standard error of s from n requests is 1/sqrt(n · Var(ln r)), here 0.009; three of them.
  near(term.zipfExponent, 1, 0.03);
  assert.deepEqual([search!.targets.draw, search!.targets.targets.length], ['counted', 10]);
  const id = books!.parameters[0]!;
  assert.deepEqual(
    [id.name, id.in, id.kind, id.distinctCount, id.zipfExponent],
    ['id', 'path', 'uniform', 56_963, 0],
  );
  assert.deepEqual([books!.targets.draw, books!.targets.distinctCount], ['uniform', 56_963]);
});

test('a small log of two users is modelled as worked out by hand', async () => {
  const text = [
    '1796000000000 a GET /books/1 200 100',
    '1796000001100 a GET /books/2 200 100',
    '1796000002200 a GET /search?q=x+y 200 300',
    '1796000000500 b POST /cart 500 50',
    '1796000002550 b GET /books/1?utm_source=m 404 50',
    '1796003700000 b GET / 200 -',
  ].join('\n');
  const model = await modelOf(logText(text), { window: 'all' });
  assert.equal(model.requestCount, 6);
  assert.equal(model.spanSeconds, 3700);
  assert.deepEqual(model.sessions, {
    timeoutSeconds: 1800,
    count: 3,
    requestsPerSession: 2,
    stepsPerSession: 2,
    singleStepCount: 1,
    atEdgeCount: 3,
  });
  near(model.responseTimeSeconds!.mean, 0.12, 1e-12);
  assert.equal(model.activeUsers, undefined);
  assert.deepEqual(
    model.requestClasses.map(({ id, requestCount }) => [id, requestCount]),
    [
      ['GET /books/[id]', 3],
      ['GET /', 1],
      ['GET /search', 1],
      ['POST /cart', 1],
    ],
  );
  assert.deepEqual(model.requestClasses[0]!.targets.targets, ['/books/1', '/books/2']);
  assert.deepEqual(model.requestClasses[2]!.parameters[0]!.top, [{ value: 'x y', count: 1 }]);
  assert.deepEqual(model.requestClasses[3]!.targets.targets, []);
  assert.deepEqual(
    model.warnings.map(({ code }) => code),
    ['some-durations', 'think-time-not-identifiable'],
  );
});

test('the order of the lines makes no difference', async () => {
  const lines = readFileSync(SMALL, 'utf8').trimEnd().split('\n');
  const inOrder = await modelOf(logFile(SMALL));
  for (const seed of [1, 2, 3])
    assert.deepEqual(essence(await modelOf(logText(shuffled(lines, seed).join('\n')))), essence(inOrder));
});

test('a log of another day is the same workload', async () => {
  const text = readFileSync(SMALL, 'utf8');
  const inOrder = await modelOf(logText(text));
  for (const days of [1, -365, 4000]) {
    const shifted = text.replace(/^\d{13}/gm, (stamp) => String(Number(stamp) + days * 86_400_000));
    const model = await modelOf(logText(shifted));
    assert.equal(Math.round(model.window.fromSeconds - inOrder.window.fromSeconds), days * 86_400);
    near(model.window.toSeconds - model.window.fromSeconds, inOrder.spanSeconds, 1e-6);
    const still = { rule: model.window.rule, fromSeconds: 0, toSeconds: 0 };
    assert.deepEqual(essence({ ...model, window: still }), essence({ ...inOrder, window: still }));
  }
});

for (const [what, users, key, count] of [
  ['people who log in are told apart by their names, wherever they are', 6, 'user', 6],
  ['a name that many addresses share tells nobody apart', 1, 'address-and-agent', 24],
] as const)
  test(what, async () => {
    const lines = Array.from({ length: 240 }, (_, index) => {
      const stamp = `30/Nov/2026:10:${String(10 + Math.floor(index / 24))}:${String(index % 24).padStart(2, '0')} +0000`;
      return `10.0.0.${index % 24} - user${index % users} [${stamp}] "GET /a HTTP/1.1" 200 5 "-" "Mozilla/5.0" 0.010`;
    });
    const model = await modelOf(logText(lines.join('\n')));
    assert.equal(model.clientKey, key);
    assert.equal(model.sessions?.count, count);
    assert.ok(!JSON.stringify(model).includes('user0'));
  });

test('a model survives being stored', async () => {
  const model = await modelOf(logFile(SMALL));
  assert.deepEqual(JSON.parse(JSON.stringify(model)), model);
});

test('stamped at the end with a header that says so, a log gives the same model', async () => {
  const text = readFileSync(SMALL, 'utf8');
  const ended = text.replace(
    /^(\d{13})( .* )(\d+)$/gm,
    (_, stamp: string, rest: string, ms: string) => `${Number(stamp) + Number(ms)}${rest}${ms}`,
  );
  const [started, model] = await Promise.all([
    modelOf(logText(text)),
    modelOf(logText(`# time=end\n${ended}`)),
  ]);
  assert.equal(model.timestampMeaning, 'end');
  near(model.thinkTimeSeconds!.mean, started.thinkTimeSeconds!.mean, 1e-6);
  near(model.activeUsers, started.activeUsers!, 1e-3);
});

test('without durations the cycle takes the place of R + Z, and M is the same', async () => {
  const text = readFileSync(SMALL, 'utf8');
  const [timed, model] = await Promise.all([
    modelOf(logText(text)),
    modelOf(logText(text.replace(/ \d+$/gm, ' -'))),
  ]);
  assert.equal(model.responseTimeSeconds, undefined);
  // Cycle = gap + duration, but for each client's last request, which has no next: 1 % of M at most here.
  near(model.activeUsers, timed.activeUsers!, timed.activeUsers! * 0.01);
  assert.deepEqual(
    model.warnings.map(({ code }) => code),
    ['no-durations'],
  );
});

test('a log behind one address says that think time cannot be told', async () => {
  const text = readFileSync(SMALL, 'utf8').replace(/^(\d+) \S+/gm, '$1 10.0.0.1');
  const model = await modelOf(logText(text));
  assert.deepEqual([model.thinkTimeSeconds, model.activeUsers], [undefined, undefined]);
  assert.deepEqual(
    model.warnings.map(({ code }) => code),
    ['think-time-not-identifiable'],
  );
});

test('a window is cut where it is asked for', async () => {
  const lines = Array.from({ length: 7200 }, (_, second) => {
    const burst = second >= 3000 && second < 3900 ? 2 : 1;
    return Array.from(
      { length: burst },
      (_, index) => `${1_796_000_000 + second} c${index} GET /x 200 10`,
    ).join('\n');
  }).join('\n');
  const model = await modelOf(logText(lines));
  assert.deepEqual(
    [model.window.fromSeconds, model.spanSeconds, model.requestCount, model.throughputPerSecond],
    [1_796_003_000, 900, 1800, 2],
  );
  assert.deepEqual(
    [model.wholeLog!.fromSeconds, model.wholeLog!.binSeconds, model.wholeLog!.requestsPerBin.slice(49, 52)],
    [1_796_000_000, 60, [60, 120, 120]],
  );
  const all = await modelOf(logText(lines), { window: 'all' });
  assert.deepEqual([all.requestCount, all.spanSeconds, all.busiestMinutePerSecond], [8100, 7199, 2]);
  const part = await modelOf(logText(lines), { window: '1796000060..2026-11-30T00:55:20Z' });
  assert.deepEqual([part.requestCount, part.spanSeconds], [60, 60]);
  await assert.rejects(modelOf(logText(lines), { window: '2020-01-01..2020-01-02' }), {
    code: 'log-window-empty',
  });
  await assert.rejects(modelOf(logText(lines), { window: 'busiest' }), { code: 'option-invalid' });
});

test('whatever requests a log holds, shares sum to 1 and counts to the number of requests', async () => {
  const request = fc.tuple(
    fc.integer({ min: 0, max: 4_000_000 }),
    fc.constantFrom('a', 'b', '-'),
    fc.webUrl({ withQueryParameters: true }).map((url) => new URL(url).pathname + new URL(url).search),
    fc.constantFrom('200', '404', '500', '-'),
    fc.constantFrom('-', '5', '1200.5'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 60 }), async (requests) => {
      const lines = requests.map(
        ([at, client, path, status, ms]) => `${1_796_000_000_000 + at} ${client} GET ${path} ${status} ${ms}`,
      );
      const model = await modelOf(logText(lines.join('\n')), { window: 'all' });
      const sum = (pick: (item: WorkloadModel['requestClasses'][number]) => number): number =>
        model.requestClasses.reduce((total, item) => total + pick(item), 0);
      near(
        sum((item) => item.shareRatio),
        1,
        1e-9,
      );
      assert.equal(
        sum((item) => item.requestCount),
        requests.length,
      );
      assert.equal(
        model.requestsPerMinute.reduce((total, count) => total + count, 0),
        requests.length,
      );
      assert.deepEqual(JSON.parse(JSON.stringify(model)), model);
    }),
    { seed: 7, numRuns: 100 },
  );
});
