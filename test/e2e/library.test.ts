import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/cli.ts';
import { ROOT } from '../support/paths.ts';

test('the example of docs/library.md runs as it stands, by the name of the package', async (t) => {
  let servedCount = 0;
  const server = createServer((_request, response) => {
    servedCount += 1;
    response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const example = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs', 'library.md'), 'utf8'))![1]!;
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'shipload'));
  writeFileSync(join(folder, 'example.mjs'), example);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'example.mjs'), url]);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  assert.deepEqual(
    rows.map(([rate]) => rate),
    ['20', '40'],
  );
  // 1.5 s at 20/s and as long at 40/s.
  assert.equal(servedCount, 90);
});
