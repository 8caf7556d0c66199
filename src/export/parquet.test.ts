import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { temporaryFolder } from '../../test/support/cli.ts';
import { parquetOfRequests } from './parquet.ts';

const write = (folder: string, rows: readonly string[]): string => {
  const path = join(folder, 'requests.csv');
  writeFileSync(path, ['at_seconds,route,ms,failed', ...rows, ''].join('\n'));
  return path;
};

test('a reader of Parquet finds every request: count, sum of times, failures and routes', async (t) => {
  const count = 3000;
  const rows = Array.from(
    { length: count },
    (_, i) =>
      `${(i / 100).toFixed(6)},${i % 3 === 0 ? '"/a,""b"""' : '/c'},${(i % 50) + 0.5},${i % 10 === 0 ? 1 : 0}`,
  );
  const file = await parquetOfRequests(write(temporaryFolder(t), rows));
  const read = (await parquetReadObjects({ file: file.buffer as ArrayBuffer })) as unknown as readonly {
    readonly atSeconds: number;
    readonly route: string;
    readonly responseTimeSeconds: number;
    readonly failed: boolean;
  }[];
  assert.equal(read.length, count);
  const sum = read.reduce((total, { responseTimeSeconds }) => total + responseTimeSeconds, 0);
  assert.ok(Math.abs(sum - count * 0.025) < 1e-9 * count);
  assert.equal(read.filter(({ failed }) => failed).length, count / 10);
  assert.equal(read.filter(({ route }) => route === '/a,"b"').length, count / 3);
  assert.equal(read[150]!.atSeconds, 1.5);
});

test('a run without rows, and a line that is none, are told with the place', async (t) => {
  const folder = temporaryFolder(t);
  await assert.rejects(parquetOfRequests(join(folder, 'none.csv')), {
    code: 'file-not-found',
    hint: /--samples/,
  });
  await assert.rejects(parquetOfRequests(write(folder, ['1.0,/a,2.0,0', '1.0,/a'])), {
    code: 'record-invalid',
    where: /requests\.csv:3$/,
  });
});
