/**
 * One member of the zoo as a service. One process.
 *
 *   node service.js --member NAME --variant on|off|twin --port N --seed N
 *
 * Its two routes have names drawn from the seed; / answers when it is ready.
 */
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { findMember } from './index.ts';
import type { Handler, Variant } from './member.ts';
import { routeNames } from './routes.ts';

const KEEP_ALIVE_MILLISECONDS = 120_000;
/** The system's own default. */
const BACKLOG = 511;
const BODY = '{"ok":true}';

const { values } = parseArgs({
  options: {
    member: { type: 'string', default: '' },
    variant: { type: 'string', default: 'on' },
    port: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});
const service = findMember(values.member).open(values.variant as Variant);
const names = routeNames(Number(values.seed));
const handlers = new Map<string, Handler>([
  [names[0], service.routes[0]],
  [names[1], service.routes[1]],
  ['/', (reply) => reply()],
]);
const { backlog = BACKLOG, atMost, closeAfterAnswer = false } = service.connections ?? {};

const server = createServer((request, response) => {
  const path = (request.url ?? '/').split('?', 1)[0]!;
  const handle = handlers.get(path) ?? ((reply) => reply(404));
  const reply = (status = 200): void => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': BODY.length,
      ...(closeAfterAnswer && { connection: 'close' }),
    });
    response.end(BODY);
  };
  handle(reply, request);
});

server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
if (atMost !== undefined) server.maxConnections = atMost;
server.on('error', (error) => {
  console.error(`zoo: ${error.message}`);
  process.exitCode = 1;
});
server.listen(Number(values.port), '127.0.0.1', backlog, () =>
  console.log(`listening on http://127.0.0.1:${values.port}`),
);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.close(() => service.close?.());
    server.closeAllConnections();
  });
}
