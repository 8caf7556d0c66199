import assert from 'node:assert/strict';
import { createServer as createHttp2Server, type Http2Server } from 'node:http2';
import { createServer } from 'node:net';
import { test, type TestContext } from 'node:test';
import {
  again,
  awaitable,
  type Ending,
  error,
  httpService,
  listen,
  ok,
  planned,
  protocolBy,
} from '../../../test/support/protocols.ts';
import { type RawHttp2Connection, rawHttp2Service } from '../../../test/support/raw-http2.ts';
import type { Channel, Protocol, ProtocolOptions } from '../protocol.ts';
import { createHttp2Protocol } from './http2-protocol.ts';

const protocolFor = (t: TestContext, url: string, more?: Partial<ProtocolOptions>): Protocol =>
  protocolBy(createHttp2Protocol, t, url, more);

async function http2Service(
  t: TestContext,
  prepare: (server: Http2Server) => void,
): Promise<{ url: string; connectionCount: () => number }> {
  let connections = 0;
  const server = createHttp2Server();
  server.on('session', () => connections++);
  prepare(server);
  return { url: `http://127.0.0.1:${await listen(t, server)}`, connectionCount: () => connections };
}

for (const [streamsPerConnection, connections] of [
  [1, 12],
  [5, 3],
  [100, 1],
] as const) {
  test(`twelve channels at ${streamsPerConnection} streams a connection: ${connections} connections, counts and bytes as the server's`, async (t) => {
    let served = 0;
    const service = await http2Service(t, (server) =>
      server.on('stream', (stream) => {
        served++;
        stream.respond({ ':status': 200 });
        stream.end('hello');
      }),
    );
    const protocol = protocolFor(t, service.url, { transport: { httpVersion: '2', streamsPerConnection } });
    let [sent, done, bytes] = [0, 0, 0];
    await new Promise<void>((resolve) => {
      const onDone = (channel: Channel): void => {
        assert.equal(channel.outcome, 'ok');
        assert.ok(channel.endedAtSeconds >= channel.sentAtSeconds);
        bytes += channel.receivedBytes;
        if (++done === 1200) resolve();
        else if (sent++ < 1200) channel.send(0, '/');
      };
      for (let i = 0; i < 12; i++) {
        sent++;
        protocol.openChannel(onDone).send(0, '/');
      }
    });
    assert.deepEqual([served, done, bytes], [1200, 1200, 6000]);
    assert.deepEqual([service.connectionCount(), protocol.connectionCount], [connections, connections]);
    assert.equal(protocol.takeTransport!().connectionsOpenedCount, connections);
    await protocol.close();
    assert.equal(protocol.connectionCount, 0);
  });
}

test('a request has its target, its fields in lower case, and its body; a large answer is read to its last octet', async (t) => {
  const seen: unknown[] = [];
  const service = await http2Service(t, (server) =>
    server.on('stream', (stream, headers) => {
      let body = '';
      stream.on('data', (data: Buffer) => (body += data.toString()));
      stream.on('end', () => {
        const { ':method': method, ':path': path, ':authority': authority, ':scheme': scheme } = headers;
        seen.push({ method, path, authority, scheme, run: headers['x-run'], body });
        stream.respond({ ':status': 200, location: '/next' });
        stream.end(Buffer.alloc(3_000_000));
      });
    }),
  );
  const protocol = protocolFor(t, service.url, {
    headers: { 'X-Run': 'a', Connection: 'keep-alive' },
    requests: [planned('GET'), planned('POST', { body: 'naïve', headers: { Host: 'elsewhere' } })],
  });
  const { channel, ask } = awaitable(protocol);
  assert.deepEqual(await ask(0, '/café'), ok(200));
  assert.deepEqual([channel.receivedBytes, channel.location], [3_000_000, '/next']);
  assert.deepEqual(await ask(1, '/'), ok(200));
  const { host } = new URL(service.url);
  assert.deepEqual(seen, [
    { method: 'GET', path: '/caf%C3%A9', authority: host, scheme: 'http', run: 'a', body: '' },
    { method: 'POST', path: '/', authority: 'elsewhere', scheme: 'http', run: 'a', body: 'naïve' },
  ]);
});

test('a new connection every two requests, also where five streams share it', async (t) => {
  const service = await http2Service(t, (server) =>
    server.on('stream', (stream) => {
      stream.respond({ ':status': 200 });
      stream.end('ok');
    }),
  );
  const transport = { httpVersion: '2', streamsPerConnection: 5, requestsPerConnection: 2 } as const;
  const protocol = protocolFor(t, service.url, { transport });
  const asks = Array.from({ length: 5 }, () => awaitable(protocol).ask);
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(
      await Promise.all(asks.map((ask) => ask())),
      asks.map(() => ok(200)),
    );
  }
  assert.equal(service.connectionCount(), 5);
});

/** What the service does to the first request of the first connection; everything else is answered. */
type Fault = (connection: RawHttp2Connection, stream: number) => void;
const FAULTS: readonly (readonly [title: string, fault: Fault, expected: Ending])[] = [
  ['a refused stream is sent again', (c, s) => c.reset(s, 7), again(ok(200))],
  [
    'a stream above the last one of a GOAWAY is sent again on a new connection',
    (c) => c.goAway(0, 0),
    again(ok(200)),
  ],
  ['so it is where the GOAWAY names an error', (c) => c.goAway(0, 11), again(ok(200))],
  [
    'a GOAWAY that covers the stream lets it end',
    (c, s) => {
      c.goAway(s, 0);
      c.answer(s);
    },
    ok(200),
  ],
  ['an error that covers the stream is one', (c, s) => c.goAway(s, 2), error(0, 'http2-internal-error')],
  ['a cancelled stream is an error', (c, s) => c.reset(s, 8), error(0, 'http2-cancel')],
  [
    'a reset in the middle of the body',
    (c, s) => {
      c.head(s);
      c.data(s, 'hal');
      c.reset(s, 2);
    },
    error(200, 'http2-internal-error'),
  ],
  [
    'a cancel in the middle of the body is no answer',
    (c, s) => {
      c.head(s);
      c.data(s, 'hal');
      c.reset(s, 8);
    },
    error(200, 'http2-cancel'),
  ],
  [
    'a connection closed in the middle of the body is no answer',
    (c, s) => {
      c.head(s);
      c.data(s, 'hal');
      c.socket.end();
    },
    error(200, 'connection-closed'),
  ],
  ['a connection closed without an answer', (c) => c.socket.end(), error(0, 'connection-closed')],
  [
    'a connection that is reset',
    (c) => setTimeout(() => c.socket.resetAndDestroy(), 20),
    error(0, 'ECONNRESET'),
  ],
];

for (const [title, fault, expected] of FAULTS) {
  test(`${title}: ${expected.errorCode || 'ok'}, and the next request is served`, async (t) => {
    let isFirst = true;
    const url = await rawHttp2Service(t, (connection, stream) => {
      if (!isFirst) connection.answer(stream);
      else fault(connection, stream);
      isFirst = false;
    });
    const { ask } = awaitable(protocolFor(t, url));
    assert.deepEqual(await ask(), expected);
    assert.deepEqual(await ask(), ok(200));
  });
}

test('a request is sent again once: a service that refuses everything is an error', async (t) => {
  let seen = 0;
  const url = await rawHttp2Service(t, (connection, stream) => {
    seen++;
    connection.reset(stream, 7);
  });
  assert.deepEqual(await awaitable(protocolFor(t, url)).ask(), again(error(0, 'http2-refused-stream')));
  assert.equal(seen, 2);
});

test('a stream that waits too long is cancelled, named by how far it came, and leaves its connection to others', async (t) => {
  let connections = 0;
  const url = await rawHttp2Service(t, (connection, stream) => {
    connections = Math.max(connections, connection.index + 1);
    if (connection.streamCount === 2) connection.head(stream);
    if (connection.streamCount === 3) connection.answer(stream);
  });
  const { ask } = awaitable(protocolFor(t, url, { requestTimeoutSeconds: 0.1 }));
  const endings = [await ask(), await ask(), await ask()];
  assert.deepEqual(
    endings.map(({ outcome, errorCode }) => [outcome, errorCode]),
    [
      ['timeout', 'first-byte-timeout'],
      ['timeout', 'timeout'],
      ['ok', ''],
    ],
  );
  assert.equal(connections, 1);
});

test('nobody listening is ECONNREFUSED for every stream, and a service of HTTP/1.1 alone is no answer', async (t) => {
  const gone = createServer();
  const port = await listen(t, gone);
  await new Promise((resolve) => gone.close(resolve));
  const transport = { httpVersion: '2', streamsPerConnection: 3 } as const;
  const refused = protocolFor(t, `http://127.0.0.1:${port}`, { transport });
  const asks = Array.from({ length: 3 }, () => awaitable(refused).ask());
  assert.deepEqual(
    await Promise.all(asks),
    asks.map(() => error(0, 'ECONNREFUSED')),
  );
  const old = await httpService(t, (_, response) => response.end());
  const { outcome, errorCode } = await awaitable(protocolFor(t, old.url)).ask();
  assert.equal(outcome, 'error');
  assert.match(errorCode, /^(malformed-response|connection-closed|ECONNRESET)$/);
});
