import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fixture } from '../../test/support/paths.ts';
import { modelLogs } from './open-workload.ts';

const LOG = fixture('logs', 'catalogue-small.log');
const folder = await mkdtemp(join(tmpdir(), 'shipload-routes-'));
after(() => rm(folder, { recursive: true }));

async function routesWith(name: string, text: string): Promise<string[]> {
  const routesPath = join(folder, name);
  await writeFile(routesPath, text);
  const { requestClasses } = await modelLogs([LOG], { routesPath });
  return requestClasses.map(({ route }) => route).sort();
}

test('a routes file names the routes', async () => {
  assert.deepEqual(await routesWith('a.routes', '/books/[book]\n'), ['/books/[book]', '/search']);
});

test('so does an API description', async () => {
  const description = JSON.stringify({ openapi: '3.1.0', paths: { '/books/{isbn}': {}, '/search': {} } });
  assert.deepEqual(await routesWith('api.json', description), ['/books/[isbn]', '/search']);
  const yaml = '# ours\nopenapi: 3.1.0\npaths:\n  /books/{isbn}: {}\n  /search: {}\n';
  assert.deepEqual(await routesWith('api.yaml', yaml), ['/books/[isbn]', '/search']);
});

test('a fault in either is told with its place', async () => {
  await assert.rejects(routesWith('b.routes', '/books\n\n/x[\n'), {
    code: 'routes-invalid',
    where: `${join(folder, 'b.routes')}:3:3`,
  });
  await assert.rejects(routesWith('c.json', '{ "paths": }'), { code: 'record-invalid' });
  await assert.rejects(modelLogs([LOG], { routesPath: join(folder, 'none') }), { code: 'file-not-found' });
});
