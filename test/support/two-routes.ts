import { openSync, writeSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';

/**
 * A service with a fast and a slow route under names of the caller's choice, its own counts at /stats, and the
 * faults that tests need. Run as `node two-routes.js --port N …`.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    fast: { type: 'string', default: '/items' },
    slow: { type: 'string', default: '/report' },
    'slow-ms': { type: 'string', default: '20' },
    /** sync: holds the event loop; async: waits beside it. */
    kind: { type: 'string', default: 'sync' },
    /** Every second, a pause of the whole loop. */
    'pause-ms': { type: 'string', default: '0' },
    /** A file to which the moment of every request of the load is appended, milliseconds of this process. */
    'arrivals-file': { type: 'string', default: '' },
    'die-after-ms': { type: 'string', default: '0' },
  },
});

const arrivals = values['arrivals-file'] === '' ? undefined : openSync(values['arrivals-file'], 'a');

const counts: Record<string, number> = {};

function hold(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

function answer(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'text/plain' }).end(body);
}

const server = createServer((request, response) => {
  const path = (request.url ?? '/').split('?')[0]!;
  if (path === '/stats') {
    answer(response, JSON.stringify(counts));
    return;
  }
  const isSlow = path.startsWith(values.slow);
  const route = isSlow ? values.slow : path.startsWith(values.fast) ? values.fast : 'other';
  if (arrivals !== undefined && route !== 'other') writeSync(arrivals, `${performance.now()}\n`);
  counts[route] = (counts[route] ?? 0) + 1;
  if (!isSlow) answer(response, 'fast');
  else if (values.kind === 'sync') {
    hold(Number(values['slow-ms']));
    answer(response, 'slow');
  } else setTimeout(() => answer(response, 'slow'), Number(values['slow-ms']));
});
server.keepAliveTimeout = 60_000;
server.listen(Number(values.port), '127.0.0.1');
if (Number(values['pause-ms']) > 0) setInterval(() => hold(Number(values['pause-ms'])), 1000);
if (Number(values['die-after-ms']) > 0) setTimeout(() => process.exit(1), Number(values['die-after-ms']));
process.on('SIGTERM', () => process.exit(0));
