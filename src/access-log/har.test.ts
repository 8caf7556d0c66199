import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logText } from '../../test/support/log-source.ts';
import { ShiploadError } from '../errors.ts';
import { readLog } from './read-log.ts';

const entry = (path: string, second: number): object => ({
  startedDateTime: `2026-11-30T17:56:3${second}.000Z`,
  time: 12.5,
  request: {
    method: 'GET',
    url: `https://shop.example${path}`,
    headers: [{ name: 'User-Agent', value: 'browser' }],
  },
  response: { status: 200, bodySize: 10, content: { text: 'x'.repeat(5000) } },
});
const archive = JSON.stringify(
  { log: { version: '1.2', entries: [entry('/a', 1), entry('/b?c=d', 2)] } },
  null,
  2,
);

test('each entry of an HTTP Archive is a line', async () => {
  const table = await readLog([logText(archive, 700)]);
  assert.deepEqual([table.format, table.rowCount, table.lines.total], ['har', 2, 2]);
  assert.deepEqual(
    [table.targets.at(1), table.agents.at(1), table.responseTimeSeconds[0]],
    ['/b?c=d', 'browser', 0.0125],
  );
});

test('an archive that is cut is refused', async () => {
  await assert.rejects(
    readLog([logText(archive.slice(0, -20), 700, 'cut.har')]),
    (error: unknown) => error instanceof ShiploadError && error.where === 'cut.har',
  );
});
