import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLog } from '../access-log/read-log.ts';
import { openLogs } from './read-text.ts';

const line = (index: number): string =>
  `10.0.0.${index % 40} - - [30/Nov/2026:10:${10 + Math.floor(index / 600)}:00 +0000] "GET /item/${index % 7} HTTP/1.1" 200 9\n`;

test('threads that count parts of a file find what one thread finds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-parts-'));
  try {
    const path = join(folder, 'access.log');
    const text = Array.from({ length: 3000 }, (_, index) => line(index)).join('');
    writeFileSync(path, `${text}no request\n`);
    const options = { keep: { busiestSeconds: 60 }, rowLimit: 100 };
    const [one, three] = await Promise.all(
      [1, 3].map(async (threads) => readLog(await openLogs([path], { threads }), options)),
    );
    for (const name of ['lines', 'lineExamples', 'notices', 'overview', 'atSeconds', 'targetIds'] as const)
      assert.deepEqual(three![name], one![name], name);
    assert.equal(one!.lines.ok, 3000);
    assert.equal(three!.lineExamples[0]!.line, 3001);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
