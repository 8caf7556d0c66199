/**
 * The pool service: two limits to find from outside. One process, one thread.
 *
 *   node service.js --port 0|N [--wait-ms 5] [--slots 8]
 *
 * /pool waits 5 ms in one of 8 slots and hardly uses the CPU; /work is raw CPU; /stats tells what the service
 * sees of itself.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { workOnCpu } from './cpu-work.ts';
import { createSlotPool } from './slot-pool.ts';
import { keepStatistics } from './statistics.ts';

const KEEP_ALIVE_MILLISECONDS = 120_000;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'wait-ms': { type: 'string', default: '5' },
    slots: { type: 'string', default: '8' },
  },
});
const waitMilliseconds = Number(values['wait-ms']);

const pool = createSlotPool(Number(values.slots));
const statistics = keepStatistics();

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}

const server = createServer((request, response) => {
  const path = (request.url ?? '/').split('?', 1)[0]!;
  if (path === '/stats') {
    answer(response, 200, { ...statistics.read(), pool: pool.use() });
    return;
  }
  if (path !== '/pool' && path !== '/work') {
    answer(response, 404, { error: 'no such page: /pool, /work or /stats' });
    return;
  }
  // Counted before it is sent: whoever has the answer finds it in /stats.
  const end = statistics.begin(path);
  if (path === '/work') {
    workOnCpu((result) => {
      end();
      answer(response, 200, { result });
    });
    return;
  }
  pool.acquire((release) =>
    setTimeout(() => {
      end();
      answer(response, 200, { ok: true });
      release();
    }, waitMilliseconds),
  );
});

server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
server.on('error', (error) => {
  console.error(`pool: ${error.message}`);
  process.exitCode = 1;
});
server.listen(Number(values.port), '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
