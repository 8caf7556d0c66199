/**
 * The catalogue: the service that Shipload is tried on. One process, one thread, 200,000 books.
 *
 *   node service.js --port 0|N --database FILE [--cache]
 *
 * A book comes from memory in microseconds. A search reads the whole table, and because SQLite is called
 * synchronously, nothing else is answered meanwhile: one slow route holds up a fast one. --cache keeps results.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { ShiploadError } from '../../errors.ts';
import { openCatalogue, type CatalogueDatabase } from './database.ts';
import { createServiceMetrics } from './metrics.ts';
import { createResultCache } from './result-cache.ts';

const CACHE_ENTRIES = 1024;
/** Longer than users think, so that their connections live. */
const KEEP_ALIVE_MILLISECONDS = 120_000;
const SHUTDOWN_MILLISECONDS = 1000;

interface Answer {
  /** The name it is counted under. */
  readonly route: string;
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

function createCatalogue(database: CatalogueDatabase, withCache: boolean) {
  const books = new Map(database.allBooks().map((book) => [String(book.id), book]));
  const cache = withCache ? createResultCache(CACHE_ENTRIES) : undefined;
  const metrics = createServiceMetrics();

  const book = (id: string): Answer => {
    const found = books.get(id);
    const route = '/books/[id]';
    if (found === undefined) return { route, status: 404, body: '{"error":"no such book"}' };
    return { route, status: 200, body: JSON.stringify(found) };
  };

  const search = (term: string): Answer => {
    const route = '/search';
    if (term === '') return { route, status: 400, body: '{"error":"q is missing"}' };
    const known = cache?.get(term);
    if (cache !== undefined) metrics[known === undefined ? 'cacheMissCount' : 'cacheHitCount'] += 1;
    const body = known ?? JSON.stringify({ query: term, books: database.search(term) });
    if (known === undefined) cache?.set(term, body);
    return { route, status: 200, body };
  };

  const answer = (method: string, target: string): Answer => {
    const [path = '', query] = target.split('?', 2);
    if (method !== 'GET') return { route: 'other', status: 405, body: '{"error":"GET only"}' };
    if (path.startsWith('/books/')) return book(path.slice('/books/'.length));
    if (path === '/search') return search(new URLSearchParams(query).get('q') ?? '');
    if (path === '/healthz') return { route: path, status: 200, body: '{"ok":true}' };
    if (path === '/metrics')
      return { route: path, status: 200, body: metrics.page(), type: 'text/plain; version=0.0.4' };
    return { route: 'other', status: 404, body: '{"error":"no such page"}' };
  };

  return createServer((request, response) => {
    metrics.inFlightCount += 1;
    response.once('close', () => (metrics.inFlightCount -= 1));
    const {
      route,
      status,
      body,
      type = 'application/json',
    } = answer(request.method ?? '', request.url ?? '');
    // Counted before it is sent: whoever has the answer finds it in /metrics.
    metrics.countAnswer(route, status);
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      database: { type: 'string' },
      cache: { type: 'boolean', default: false },
    },
  });
  if (values.database === undefined) throw new ShiploadError('usage', '--database FILE is missing');
  const database = await openCatalogue(values.database);
  const server = createCatalogue(database, values.cache);
  server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
  server.on('error', fail);
  server.listen(Number(values.port), '127.0.0.1', () =>
    console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
  const shutDown = (): void => {
    server.close(() => database.close());
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_MILLISECONDS).unref();
  };
  process.once('SIGTERM', shutDown);
  process.once('SIGINT', shutDown);
}

function fail(error: unknown): void {
  const { message } = error as Error;
  const hint = error instanceof ShiploadError && error.hint !== undefined ? ` (${error.hint})` : '';
  console.error(`catalogue: ${message}${hint}`);
  process.exitCode = error instanceof ShiploadError ? error.exitCode : 1;
}

await main().catch(fail);
