import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSegments, readSegments } from './segments.ts';

test('a file read line by line gives what its whole text gives, wherever chunks end, and after a crash', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'segments.jsonl');
  // Lines of all lengths around those of a chunk (64 KiB); line breaks of Unicode are none here.
  const lines = [0, 1, 65_500, 65_535, 65_536, 200_000, 7].map((length, i) =>
    JSON.stringify({ frame: { i, text: `\u2028ä${'x'.repeat(length)}` } }),
  );
  for (const text of [
    `${lines.join('\n')}\n`,
    lines.join('\n').slice(0, -3),
    `${lines.join('\n\n')}\n{"fra`,
    '',
  ]) {
    writeFileSync(path, text);
    assert.deepEqual(await readSegments(path), parseSegments(text, path));
  }
  writeFileSync(path, `${lines[0]}\n{"fra\n${lines[1]}\n`);
  await assert.rejects(readSegments(path), { code: 'record-invalid', where: `${path}:2` });
  assert.deepEqual(await readSegments(join(folder, 'none')), []);
  await assert.rejects(readSegments(folder), { code: 'file-unreadable' });
});
