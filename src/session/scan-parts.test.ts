import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
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

const skip = existsSync('/proc/self/fd') ? false : 'open files are counted on Linux';

/** How often this process has the file open. */
const openCount = (path: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false; // The listing's own, closed by now.
    }
  }).length;

for (const threads of [1, 3])
  test(`a log read by ${threads} thread(s), or refused, is closed again`, { skip }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shipload-parts-'));
    try {
      const path = join(folder, 'access.log');
      const options = { keep: { busiestSeconds: 60 }, rowLimit: 100 };
      writeFileSync(path, Array.from({ length: 30_000 }, (_, index) => line(index)).join(''));
      await readLog(await openLogs([path], { threads }), options);
      assert.equal(openCount(path), 0, 'read');
      writeFileSync(path, 'nothing that any format knows\n'.repeat(100_000));
      await assert.rejects(async () => readLog(await openLogs([path], { threads }), options));
      writeFileSync(path, Buffer.alloc(3_000_000, 1));
      await assert.rejects(async () => readLog(await openLogs([path], { threads }), options));
      assert.equal(openCount(path), 0, 'refused');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
