import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import {
  awaitable,
  httpService,
  listen,
  OK,
  ok,
  protocolBy,
  rawService,
} from '../../../test/support/protocols.ts';
import { TIMER_CLOCK } from '../../../test/support/timer-clock.ts';
import type { Protocol, ProtocolOptions } from '../protocol.ts';
import { createHttp1Protocol } from './http1-protocol.ts';

const protocolFor = (t: TestContext, url: string, more?: Partial<ProtocolOptions>): Protocol =>
  protocolBy(createHttp1Protocol, t, url, more);

for (const [requestsPerConnection, connections, lastOnes] of [
  [1, 6, 6],
  [2, 3, 3],
  [4, 2, 1],
] as const) {
  test(`a new connection every ${requestsPerConnection} requests: ${connections} for six, and the last of each says so`, async (t) => {
    const said: (string | undefined)[] = [];
    const service = await httpService(t, (request, response) => {
      said.push(request.headers.connection);
      response.end('hello');
    });
    const protocol = protocolFor(t, service.url, { transport: { requestsPerConnection } });
    const { ask } = awaitable(protocol);
    for (let i = 0; i < 6; i++) assert.deepEqual(await ask(), ok(200));
    assert.equal(service.connectionCount(), connections);
    assert.equal(said.filter((word) => word === 'close').length, lastOnes);
    const { connectionsOpenedCount, connectTime } = protocol.takeTransport!();
    assert.deepEqual([connectionsOpenedCount, connectTime.totalCount], [connections, connections]);
    assert.equal(protocol.takeTransport!().connectionsOpenedCount, 0);
  });
}

test('a server that keeps what was asked to be closed gets no further request on it', async (t) => {
  const seen: number[] = [];
  const url = await rawService(t, (socket, connection) => {
    seen.push(connection);
    socket.write(OK);
  });
  const { ask } = awaitable(protocolFor(t, url, { transport: { requestsPerConnection: 1 } }));
  for (let i = 0; i < 3; i++) assert.deepEqual(await ask(), ok(200));
  assert.deepEqual(seen, [0, 1, 2]);
});

/** A service for each way to keep a client waiting. */
const silent = (): void => {};
for (const [code, transport, answer, requestTimeoutSeconds] of [
  ['first-byte-timeout', { firstByteTimeoutSeconds: 0.1 }, silent, 20],
  ['first-byte-timeout', {}, silent, 0.1],
  ['timeout', { firstByteTimeoutSeconds: 0.05 }, (socket: Socket) => socket.write('HTTP/1.1 2'), 0.2],
] as const) {
  const limit = Math.max(transport.firstByteTimeoutSeconds ?? 0, Math.min(requestTimeoutSeconds, 0.2));
  test(`${code} under ${JSON.stringify({ ...transport, requestTimeoutSeconds })}, at the time waited`, async (t) => {
    const url = await rawService(t, (socket) => answer(socket));
    const { channel, ask } = awaitable(protocolFor(t, url, { transport, requestTimeoutSeconds }));
    const begun = TIMER_CLOCK.nowSeconds();
    const ending = await ask();
    assert.deepEqual([ending.outcome, ending.errorCode], ['timeout', code]);
    const waited = channel.endedAtSeconds - begun;
    assert.ok(waited >= Math.min(limit, requestTimeoutSeconds) - 0.101, `${waited}`);
  });
}

for (const [title, more] of [
  ['its own limit', { transport: { connectTimeoutSeconds: 0.1 } }],
  ['the limit of the whole', { requestTimeoutSeconds: 0.1 }],
] as const) {
  test(`connect-timeout: a TLS handshake that is never answered, under ${title}`, async (t) => {
    const server = createServer((socket) => socket.on('error', () => {}).resume());
    const port = await listen(t, server);
    const begun = TIMER_CLOCK.nowSeconds();
    const { channel, ask } = awaitable(protocolFor(t, `https://127.0.0.1:${port}`, more));
    const ending = await ask();
    assert.deepEqual([ending.outcome, ending.errorCode], ['timeout', 'connect-timeout']);
    assert.ok(channel.endedAtSeconds - begun >= 0.1);
  });
}

test('a chunked body without end is read in bounded memory and ends with the whole timeout', async (t) => {
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const url = await rawService(t, (socket) => {
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.on('drain', pour);
    pour();
  });
  const protocol = protocolFor(t, url, { requestTimeoutSeconds: 0.5 });
  const { channel, ask } = awaitable(protocol);
  const before = process.memoryUsage().arrayBuffers;
  const ending = await ask();
  assert.deepEqual([ending.outcome, ending.errorCode, ending.status], ['timeout', 'timeout', 200]);
  assert.ok(channel.receivedBytes > 1e6, `${channel.receivedBytes}`);
  assert.ok(process.memoryUsage().arrayBuffers - before < 16e6);
});

test('addresses are used in turn', async (t) => {
  const heard: (string | undefined)[] = [];
  const server = createServer((socket) => {
    heard.push(socket.localAddress);
    socket.on('data', () => socket.end(OK));
  });
  const port = await listen(t, server, { port: 0, host: '0.0.0.0' });
  const connectAddresses = ['127.0.0.1', '127.0.0.2'];
  const protocol = protocolFor(t, `http://service.example:${port}`, { connectAddresses });
  for (let i = 0; i < 4; i++) assert.deepEqual(await awaitable(protocol).ask(), ok(200));
  assert.deepEqual(heard, ['127.0.0.1', '127.0.0.2', '127.0.0.1', '127.0.0.2']);
});

test('without a descriptor left requests end as EMFILE, and the event loop goes on turning', () => {
  const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const script = `
    import { createHttp1Protocol } from ${here('./http1-protocol.js')};
    import { TIMER_CLOCK } from ${here('../../../test/support/timer-clock.js')};
    import { createServer } from 'node:net';
    const server = createServer((socket) => socket.on('error', () => {}));
    server.listen(0, '127.0.0.1', () => {
      const targets = { draw: 'uniform', targets: ['/'], distinctCount: 1 };
      const protocol = createHttp1Protocol({
        url: new URL('http://127.0.0.1:' + server.address().port),
        requests: [{ id: 'a', method: 'GET', route: '/', shareRatio: 1, targets }],
        requestTimeoutSeconds: 30,
      }, TIMER_CLOCK);
      const codes = {};
      for (let i = 0; i < 200; i++) protocol.openChannel((channel) => {
        codes[channel.errorCode] = true;
        channel.send(0, '/');
      }).send(0, '/');
      setTimeout(() => { console.log(Object.keys(codes).join()); process.exit(); }, 300);
    });`;
  const node = `${process.execPath} --input-type=module`;
  const { stdout } = spawnSync('sh', ['-c', `ulimit -n 120; exec ${node}`], {
    input: script,
    encoding: 'utf8',
    timeout: 20_000,
  });
  // The service of this process has none left either, and closes what it accepted.
  assert.match(stdout, /EMFILE/);
});
