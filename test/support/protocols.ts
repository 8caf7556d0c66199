import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Clock } from '../../src/host/host.ts';
import type { PlannedRequest } from '../../src/model/load.ts';
import type { Channel, Protocol, ProtocolOptions } from '../../src/protocols/protocol.ts';
import { TIMER_CLOCK } from './timer-clock.ts';

/** How a request ended, as tests compare it. */
export type Ending = Pick<Channel, 'outcome' | 'status' | 'errorCode' | 'retried'>;

export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
export const ok = (status: number): Ending => ({ outcome: 'ok', status, errorCode: '', retried: false });
export const error = (status: number, errorCode: string): Ending => ({
  outcome: 'error',
  status,
  errorCode,
  retried: false,
});
export const again = (ending: Ending): Ending => ({ ...ending, retried: true });

export const planned = (method: string, more: Partial<PlannedRequest> = {}): PlannedRequest => ({
  id: `${method} /`,
  method,
  route: '/',
  shareRatio: 1,
  targets: { draw: 'uniform', targets: ['/'], distinctCount: 1 },
  ...more,
});

/** A channel whose requests are awaited one by one. */
export function awaitable(protocol: Protocol): {
  channel: Channel;
  ask: (index?: number, target?: string) => Promise<Ending>;
} {
  let resolve: (ending: Ending) => void = () => {};
  const channel = protocol.openChannel(({ outcome, status, errorCode, retried }) =>
    resolve({ outcome, status, errorCode, retried }),
  );
  const ask = (index = 0, target = '/'): Promise<Ending> =>
    new Promise((settle) => {
      resolve = settle;
      channel.send(index, target);
    });
  return { channel, ask };
}

export async function listen(
  t: TestContext,
  server: Server,
  address: object = { port: 0, host: '127.0.0.1' },
): Promise<number> {
  server.listen(address);
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A protocol of `open` that is closed with the test: one GET, 20 s of patience, unless told otherwise. */
export function protocolBy(
  open: (options: ProtocolOptions, clock: Clock) => Protocol,
  t: TestContext,
  url: string,
  more: Partial<ProtocolOptions> = {},
): Protocol {
  const requests = [planned('GET')];
  const protocol = open({ url: new URL(url), requests, requestTimeoutSeconds: 20, ...more }, TIMER_CLOCK);
  t.after(() => protocol.close());
  return protocol;
}

/** A server that answers the n-th connection's m-th request with `answer(socket, n, m)`. */
export async function rawService(
  t: TestContext,
  answer: (socket: Socket, connection: number, request: number) => void,
): Promise<string> {
  let connections = 0;
  const server = createServer((socket) => {
    const connection = connections++;
    let requests = 0;
    socket.on('error', () => {});
    socket.on('data', () => answer(socket, connection, requests++));
  });
  return `http://127.0.0.1:${await listen(t, server)}`;
}

export async function httpService(
  t: TestContext,
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<{ url: string; connectionCount: () => number }> {
  let connections = 0;
  const server = createHttpServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => handle(request, response, Buffer.concat(parts).toString('utf8')));
  });
  server.on('connection', () => connections++);
  return { url: `http://127.0.0.1:${await listen(t, server)}`, connectionCount: () => connections };
}
