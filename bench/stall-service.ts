import { createServer } from 'node:http';

/**
 * A service that answers within a millisecond, and for two seconds not at all: whoever asks then is answered at the
 * end of the stall. Its clock starts with the first request. Prints its port; `GET /count` says how many came.
 * Usage: stall-service FROM_SECONDS UNTIL_SECONDS.
 */
const [fromSeconds = 3, untilSeconds = 5] = process.argv.slice(2).map(Number);
let firstAtMs: number | undefined;
let count = 0;

const server = createServer((request, response) => {
  if (request.url === '/count') {
    response.end(String(count));
    return;
  }
  count += 1;
  firstAtMs ??= performance.now();
  const atSeconds = (performance.now() - firstAtMs) / 1e3;
  const isStalled = atSeconds >= fromSeconds && atSeconds < untilSeconds;
  if (isStalled) setTimeout(() => response.end('ok'), (untilSeconds - atSeconds) * 1e3);
  else response.end('ok');
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port));
