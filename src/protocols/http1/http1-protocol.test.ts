import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  again,
  awaitable,
  type Ending,
  error,
  httpService,
  listen,
  OK,
  ok,
  planned,
  protocolBy,
  rawService,
} from '../../../test/support/protocols.ts';
import { TIMER_CLOCK } from '../../../test/support/timer-clock.ts';
import { ShiploadError } from '../../errors.ts';
import type { Channel, Protocol, ProtocolOptions } from '../protocol.ts';
import { createHttp1Protocol } from './http1-protocol.ts';

const protocolFor = (t: TestContext, url: string, more?: Partial<ProtocolOptions>): Protocol =>
  protocolBy(createHttp1Protocol, t, url, more);

test('ten thousand requests over fifty channels are ten thousand at the server, on fifty connections', async (t) => {
  let served = 0;
  const service = await httpService(t, (_, response) => {
    served++;
    response.end('hello');
  });
  const protocol = protocolFor(t, service.url);
  let sent = 0;
  let done = 0;
  await new Promise<void>((resolve) => {
    const onDone = (channel: Channel): void => {
      assert.equal(channel.outcome, 'ok');
      assert.ok(channel.endedAtSeconds >= channel.sentAtSeconds);
      if (++done === 10_000) resolve();
      else if (sent++ < 10_000) channel.send(0, '/');
    };
    for (let i = 0; i < 50; i++) {
      sent++;
      protocol.openChannel(onDone).send(0, '/');
    }
  });
  assert.deepEqual(
    [served, done, service.connectionCount(), protocol.connectionCount],
    [10_000, 10_000, 50, 50],
  );
  await protocol.close();
  assert.equal(protocol.connectionCount, 0);
});

test('the request on the wire has its target, its fields and its body in UTF-8 with the length in octets', async (t) => {
  const seen: unknown[] = [];
  const service = await httpService(t, ({ method, url, headers }, response, body) => {
    seen.push({ method, url, headers, body });
    response.end();
  });
  const { host } = new URL(service.url);
  const protocol = protocolFor(t, service.url.replace('//', '//user:p%40ss@'), {
    headers: { 'X-Run': 'a', Accept: '*/*' },
    requests: [
      planned('GET'),
      planned('POST', { body: 'naïve → 😀', headers: { 'x-run': 'b', 'Content-Type': 'text/plain' } }),
      planned('PUT', { headers: { Host: 'elsewhere', Connection: 'close' } }),
    ],
  });
  const { ask } = awaitable(protocol);
  for (const [index, target] of [
    [0, '/a?b=c%20d'],
    [1, '/caf\u00e9 x\r\ny'],
    [2, '/'],
  ] as const) {
    assert.deepEqual(await ask(index, target), ok(200));
  }
  const run = { accept: '*/*', authorization: `Basic ${btoa('user:p@ss')}` };
  const keep = { host, connection: 'keep-alive' };
  assert.deepEqual(seen, [
    { method: 'GET', url: '/a?b=c%20d', headers: { ...keep, ...run, 'x-run': 'a' }, body: '' },
    {
      method: 'POST',
      url: '/caf%C3%A9%20x%0D%0Ay',
      headers: { ...keep, ...run, 'x-run': 'b', 'content-type': 'text/plain', 'content-length': '15' },
      body: 'naïve → 😀',
    },
    {
      method: 'PUT',
      url: '/',
      headers: { ...run, host: 'elsewhere', connection: 'close', 'x-run': 'a', 'content-length': '0' },
      body: '',
    },
  ]);
});

test('answers of every framing end where they end, and the connection is kept where it may be', async (t) => {
  const service = await httpService(t, (request, response) => {
    const path = request.url!;
    if (path === '/early') response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    if (path === '/close') response.setHeader('Connection', 'close');
    response.statusCode = path === '/204' ? 204 : path === '/missing' ? 404 : path === '/moved' ? 302 : 200;
    if (path === '/chunks') for (let i = 0; i < 20; i++) response.write('x'.repeat(i * 1000 + 1));
    response.end(path === '/big' ? 'y'.repeat(300_000) : undefined);
  });
  const { ask, channel } = awaitable(
    protocolFor(t, service.url, { requests: [planned('GET'), planned('HEAD')] }),
  );
  for (const [path, status] of [
    ['/', 200],
    ['/204', 204],
    ['/chunks', 200],
    ['/big', 200],
    ['/early', 200],
    ['/moved', 302],
  ] as const) {
    assert.deepEqual(await ask(0, path), ok(status), path);
  }
  assert.ok((await ask(0, '/big')) && channel.receivedBytes > 300_000 && channel.receivedBytes < 300_300);
  assert.deepEqual(await ask(1, '/big'), ok(200));
  assert.deepEqual(await ask(0, '/missing'), error(404, 'http-404'));
  assert.equal(service.connectionCount(), 1);
  assert.deepEqual(
    [await ask(0, '/close'), await ask(0, '/'), service.connectionCount()],
    [ok(200), ok(200), 2],
  );
});

for (const [title, answer, expected] of [
  [
    'an answer in pieces',
    (socket) => Array.from(OK).forEach((char, i) => setTimeout(() => socket.write(char), i / 4)),
    ok(200),
  ],
  [
    'a body that ends with the connection',
    (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nto the end'),
    ok(200),
  ],
  [
    'an answer of 400 and above',
    (socket) => socket.write('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n'),
    error(503, 'http-503'),
  ],
  [
    'something that is no HTTP',
    (socket) => socket.write('220 mail ready\r\n'),
    error(0, 'malformed-response'),
  ],
  ['more octets than the answer has', (socket) => socket.write(`${OK}!`), error(200, 'malformed-response')],
  ['a connection closed without an answer', (socket) => socket.end(), error(0, 'connection-closed')],
  [
    'a connection closed in the middle of the body',
    (socket) => socket.end(OK.slice(0, -1)),
    error(200, 'connection-closed'),
  ],
  ['a reset without an answer', (socket) => socket.resetAndDestroy(), error(0, 'ECONNRESET')],
  [
    'a reset in the middle of the body',
    (socket) => socket.write(OK.slice(0, -1), () => setTimeout(() => socket.resetAndDestroy(), 200)),
    error(200, 'ECONNRESET'),
  ],
] as [string, (socket: Socket) => void, Ending][]) {
  test(`${title}: ${expected.errorCode || 'ok'}, and the next request is served`, async (t) => {
    const url = await rawService(t, (socket, connection, request) => {
      if (connection + request === 0) answer(socket);
      else socket.write(OK);
    });
    const { ask } = awaitable(protocolFor(t, url));
    assert.deepEqual(await ask(), expected);
    assert.deepEqual(await ask(), ok(200));
  });
}

test('a malformed answer says what is wrong', async (t) => {
  const url = await rawService(t, (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n'));
  const { ask, channel } = awaitable(protocolFor(t, url));
  await ask();
  assert.equal(channel.errorDetail, 'Content-Length is no number');
});

/** Longer than what is taken for steady use of a connection. */
const idle = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 120));

/** A service that reads one request of its first connection, and never looks at what comes after it. */
async function raceService(t: TestContext, later: (socket: Socket, connection: number) => void) {
  const sockets: Socket[] = [];
  let readCount = 0;
  const url = await rawService(t, (socket, connection) => {
    sockets[connection] = socket;
    readCount++;
    if (connection > 0) return later(socket, connection);
    socket.pause();
    socket.write(OK);
  });
  return { url, sockets, readCount: () => readCount };
}

for (const [title, end] of [
  ['closed', (socket: Socket) => socket.end()],
  ['reset', (socket: Socket) => socket.destroy()],
] as const) {
  test(`an idle connection ${title} under a request nobody reads: sent once more, timed from the first send`, async (t) => {
    const { url, sockets, readCount } = await raceService(t, (socket) =>
      setTimeout(() => socket.write(OK), 40),
    );
    const { ask, channel } = awaitable(protocolFor(t, url));
    assert.deepEqual(await ask(), ok(200));
    await idle();
    const before = TIMER_CLOCK.nowSeconds();
    const asked = ask();
    end(sockets[0]!);
    const sentAtSeconds = channel.sentAtSeconds;
    assert.deepEqual(await asked, again(ok(200)));
    assert.equal(readCount(), 2);
    assert.ok(sentAtSeconds >= before && channel.sentAtSeconds === sentAtSeconds);
    assert.ok(channel.endedAtSeconds - channel.sentAtSeconds >= 0.039);
  });
}

test('a request is sent again once, not for ever', async (t) => {
  const { url, sockets, readCount } = await raceService(t, (socket) => socket.resetAndDestroy());
  const { ask } = awaitable(protocolFor(t, url));
  assert.deepEqual(await ask(), ok(200));
  await idle();
  const asked = ask();
  sockets[0]!.destroy();
  assert.deepEqual(await asked, again(error(0, 'ECONNRESET')));
  assert.equal(readCount(), 2);
});

for (const method of ['POST', 'PATCH']) {
  test(`a ${method} is never sent again: nobody knows that it was not read`, async (t) => {
    const { url, sockets, readCount } = await raceService(t, (socket) => socket.write(OK));
    const requests = [planned(method, { body: 'order=1' })];
    const { ask } = awaitable(protocolFor(t, url, { requests }));
    assert.deepEqual(await ask(), ok(200));
    await idle();
    const asked = ask();
    sockets[0]!.destroy();
    assert.deepEqual(await asked, error(0, 'ECONNRESET'));
    assert.equal(readCount(), 1);
    assert.deepEqual(await ask(), ok(200));
  });
}

for (const [title, waitFor, end, code] of [
  ['a connection in steady use that is reset', undefined, (s: Socket) => s.resetAndDestroy(), 'ECONNRESET'],
  ['a connection in steady use that is closed', undefined, (s: Socket) => s.end(), 'connection-closed'],
  [
    'an idle connection reset long after the request',
    idle,
    (s: Socket) => setTimeout(() => s.resetAndDestroy(), 200),
    'ECONNRESET',
  ],
  ['an idle connection closed within the answer', idle, (s: Socket) => s.end('HTTP'), 'connection-closed'],
] as const) {
  test(`no keep-alive race: ${title} fails with its code, and is sent once`, async (t) => {
    let requests = 0;
    const url = await rawService(t, (socket) => {
      requests += 1;
      if (requests === 2) end(socket);
      else socket.write(OK);
    });
    const { ask } = awaitable(protocolFor(t, url));
    assert.deepEqual(await ask(), ok(200));
    await waitFor?.();
    assert.deepEqual(await ask(), error(0, code));
    assert.equal(requests, 2);
    assert.deepEqual(await ask(), ok(200));
  });
}

test('a connection that the server closes while it idles, or talks on, is opened anew without an error', async (t) => {
  const sockets: Socket[] = [];
  const url = await rawService(t, (socket) => {
    sockets.push(socket);
    socket.write(OK);
  });
  const protocol = protocolFor(t, url);
  const { ask } = awaitable(protocol);
  for (const disturb of [
    (s: Socket) => s.end(),
    (s: Socket) => s.resetAndDestroy(),
    (s: Socket) => s.write('HTTP/1.1 408 Late\r\n\r\n'),
  ]) {
    assert.deepEqual(await ask(), ok(200));
    disturb(sockets.at(-1)!);
    while (protocol.connectionCount > 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.deepEqual(await ask(), ok(200));
  assert.equal(new Set(sockets).size, 4);
});

test('a request without an answer ends as timeout, not before its time, and its connection is not used again', async (t) => {
  const url = await rawService(t, (socket, connection) => {
    if (connection > 0) socket.write(OK);
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nnever');
  });
  const { ask, channel } = awaitable(protocolFor(t, url, { requestTimeoutSeconds: 0.15 }));
  const before = TIMER_CLOCK.nowSeconds();
  assert.deepEqual(await ask(), { outcome: 'timeout', status: 200, errorCode: 'timeout', retried: false });
  assert.ok(channel.endedAtSeconds - before >= 0.15);
  assert.deepEqual(await ask(), ok(200));
});

test('an answer ahead of a body that is still being sent counts, and its connection is not used again', async (t) => {
  const url = await rawService(t, (socket, connection, request) => {
    if (request > 0) return;
    if (connection === 0) socket.pause();
    socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n');
  });
  const protocol = protocolFor(t, url, {
    requests: [planned('POST', { body: 'x'.repeat(20_000_000) }), planned('GET')],
  });
  const { ask } = awaitable(protocol);
  assert.deepEqual(await ask(0), error(413, 'http-413'));
  assert.deepEqual(await ask(1), error(413, 'http-413'));
});

test('nobody listening is ECONNREFUSED, each time', async (t) => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const { ask } = awaitable(protocolFor(t, `http://127.0.0.1:${port}`));
  assert.deepEqual([await ask(), await ask()], [error(0, 'ECONNREFUSED'), error(0, 'ECONNREFUSED')]);
});

test('a unix socket is reached by option and by url, and IPv6 with its brackets', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const socketPath = join(folder, 'service.sock');
  const hosts: (string | undefined)[] = [];
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    hosts.push(request.headers.host);
    response.end();
  };
  await listen(t, createHttpServer(handler), { path: socketPath });
  const port = await listen(t, createHttpServer(handler), { port: 0, host: '::1' });
  for (const protocol of [
    protocolFor(t, 'http://service.example', { socketPath }),
    protocolFor(t, `http+unix://${encodeURIComponent(socketPath)}/ignored`),
    protocolFor(t, `http+unix://${socketPath}`),
    protocolFor(t, `http://[::1]:${port}`),
  ]) {
    assert.deepEqual(await awaitable(protocol).ask(), ok(200));
  }
  assert.deepEqual(hosts, ['service.example', 'localhost', 'localhost', `[::1]:${port}`]);
});

test('closing a channel ends its request without a word, and the channel can be used again', async (t) => {
  const arrived: Socket[] = [];
  const url = await rawService(t, (socket, connection) => {
    arrived.push(socket);
    if (connection > 0) socket.write(OK);
  });
  const { ask, channel } = awaitable(protocolFor(t, url));
  void ask().then(() => assert.fail('the closed request ended'));
  while (arrived.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  channel.close();
  await once(arrived[0]!, 'close');
  assert.deepEqual(await ask(), ok(200));
});

test('a second send while a request is in flight is a fault of the caller', async (t) => {
  const { channel } = awaitable(protocolFor(t, await rawService(t, () => {})));
  channel.send(0, '/');
  assert.throws(() => channel.send(0, '/'), /in flight/);
  channel.close();
  assert.throws(() => channel.send(1, '/'), /no request 1/);
});

for (const [title, options, code] of [
  ['another scheme', { url: new URL('ftp://host/') }, 'url-invalid'],
  ['a line end in a header', { headers: { 'X-A': 'b\r\nX-C: d' } }, 'option-invalid'],
  ['a header name that is no token', { headers: { 'X A': 'b' } }, 'option-invalid'],
  ['a header value outside latin1', { headers: { 'X-A': '→' } }, 'option-invalid'],
  ['a length of its own', { headers: { 'content-length': '3' } }, 'option-invalid'],
  ['a method that is no token', { requests: [planned('GE T')] }, 'option-invalid'],
  ['a tunnel', { requests: [planned('CONNECT')] }, 'option-invalid'],
  [
    'a certificate that is none',
    { url: new URL('https://host/'), tls: { ca: 'x', cert: 'y' } },
    'option-invalid',
  ],
] as [string, Partial<ProtocolOptions>, string][]) {
  test(`${title} is refused before anything is sent: ${code}`, (t) => {
    assert.throws(
      () => protocolFor(t, 'http://127.0.0.1:1', options),
      (thrown) => thrown instanceof ShiploadError && thrown.code === code,
    );
  });
}
