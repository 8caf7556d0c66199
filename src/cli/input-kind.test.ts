import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/cli.ts';
import { inputKindOf } from './input-kind.ts';

test('an input is what it says it is', async (t) => {
  const folder = temporaryFolder(t);
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  assert.equal(await inputKindOf('https://service.example/x'), 'url');
  assert.equal(await inputKindOf('-'), 'log');
  assert.equal(await inputKindOf(file('access.log', 'x\n')), 'log');
  assert.equal(await inputKindOf(file('w.json', '{ "kind": "workload" }')), 'workload');
  assert.equal(await inputKindOf(file('s.ts', 'export {}')), 'scenario');
  const k6 = file('k.js', "import http from 'k6/http';\nexport default () => {};\n");
  assert.deepEqual([await inputKindOf(k6), await inputKindOf(k6, true)], ['scenario', 'scenario']);
  const har = file('a.har', '{"log":{"entries":[]}}');
  assert.deepEqual([await inputKindOf(har), await inputKindOf(har, true)], ['scenario', 'log']);
  assert.equal(await inputKindOf(file('api.json', '{"openapi":"3.0.0","paths":{}}')), 'scenario');
  assert.equal(await inputKindOf(file('calls.sh', '# x\ncurl http://a.test/\n')), 'scenario');
  assert.equal(await inputKindOf(file('urls.txt', '# x\n3 http://a.test/\n/b\n')), 'urls');
  assert.equal(await inputKindOf(file('simple.log', '1761750000000 10.0.0.1 GET /items 200 2\n')), 'log');
  // Files are what they are, whatever their name looks like.
  assert.equal(await inputKindOf(file('localhost:8080', 'x\n')), 'log');
});

test('what is no input is told from one that is not there, with what may be meant', async (t) => {
  for (const place of [
    'localhost:8080',
    'localhost',
    '127.0.0.1',
    '10.0.0.1:80/a?b=1',
    '[::1]:8080',
    'shop.example:80/x',
  ])
    await assert.rejects(inputKindOf(place), {
      code: 'file-not-found',
      message: `there is no file ${place}`,
      hint: `Did you mean http://${place} ?`,
    });
  for (const path of ['missing.log', './a/b', 'missing.ts', 'shop.example/x'])
    await assert.rejects(inputKindOf(path), {
      code: 'file-not-found',
      where: path,
      hint: /a URL with its scheme/,
    });
  for (const url of ['ftp://127.0.0.1/x', 'ws://localhost:80/'])
    await assert.rejects(inputKindOf(url), {
      code: 'url-invalid',
      message: /is not a protocol that can be loaded/,
    });
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'runs'));
  await assert.rejects(inputKindOf(join(folder, 'runs')), {
    code: 'file-unreadable',
    message: /is a folder/,
  });
});
