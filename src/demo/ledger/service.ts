/**
 * The ledger: entries in SQLite behind one write lock. One process, one thread for requests and one that writes.
 *
 *   node service.js --port 0|N --database FILE [--wal] [--batch] [--readers]
 *
 * POST /entries holds the lock until the disk has the commit: writes follow one another while the CPU idles, and reads
 * that are not in the cache wait with them. The switches are the remedies, see fixes.ts.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { ShiploadError } from '../../errors.ts';
import { openLedger } from './database.ts';
import { metricsPage } from './metrics.ts';
import { createReadCache } from './read-cache.ts';
import { type LedgerResult, openWriteLock } from './write-lock.ts';

const CACHE_ENTRIES = 1000;
const KEEP_ALIVE_MILLISECONDS = 120_000;
const LARGEST_NOTE = 4096;

interface Switches {
  readonly wal: boolean;
  readonly batch: boolean;
  readonly readers: boolean;
}

async function createLedger(path: string, { wal, batch, readers }: Switches) {
  const lock = await openWriteLock(path, wal, batch);
  const ownReader = readers ? await openLedger(path, wal) : undefined;
  const cache = createReadCache(CACHE_ENTRIES);
  let inFlightCount = 0;
  let answerCount = 0;

  const send = (response: ServerResponse, status: number, body: string, type = 'application/json'): void => {
    answerCount += 1;
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
    response.end(body);
  };
  const sendEntry = (response: ServerResponse, id: number, { entry, error }: LedgerResult): void => {
    if (error !== undefined) return send(response, 500, JSON.stringify({ error }));
    if (entry === undefined) return send(response, 404, '{"error":"no such entry"}');
    cache.set(id, entry);
    send(response, 200, entry);
  };
  const read = (id: number, response: ServerResponse): void => {
    const known = cache.get(id);
    if (known !== undefined) send(response, 200, known);
    else if (ownReader !== undefined) sendEntry(response, id, { entry: ownReader.read(id) });
    else lock.read(id, (result) => sendEntry(response, id, result));
  };
  const write = (request: IncomingMessage, response: ServerResponse): void => {
    let note = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (note = (note + chunk).slice(0, LARGEST_NOTE)));
    request.on('end', () =>
      lock.insert(note, ({ error }) =>
        error === undefined
          ? send(response, 201, '{"ok":true}')
          : send(response, 500, JSON.stringify({ error })),
      ),
    );
  };
  const server = createServer((request, response) => {
    inFlightCount += 1;
    response.once('close', () => (inFlightCount -= 1));
    const path = (request.url ?? '/').split('?', 1)[0]!;
    const id = /^\/entries\/(\d+)$/.exec(path)?.[1];
    if (request.method === 'GET' && id !== undefined) return read(Number(id), response);
    if (request.method === 'POST' && path === '/entries') return write(request, response);
    if (path === '/healthz') return send(response, 200, '{"ok":true}');
    if (path === '/metrics') {
      const page = metricsPage({ answerCount, inFlightCount, cache, lock: lock.figures() });
      return send(response, 200, page, 'text/plain; version=0.0.4');
    }
    return send(response, 404, '{"error":"no such page: GET /entries/ID, POST /entries, /metrics"}');
  });
  return {
    server,
    close: () => {
      ownReader?.close();
      lock.close();
    },
  };
}

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      database: { type: 'string' },
      wal: flag,
      batch: flag,
      readers: flag,
    },
  });
  if (values.database === undefined) throw new ShiploadError('usage', '--database FILE is missing');
  const { server, close } = await createLedger(values.database, values);
  server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
  server.on('error', fail);
  server.listen(Number(values.port), '127.0.0.1', () =>
    console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      server.close(close);
      server.closeAllConnections();
    });
  }
}

function fail(error: unknown): void {
  const { message } = error as Error;
  const hint = error instanceof ShiploadError && error.hint !== undefined ? ` (${error.hint})` : '';
  console.error(`ledger: ${message}${hint}`);
  process.exitCode = error instanceof ShiploadError ? error.exitCode : 1;
}

await main().catch(fail);
