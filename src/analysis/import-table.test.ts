import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ShiploadError } from '../errors.ts';
import { fixture } from '../../test/support/paths.ts';
import { importTable } from './import-table.ts';

type Table = Record<string, number>[];
type Columns = Record<string, number[]>;
const published = JSON.parse(readFileSync(fixture('case', 'published-tables.json'), 'utf8')) as {
  publishedBeforeFix: Table;
  publishedAfterFix: Table;
  workerSweep: Columns;
  poolSweep: Columns;
};

const csvOfRows = (rows: Table, separator = ','): string =>
  [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))].map((r) => r.join(separator)).join('\n');

/** The columns of a sweep that have a figure for every step, under their own key names. */
function csvOfColumns(table: Record<string, unknown>): string {
  const columns = Object.entries(table).filter(
    (entry): entry is [string, number[]] => Array.isArray(entry[1]) && typeof entry[1][0] === 'number',
  );
  const count = columns[0]![1].length;
  const lines = Array.from({ length: count }, (_, i) => columns.map(([, values]) => values[i]).join(','));
  return [columns.map(([name]) => name).join(','), ...lines].join('\n');
}

const read = (text: string, series?: string) =>
  importTable(text, { file: 'table.csv', ...(series !== undefined && { series }) });

for (const separator of [',', '\t', ';', ' | ', '  ', ' ']) {
  test(`the table before the fix, cells apart by "${separator}"`, () => {
    const { rows, notices } = read(csvOfRows(published.publishedBeforeFix, separator));
    const at200 = rows.find((row) => row.users === 200)!;
    assert.equal(at200.throughputPerSecond, 97.9);
    assert.deepEqual(at200.byRoute, {
      Book: { p50Seconds: 0.022, p95Seconds: 0.105 },
      Search: { p50Seconds: 0.054, p95Seconds: 0.141 },
    });
    assert.equal(at200.utilizationRatio['cpu'], 0.7);
    assert.ok(Math.abs(at200.serviceDemandSeconds['cpu']! - 0.7 / 97.9) < 1e-12);
    assert.equal(at200.machineCpuRatio, 0.15);
    assert.equal(at200.loadPerCore, 0.2);
    assert.equal(at200.generator?.utilizationRatio, 0.028);
    assert.equal(at200.residentBytes, 115e6);
    assert.equal(at200.errorCount, 0);
    assert.ok(rows.every((row) => row.valid));
    assert.deepEqual(
      notices.map((n) => n.code),
      ['latency-unit-decided'],
    );
  });
}

test('the table after the fix: figures that Little leaves open are milliseconds', () => {
  const { rows, notices } = read(csvOfRows(published.publishedAfterFix));
  assert.equal(rows.at(-1)!.byRoute['Book']!.p95Seconds, 0.001);
  assert.match(notices[0]!.message, /milliseconds/);
});

test('two throughput columns: the first is read, the other by its name', () => {
  const text = csvOfColumns(published.workerSweep);
  const first = read(text);
  assert.equal(first.notices[0]!.code, 'table-has-several-series');
  assert.deepEqual(
    first.rows.map((row) => [row.concurrency, row.throughputPerSecond, row.overall.p99Seconds]),
    published.workerSweep['workers']!.map((workers, i) => [
      workers,
      published.workerSweep['readHeavyX']![i],
      published.workerSweep['readHeavyP99Ms']![i]! / 1000,
    ]),
  );
  assert.equal(read(text, 'writeHeavy').rows[3]!.throughputPerSecond, 4172.7);
  assert.deepEqual(first.rows[0]!.byRoute, {});
  assert.throws(() => read(text, 'scan'), { code: 'option-invalid' });
});

test('the pool sweep: seconds in the name, CPU as a ratio', () => {
  const { rows } = read(csvOfColumns(published.poolSweep));
  assert.equal(rows.length, 9);
  assert.equal(rows[4]!.concurrency, 16);
  assert.equal(rows[4]!.overall.p50Seconds, 0.0103);
  assert.equal(rows[4]!.utilizationRatio['cpu'], 0.43);
});

const CASES: {
  title: string;
  text: string;
  expect: (row: ReturnType<typeof read>['rows'][number]) => void;
}[] = [
  {
    title: 'the columns of our own text report',
    text: 'shipload run\n\nusers  T_s  C     X/s   p50 /books/[id]  p95 /books/[id]  err  B_s  U     D_ms  R_ms  machine%  load/core  generator_U  rss_MB\n200    60   5874  97.9  22               105              0    42   0.70  7.15  39    15        0.2        0.028        115\n\nbend [200, 250]\n',
    expect: (row) => {
      assert.equal(row.completionCount, 5874);
      assert.equal(row.windowSeconds, 60);
      assert.equal(row.byRoute['/books/[id]']!.p95Seconds, 0.105);
      assert.equal(row.responseTimeSeconds, 0.039);
      assert.equal(row.serviceDemandSeconds['cpu'], 0.00715);
      assert.equal(row.busySeconds!['cpu'], 42);
      assert.equal(row.machineCpuRatio, 0.15);
    },
  },
  {
    title: 'a markdown table with percent and units in brackets',
    text: '| Users | Requests/s | p95 /search (ms) | CPU % | errors |\n|---|---:|---|---|---|\n| 1,000 | 1,234.5 | 80 | 70 | - |',
    expect: (row) => {
      assert.equal(row.users, 1000);
      assert.equal(row.throughputPerSecond, 1234.5);
      assert.equal(row.byRoute['/search']!.p95Seconds, 0.08);
      assert.equal(row.utilizationRatio['cpu'], 0.7);
    },
  },
  {
    title: 'a percent sign in the cell',
    text: 'c,rps,cpu,p95_search_ms\n4,10,1%,80',
    expect: (row) => {
      assert.equal(row.concurrency, 4);
      assert.equal(row.utilizationRatio['cpu'], 0.01);
      assert.equal(row.byRoute['search']!.p95Seconds, 0.08);
    },
  },
  {
    title: 'utilisation above 1.5 is percent for the whole column',
    text: 'N,X,U\n1,10,1\n8,70,70',
    expect: (row) => assert.equal(row.utilizationRatio['cpu'], 0.01),
  },
  {
    title: 'a bare latency that makes up N without think time is in seconds',
    text: 'c,X,p50\n1,181.6,0.0055\n8,1452.7,0.0055\n64,1543.4,0.0413',
    expect: (row) => assert.equal(row.overall.p50Seconds, 0.0055),
  },
  {
    title: 'names of our own CSV report, quoted',
    text: '"users","throughputPerSecond","responseTimeSeconds","thinkTimeSeconds","utilizationRatio.cpu","p95Seconds /books/[id]"\n200,97.9,0.039,2,0.7,0.105',
    expect: (row) => {
      assert.equal(row.byRoute['/books/[id]']!.p95Seconds, 0.105);
      assert.ok(Math.abs(row.littleResidualRatio! - (97.9 * 2.039) / 200 + 1) < 1e-12);
    },
  },
  {
    title: 'an open loop by offered rate',
    text: 'rate,throughput,p99_us\n100,99.5,1500',
    expect: (row) => {
      assert.equal(row.arrivalRatePerSecond, 100);
      assert.equal(row.overall.p99Seconds, 0.0015);
    },
  },
];

for (const { title, text, expect } of CASES) test(title, () => expect(read(text).rows[0]!));

test('errors make a share where the requests are known, else a notice', () => {
  assert.equal(read('N,X,T_s,errors\n1,9,10,10').rows[0]!.errorRatio, 0.1);
  assert.equal(read('N,X,error%\n1,9,10').rows[0]!.errorRatio, 0.1);
  const unknown = read('N,X,errors\n1,9,10');
  assert.equal(unknown.notices[0]!.code, 'error-share-unknown');
});

for (const [title, text, broken] of [
  ['ten workers with fifty in flight', 'c,X,mean_ms\n10,100,500', /X·R = 50 where only 10 workers/],
  ['32 workers with eight in flight', 'c,X,mean_ms\n32,100,80', /X·R = 8 where 32 workers/],
  [
    'users who think for nobody knows how long, too many in flight',
    'N,X,mean_ms\n10,100,500',
    /only 10 users/,
  ],
  ['the same, few in flight: the rest think', 'N,X,mean_ms\n32,100,80', undefined],
  ['users and their think time', 'N,X,mean_ms,think_s\n10,100,50,1', /X\(R\+Z\) = 105 where only 10 users/],
  ['a mean of one digit', 'c,X,mean_ms\n8,5700,1', undefined],
  ['a pool as it was measured', 'c,X,mean_s\n8,1452.7,0.0055\n64,1543.4,0.0413', undefined],
  ['a median is no mean', 'c,X,p50_ms\n32,100,80', undefined],
] as const)
  test(`Little's law on the figures of a table: ${title}`, () => {
    const [row] = read(text).rows;
    const flags = row!.notices.filter(({ code }) => code === 'little-law-broken');
    assert.equal(row!.valid, broken === undefined);
    assert.equal(flags.length, broken === undefined ? 0 : 1);
    if (broken !== undefined) assert.match(flags[0]!.message, broken);
  });

for (const [title, text, where] of [
  ['no header', 'a,b\n1,2', 'table.csv'],
  ['no rows', 'N,X\n', 'table.csv:1:1'],
  ['a word for a number', 'N,X\n1,10\n2,many', 'table.csv:3:3'],
  ['a row that is too short', 'N,X,U\n1,10', 'table.csv:2:1'],
  ['a load of zero', 'N,X\n0,10', 'table.csv:2:1'],
  ['a negative throughput', 'N,X\n1,-10', 'table.csv:2:3'],
  ['no throughput', 'N,X\n1,', 'table.csv:2:3'],
] as const) {
  test(`refused with its place: ${title}`, () => {
    assert.throws(
      () => read(text),
      (error) => error instanceof ShiploadError && error.code === 'table-invalid' && error.where === where,
    );
  });
}
