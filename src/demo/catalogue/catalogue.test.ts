import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createProcessSource } from '../../counters/linux-proc.ts';
import { hasProc } from '../../counters/proc-files.ts';
import { parsePrometheusText, sumOfSamples, type PrometheusPage } from '../../counters/prometheus.ts';
import { ShiploadError } from '../../errors.ts';
import { startService, type ServiceProcess } from '../../host/service-process.ts';
import { openCatalogue } from './database.ts';
import {
  CATALOGUE_READY_PATH,
  CATALOGUE_ROUTES,
  catalogueCommand,
  ensureCatalogueDatabase,
} from './index.ts';
import { createResultCache } from './result-cache.ts';

const BOOKS = 6000;
/** A folder whose name a shell would take apart. */
const folder = mkdtempSync(join(tmpdir(), "catalogue's test "));
after(() => rmSync(folder, { recursive: true, force: true }));

const databasePath = ensureCatalogueDatabase(folder, BOOKS);
/** The terms of the worked case. */
const TERMS = [
  'cache',
  'garden',
  'harbor',
  'kernel',
  'market',
  'python',
  'queue',
  'river',
  'signal',
  'winter',
];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function withCatalogue(
  cache: boolean,
  use: (url: string, service: ServiceProcess) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const command = catalogueCommand({ port, database: await databasePath, cache });
  const service = await startService({
    command,
    url,
    readyPath: CATALOGUE_READY_PATH,
    readyTimeoutSeconds: 30,
  });
  try {
    await use(url, service);
  } finally {
    await service.stop();
  }
}

const statusOf = async (url: string, path: string, method = 'GET'): Promise<number> => {
  const response = await fetch(url + path, { method });
  await response.arrayBuffer();
  return response.status;
};
const metricsOf = async (url: string): Promise<PrometheusPage> =>
  parsePrometheusText(await (await fetch(`${url}/metrics`)).text());

test('the books follow from the seed, and a finished file is used again', async () => {
  const elsewhere = join(folder, 'again');
  const contents = await Promise.all(
    [await databasePath, await ensureCatalogueDatabase(elsewhere, BOOKS)].map(async (path) => {
      const database = await openCatalogue(path);
      const books = database.allBooks();
      database.close();
      assert.equal(books.length, BOOKS);
      return createHash('sha256').update(JSON.stringify(books)).digest('hex');
    }),
  );
  assert.equal(contents[0], contents[1]);
  const path = await ensureCatalogueDatabase(elsewhere, BOOKS);
  assert.deepEqual(readdirSync(elsewhere), [`catalogue-${BOOKS}.sqlite`]);
  writeFileSync(path, '');
  await ensureCatalogueDatabase(elsewhere, BOOKS);
  const rebuilt = await openCatalogue(path);
  assert.equal(rebuilt.allBooks().length, BOOKS, 'a file that is no catalogue is built again');
  rebuilt.close();
});

test('a search finds exactly what reading all books finds, cheapest first', async () => {
  const database = await openCatalogue(await databasePath);
  const books = database.allBooks();
  for (const term of [...TERMS, 'berg', 'QUEUE', 'nothing such']) {
    const wanted = books
      .filter((book) => `${book.title}\n${book.author}`.toLowerCase().includes(term.toLowerCase()))
      .sort((a, b) => a.priceCents - b.priceCents || a.id - b.id);
    assert.deepEqual(
      database.search(term).map((book) => book.id),
      wanted.slice(0, 20).map((book) => book.id),
      term,
    );
    if (TERMS.includes(term)) assert.ok(wanted.length >= 20, `${term} has ${wanted.length} books`);
  }
  database.close();
});

test('every request is counted once by route and status, without the cache nothing is hit or missed', async () => {
  await withCatalogue(false, async (url, service) => {
    const answers = Array.from({ length: 40 }, (_, i) => statusOf(url, `/books/${i * 150 + 1}`));
    assert.deepEqual([...new Set(await Promise.all(answers))], [200]);
    for (const id of ['0', String(BOOKS + 1), 'x', '01', ''])
      assert.equal(await statusOf(url, `/books/${id}`), 404);
    for (const term of [...TERMS, 'queue']) assert.equal(await statusOf(url, `/search?q=${term}`), 200);
    for (const query of ['', '?q=', '?x=1']) assert.equal(await statusOf(url, `/search${query}`), 400);
    assert.equal(await statusOf(url, '/elsewhere'), 404);
    assert.equal(await statusOf(url, '/books/1', 'POST'), 405);

    const page = await metricsOf(url);
    const counts = Object.fromEntries(
      page.samples
        .filter((sample) => sample.name === 'catalogue_requests_total')
        .map(({ labels, value }) => [`${labels['route']} ${labels['status']}`, value]),
    );
    assert.deepEqual(counts, {
      '/healthz 200': service.probes.answeredCount,
      '/books/[id] 200': 40,
      '/books/[id] 404': 5,
      '/search 200': 11,
      '/search 400': 3,
      'other 404': 1,
      'other 405': 1,
    });
    for (const name of ['catalogue_cache_hits_total', 'catalogue_cache_misses_total']) {
      assert.equal(sumOfSamples(page, name), 0);
    }
    assert.equal(sumOfSamples(page, 'catalogue_requests_in_flight'), 1);
    assert.equal(sumOfSamples(await metricsOf(url), 'catalogue_requests_total', { route: '/metrics' }), 1);
    assert.ok(
      CATALOGUE_ROUTES.every((route) => sumOfSamples(page, 'catalogue_requests_total', { route }) !== 0),
    );
  });
});

test('with the cache a term is searched once, and the answer stays the same', async () => {
  await withCatalogue(true, async (url) => {
    const ask = async (): Promise<string> => (await fetch(`${url}/search?q=river`)).text();
    const first = await ask();
    for (let i = 0; i < 6; i += 1) assert.equal(await ask(), first);
    await statusOf(url, '/search?q=queue');
    await statusOf(url, '/search?q=');
    const page = await metricsOf(url);
    assert.equal(sumOfSamples(page, 'catalogue_cache_hits_total'), 6);
    assert.equal(sumOfSamples(page, 'catalogue_cache_misses_total'), 2);
    const { books } = JSON.parse(first) as { books: { title: string; author: string }[] };
    assert.equal(books.length, 20);
    assert.ok(books.every(({ title }) => title.toLowerCase().includes('river')));
  });
});

test('the CPU time it tells agrees with what is seen from outside', { skip: !hasProc() }, async () => {
  await withCatalogue(false, async (url, { pid }) => {
    const source = createProcessSource(pid);
    const seen = (): number => source.read().find(({ quantity }) => quantity === 'cpuSeconds')!.value;
    const told = async (): Promise<number> =>
      sumOfSamples(await metricsOf(url), 'process_cpu_seconds_total')!;
    const [toldBefore, seenBefore] = [await told(), seen()];
    for (let i = 0; i < 30; i += 1) await statusOf(url, `/search?q=${TERMS[i % 10]}`);
    const [toldAfter, seenAfter] = [await told(), seen()];
    // Two ticks at either end, and the end of the answer to /metrics, which only one of the two has.
    const difference = seenAfter - seenBefore - (toldAfter - toldBefore);
    assert.ok(Math.abs(difference) < 0.04 + 0.01, `differs by ${difference} s`);
  });
});

test('SIGTERM ends it with code 0 although a connection is kept open', async () => {
  const command = catalogueCommand({ port: 0, database: await databasePath, cache: false });
  const service = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(service.stdout, 'data')) as [Buffer];
  const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(line.toString())?.[1];
  assert.ok(url, `printed ${line.toString()}`);
  const agent = new Agent({ keepAlive: true });
  const [response] = await once(get(`${url}/books/7`, { agent }), 'response');
  response.resume();
  await once(response, 'end');
  service.kill('SIGTERM');
  assert.deepEqual(await once(service, 'exit'), [0, null]);
  agent.destroy();
});

test('a missing database and a missing option are said in one line', async () => {
  const service = fileURLToPath(new URL('./service.js', import.meta.url));
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [service, ...args]);
  await assert.rejects(run('--database', '/nowhere.sqlite'), {
    code: 2,
    stderr: 'catalogue: there is no catalogue at /nowhere.sqlite\n',
  });
  await assert.rejects(run(), { code: 2, stderr: 'catalogue: --database FILE is missing\n' });
});

test('without libsql a plain message says what to install', async () => {
  const hook =
    "export async function resolve(s, c, next) { if (s === 'libsql') throw new Error('not here'); return next(s, c); }";
  const register = `import { register } from 'node:module'; register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}));`;
  const service = fileURLToPath(new URL('./service.js', import.meta.url));
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(register)}`,
    service,
    '--database',
    'x',
  ];
  await assert.rejects(promisify(execFile)(process.execPath, args), {
    code: 4,
    stderr: /^catalogue: the catalogue needs SQLite, from the package libsql \(install it with/,
  });
});

test('a folder that cannot be made is refused', async () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  await assert.rejects(
    ensureCatalogueDatabase(join(file, 'below'), 10),
    (error: unknown) => error instanceof ShiploadError && error.code === 'cannot-write',
  );
});

test('the cache drops what was used least recently', () => {
  const cache = createResultCache(2);
  cache.set('a', '1');
  cache.set('b', '2');
  assert.equal(cache.get('a'), '1');
  cache.set('c', '3');
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], ['1', undefined, '3']);
  cache.set('a', '4');
  cache.set('d', '5');
  assert.deepEqual([cache.get('a'), cache.get('c'), cache.get('d')], ['4', undefined, '5']);
});
