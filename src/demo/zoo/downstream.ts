/** Another service, for the member that waits for one: a child that answers after so many seconds. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);

/** What a member sees of it. */
export interface Downstream {
  /** Calls back once the other service has answered. */
  readonly call: (seconds: number, then: () => void) => void;
  readonly close: () => void;
}

/** Starts the other service; calls made before it listens wait for it. */
export function startDownstream(): Downstream {
  const child = fork(self, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const port = once(child, 'message').then(([message]) => message as number);
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: Infinity });
  return {
    call: (seconds, then) =>
      void port.then((number) =>
        get({ port: number, host: '127.0.0.1', path: `/?seconds=${seconds}`, agent }, (answer) =>
          answer.resume().once('end', then),
        ).once('error', then),
      ),
    close: () => {
      agent.destroy();
      child.disconnect();
    },
  };
}

function serve(): void {
  const server = createServer((request, response) => {
    const seconds = Number(request.url?.split('seconds=')[1] ?? 0);
    setTimeout(() => response.end('ok'), seconds * 1e3);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.once('disconnect', () => {
    server.close();
    server.closeAllConnections();
  });
}

if (process.send !== undefined && process.argv[1] === self) serve();
