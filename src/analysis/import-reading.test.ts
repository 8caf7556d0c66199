import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture } from '../../test/support/paths.ts';
import { judge } from '../verdict/judge.ts';
import { parseTarget } from '../verdict/parse-target.ts';
import { importTable } from './import-table.ts';
import type { ImportedTable } from './import-table.ts';

const read = (text: string, serverCount?: number): ImportedTable =>
  importTable(text, { file: 'table.csv', ...(serverCount !== undefined && { serverCount }) });
const codes = (table: ImportedTable): string[] => table.notices.map(({ code }) => code);
const report = (name: string): string => readFileSync(fixture('reports', name), 'utf8');
const refused = (text: string, where: string, says: RegExp, serverCount?: number): void =>
  assert.throws(() => read(text, serverCount), { code: 'table-invalid', where, message: says });

/** Target, table, result, and what the reason says. */
const JUDGED: readonly (readonly [target: string, text: string, result: string, says: RegExp])[] = [
  ['errors = 0', 'N,X\n1,10', 'inconclusive', /errors are not in the table/],
  ['error rate <= 1 %', 'N,X\n1,10', 'inconclusive', /errors are not in the table/],
  ['errors = 0', 'N,X,errors\n1,10,-', 'inconclusive', /errors are not in the table/],
  ['errors = 0', 'N,X,errors\n1,10,0', 'pass', /as required/],
  ['error rate <= 1 %', 'N,X,errors\n1,10,0', 'pass', /0 %/],
  ['error rate <= 1 %', 'N,X,errors\n1,10,3', 'inconclusive', /3 requests failed: of how many/],
  ['error rate <= 1 %', 'N,X,errors\n1,10,3%', 'fail', /3 % at 1 user/],
  ['error rate <= 5 %', 'N,X,errors\n1,10,3 %', 'pass', /3 % at 1 user/],
  ['errors = 0', 'N,X,errors\n1,10,3%', 'fail', /3 % of the requests failed, and none may/],
  ['errors <= 10', 'N,X,errors\n1,10,3%', 'inconclusive', /how many is not in the table/],
  ['errors = 0', 'N,X,errors\n1,10,0%', 'pass', /as required/],
  // 3 % of all with 97 successes in 10 s are three failures.
  ['errors <= 10', 'N,X,T_s,errors\n1,9.7,10,3%', 'pass', /^3 at/],
  // A printed 0.01 % of 100 requests is one at least.
  ['errors = 0', 'N,X,T_s,errors\n1,10,10,0.01%', 'fail', /^1 at/],
  ['errors of /x = 0', 'N,X,p95 /x\n1,10,5', 'inconclusive', /not in the table/],
];

for (const [target, text, result, says] of JUDGED) {
  test(`${target} in ${JSON.stringify(text)}: ${result}`, () => {
    const check = judge([parseTarget(target)], read(text).rows).checks[0]!;
    assert.equal(check.result, result);
    assert.match(check.reason, says);
  });
}

test('a table without errors says so, and marks its rows', () => {
  const table = read('N,X\n1,10');
  assert.ok(codes(table).includes('errors-not-in-table'));
  assert.equal(table.rows[0]!.errorCountUnknown, true);
  assert.equal(table.rows[0]!.errorRatioUnknown, true);
});

test('a share of errors above 100 % is refused', () => {
  refused('N,X,error%\n1,10,3\n2,20,130', 'table.csv:3:6', /error%: 130 of the requests is more than all/);
});

/** Throughputs of a table, or where it is refused. */
const COMMAS: readonly (readonly [title: string, text: string, throughputs: readonly number[]])[] = [
  ['semicolons and decimal commas', 'users;X;U\n1;0,5;0,01\n25;12,2;0,16', [0.5, 12.2]],
  ['decimal commas quoted between commas', 'users,X\n1,"0,5"\n25,"12,2"', [0.5, 12.2]],
  ['tabs, and a point between thousands', 'users\tX\n1\t0,5\n2000\t1.234,5', [0.5, 1234.5]],
  ['1,234 beside a decimal comma is a decimal', 'users;X;U\n1;1,234;0,5', [1.234]],
  ['1,234 beside a decimal point has thousands', '| users | X | U |\n|-|-|-|\n| 1 | 1,234 | 0.5 |', [1234]],
  ['1,234 quoted between commas has thousands', 'users,X\n1,"1,234"', [1234]],
  ['1,234 below 950 has thousands', 'users;X\n1;950\n2;1,234', [950, 1234]],
  ['loads with thousands', 'users;X\n900;950\n1,000;999', [950, 999]],
];

for (const [title, text, throughputs] of COMMAS) {
  test(`commas: ${title}`, () => {
    const table = read(text);
    assert.deepEqual(
      table.rows.map((row) => row.throughputPerSecond),
      throughputs,
    );
    const isDecimal = text.includes('0,5');
    assert.equal(codes(table).includes('decimal-comma'), isDecimal);
  });
}

test('commas that may be either are refused with the cell', () => {
  refused('users;X\n1;1,234\n2;2,345', 'table.csv:2:3', /"1,234" may be a decimal/);
  refused('users;X;U\n1;12,2;0.5', 'table.csv:2:3', /"12,2" has a decimal comma and "0.5" a decimal point/);
  refused('users,X\n1,"1,2,3"', 'table.csv:2:3', /no number/);
});

/** Header and cells of U, cores, the highest U as read. */
const UTILIZATIONS: readonly (readonly [
  title: string,
  text: string,
  cores: number | undefined,
  highest: number,
])[] = [
  ['a ratio', 'N,X,U\n1,10,0.3\n2,20,1.02', undefined, 1.02],
  ['busy cores of four', 'N,X,cpu\n1,10,1.2\n2,20,3.9', 4, 0.975],
  ['percent', 'N,X,U\n1,10,1.2\n2,20,39', undefined, 0.39],
  ['percent with two cores', 'N,X,U\n1,10,1.2\n2,20,39', 2, 0.39],
  ['percent of one core, four of them', 'N,X,U\n1,10,120\n2,20,390', 4, 0.975],
  ['percent of one core by its name', 'N,X,cpu%\n1,10,120\n2,20,390', 4, 0.975],
  ['percent of one core by its cells', 'N,X,cpu\n1,10,120%\n2,20,390%', 4, 0.975],
  ['a low percent by its cells', 'N,X,cpu\n1,10,1.2%\n2,20,3.9%', undefined, 0.039],
  ['a low percent by its name', 'N,X,cpu%\n1,10,1.2\n2,20,3.9', 4, 0.039],
];

for (const [title, text, cores, highest] of UTILIZATIONS) {
  test(`utilization: ${title}`, () => {
    const { rows } = read(text, cores);
    assert.ok(Math.abs(rows[1]!.utilizationRatio['cpu']! - highest) < 1e-12);
    // D = U·m / X with X = 20/s.
    assert.ok(Math.abs(rows[1]!.serviceDemandSeconds['cpu']! - (highest * (cores ?? 1)) / 20) < 1e-12);
  });
}

test('utilizations that may be cores or percent are refused, and what was decided is said', () => {
  refused('N,X,U\n1,10,1.2\n2,20,3.9', 'table.csv:3:6', /U: 3.9 may be busy cores or percent/);
  refused('N,X,U\n1,10,1.2\n2,20,3.9', 'table.csv:3:6', /may be busy cores or percent/, 2);
  refused('N,X,U\n1,10,900', 'table.csv:2:6', /more than all cores/, 4);
  refused('N,X,cpu%\n1,10,390', 'table.csv:2:6', /may be busy cores or percent/);
  assert.match(read('N,X,U\n2,20,3.9', 4).notices[0]!.message, /up to 3.9 with 4 cores: read as busy cores/);
});

for (const name of ['run.txt', 'run-80-columns.txt', 'run.md', 'run.csv']) {
  test(`our own report ${name} is read again`, () => {
    const at200 = read(report(name)).rows.find((row) => row.users === 200)!;
    assert.equal(at200.throughputPerSecond, 97.9);
    assert.equal(at200.utilizationRatio['cpu'], 0.7);
    assert.equal(at200.completionCount, 5874);
    assert.equal(at200.errorCountUnknown, undefined);
    assert.equal(at200.byRoute['/books/[id]']!.p95Seconds, 0.105);
    assert.equal(at200.byRoute['/search']!.p50Seconds, 0.054);
    assert.equal(at200.overall.p95Seconds, name === 'run.csv' ? at200.overall.p95Seconds : undefined);
  });
}

test('our own sweep is read again: the step marked with ! is not valid', () => {
  const { rows } = read(report('sweep.txt'));
  assert.deepEqual(
    rows.map((row) => row.concurrency),
    [1, 2, 4, 8, 16, 32, 64, 128, 256],
  );
  assert.equal(rows[8]!.valid, false);
  assert.equal(rows[4]!.overall.p99Seconds, 0.0155);
});

test('a percentile marked with ? is left out, and said to be', () => {
  const table = read(report('run.md'));
  assert.equal(table.rows[0]!.byRoute['/books/[id]']!.p95Seconds, undefined);
  assert.ok(codes(table).includes('percentiles-left-out'));
});

test('a table ends at a remark, and a remark between rows is refused', () => {
  assert.equal(read('N  X\n1  10\n2  20\np50, p95 in milliseconds\nand more').rows.length, 2);
  refused('N,X\n1,10\nramp\n2,20', 'table.csv:3:1', /1 cells under 2 names/);
  refused('N,X,p95,p95\n1,10,5,6', 'table.csv:1:9', /two columns hold p95/);
});

test('rows are sorted by load; a load that stands twice stays two steps, and is named', () => {
  const table = read('N,X\n200,97\n1,0.5\n200,98\n50,25');
  assert.deepEqual(
    table.rows.map((row) => [row.index, row.users, row.throughputPerSecond]),
    [
      [0, 1, 0.5],
      [1, 50, 25],
      [2, 200, 97],
      [3, 200, 98],
    ],
  );
  assert.match(table.notices.find(({ code }) => code === 'loads-repeated')!.message, /at 200 users/);
});
