import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readLog } from '../src/access-log/read-log.ts';
import type { LogTable } from '../src/model/log-table.ts';
import { buildWorkload } from '../src/workload/build-workload.ts';
import { loggedOf } from '../src/workload/logged.ts';
import { logFile, logText } from './support/log-source.ts';
import { shared, skipWithout } from './support/paths.ts';
import { near } from './support/truth.ts';

interface TruthRow {
  readonly file: string;
  readonly total: number;
  readonly blank: number;
  readonly comment: number;
  readonly ok: number;
  readonly bad_request: number;
  readonly unparsed: number;
  readonly first: string;
  readonly last: string;
  readonly span_s: number;
  readonly clients: number;
  readonly status: Readonly<Record<string, number>>;
  readonly busiest_minute: readonly [at: string, count: number];
  readonly duration_s?: { readonly n: number; readonly sum: number };
}

const FOLINI =
  '%h %{GEOIP_COUNTRY_CODE}e %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i" %v %A %p %R %{BALANCER_WORKER_ROUTE}e %X "%{cookie}n" %{UNIQUE_ID}e %I %O %{ratio}n%% %D %{ModSecTimeIn}e %{ApplicationTime}e %{ModSecTimeOut}e %{ModSecAnomalyScoreIn}e %{ModSecAnomalyScoreOut}e';
/** Every published log is told from its lines, but for one whose fields its server was configured to write. */
const formatOf = (file: string): string => (file === 'folini-apache-10k.log' ? FOLINI : 'auto');

const truthPath = shared('logs', 'truth.json');
const truth: readonly TruthRow[] =
  truthPath === undefined ? [] : (JSON.parse(readFileSync(truthPath, 'utf8')) as TruthRow[]);

/** What the model of a whole log says of its lines; also of a log that holds bad requests only, of which there is none. */
function loggedIn(table: LogTable): NonNullable<ReturnType<typeof loggedOf>> {
  if (table.rowCount > 0) return buildWorkload(table, { window: 'all' }).logged!;
  const whole = { rule: 'all', fromSeconds: NaN, toSeconds: NaN, isCut: false };
  return loggedOf(table, new Uint32Array(0), whole)!;
}

const isoOf = (seconds: number): string => new Date(Math.round(seconds * 1e3)).toISOString();

for (const wanted of truth)
  test(`a published log counts as counted independently: ${wanted.file}`, async () => {
    const { total, blank, comment, ok, bad_request: badRequest, unparsed } = wanted;
    const table = await readLog([logFile(shared('logs', wanted.file)!)], { format: formatOf(wanted.file) });
    assert.deepEqual(table.lines, { total, blank, comment, ok, badRequest, unparsed });
    const { clientCount, firstSeconds, lastSeconds, busiestMinute } = loggedIn(table);
    assert.equal(clientCount, wanted.clients);
    // The independent count cuts stamps to milliseconds.
    for (const [got, at] of [
      [firstSeconds, wanted.first],
      [lastSeconds, wanted.last],
    ] as const)
      assert.ok(got - Date.parse(at) / 1e3 < 0.001 && got >= Date.parse(at) / 1e3 - 1e-6, `${got} for ${at}`);
    assert.ok(Math.abs(lastSeconds - firstSeconds - wanted.span_s) < 0.0011);
    assert.deepEqual([isoOf(busiestMinute.fromSeconds), busiestMinute.lineCount], wanted.busiest_minute);
    // What it says of statuses and durations takes bad requests in, and the rows do not.
    if (badRequest > 0) return;
    const known = Array.from(table.responseTimeSeconds).filter((seconds) => !Number.isNaN(seconds));
    assert.equal(known.length, wanted.duration_s?.n ?? 0);
    const sum = known.reduce((total, seconds) => total + seconds, 0);
    assert.ok(Math.abs(sum - (wanted.duration_s?.sum ?? 0)) < 1e-5);
    const okStatuses = Array.from(table.status).filter((status) => status >= 200 && status < 300).length;
    assert.equal(okStatuses, wanted.status['2xx'] ?? 0);
  });

test('the independent counts are beside this clone', { skip: skipWithout(truthPath) }, () => {
  assert.ok(truth.length > 40);
});

interface Oracle {
  readonly file: string;
  readonly lines: number;
  readonly X: number;
  readonly R_mean_s: number;
  readonly Z_true_mean_s: number;
  readonly M_XRZ: number;
  readonly clients: number;
  readonly timestamp: 'start' | 'end';
  readonly mix: Readonly<Record<'home' | 'book' | 'search' | 'cart' | 'user', number>>;
  readonly sessions?: number;
  readonly pages_per_session?: number;
  readonly lambda_s?: number;
  readonly mean_active?: number;
}

const ROUTES = { home: '/', book: '/books/[id]', search: '/search', cart: '/cart', user: '/users/[uuid]' };
const oraclePath = shared('logs', 'oracle-truth.json');
const oracles = oraclePath === undefined ? [] : (JSON.parse(readFileSync(oraclePath, 'utf8')) as Oracle[]);
for (const oracle of oracles)
  test(`a generated log gives back what it was made from: ${oracle.file}`, async () => {
    const header = oracle.timestamp === 'end' ? '# time=end\n' : '';
    const text = header + readFileSync(shared('logs', oracle.file)!, 'utf8');
    const model = buildWorkload(await readLog([logText(text)]), { window: 'all' });
    const within = (value: number | undefined, wanted: number, ratio: number): void =>
      near(value, wanted, ratio, oracle.file);
    assert.equal(model.requestCount, oracle.lines);
    assert.equal(model.clientCount, oracle.clients);
    assert.equal(model.timestampMeaning, oracle.timestamp);
    // X over first to last start instead of the generator's whole length: 1 %.
    within(model.throughputPerSecond, oracle.X, 0.01);
    within(model.responseTimeSeconds!.mean, oracle.R_mean_s, 0.01);
    // The truth counts the pauses that run beyond the end of the log, which are longer than the others: 1 %.
    within(model.thinkTimeSeconds!.mean, oracle.Z_true_mean_s, 0.01);
    within(model.activeUsers, oracle.M_XRZ, 0.03);
    for (const [name, share] of Object.entries(oracle.mix)) {
      const route = ROUTES[name as keyof typeof ROUTES];
      const found = model.requestClasses.filter((one) => one.route === route);
      const sum = found.reduce((total, { shareRatio }) => total + shareRatio, 0);
      within(sum, share, 0.01);
    }
    if (oracle.sessions !== undefined) {
      assert.equal(model.sessions!.count, oracle.sessions);
      // The truth's own average counts the time after the last step's answer differently by one R: 3 %.
      within(model.sessions!.activeMean, oracle.mean_active!, 0.03);
      within(model.sessions!.perSecond, oracle.lambda_s!, 0.03);
    }
    const zipf = (route: string): number =>
      model.requestClasses.find((one) => one.route === route)!.parameters[0]!.zipfExponent;
    within(zipf('/books/[id]'), 0.9, 0.05 / 0.9);
    within(zipf('/search'), 1.1, 0.05 / 1.1);
  });

test('the generated logs are beside this clone', { skip: skipWithout(oraclePath) }, () => {
  assert.ok(oracles.length >= 3);
});
