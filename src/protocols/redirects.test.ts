import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test, type TestContext } from 'node:test';
import { awaitable, error, listen, ok, planned, protocolBy } from '../../test/support/protocols.ts';
import { TIMER_CLOCK } from '../../test/support/timer-clock.ts';
import { openProtocol } from './open-protocol.ts';

const REQUESTS = [
  planned('GET', { headers: { Cookie: 'a=b' } }),
  planned('POST', { body: 'text', headers: { 'Content-Type': 'text/plain' } }),
  planned('HEAD'),
];

/** A service whose `/<status>?<where>` redirects and whose `/slow` does so after 60 ms; it writes down what it is asked. */
async function service(t: TestContext, other = '') {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => {
      const { pathname, search } = new URL(request.url!, 'http://x');
      const { authorization = '', cookie = '' } = request.headers;
      asked.push([request.method, pathname, body, authorization && 'auth', cookie].filter(Boolean).join(' '));
      const status = Number(pathname.slice(1)) || (pathname === '/slow' ? 302 : 200);
      const location = decodeURIComponent(search.slice(1)).replace('OTHER', other);
      if (location !== '') response.setHeader('Location', location);
      setTimeout(() => response.writeHead(status).end('hello'), pathname === '/slow' ? 60 : 0);
    });
  });
  return { url: `http://127.0.0.1:${await listen(t, server)}`, asked };
}

for (const [title, index, target, expected, requests] of [
  ['a redirect is followed to its answer', 0, '/302?/end', ok(200), ['GET /302 a=b', 'GET /end a=b']],
  ['a relative one too', 0, '/302?end', ok(200), ['GET /302 a=b', 'GET /end a=b']],
  ['a POST becomes a GET after 302', 1, '/302?/end', ok(200), ['POST /302 text', 'GET /end']],
  ['and after 303', 1, '/303?/end', ok(200), ['POST /303 text', 'GET /end']],
  ['but not after 307', 1, '/307?/end', ok(200), ['POST /307 text', 'POST /end text']],
  ['HEAD stays HEAD', 2, '/303?/end', ok(200), ['HEAD /303', 'HEAD /end']],
  ['3xx without a Location is an answer', 0, '/304', ok(304), ['GET /304 a=b']],
  ['an error at the end is one', 0, '/302?/503', error(503, 'http-503'), ['GET /302 a=b', 'GET /503 a=b']],
  [
    'a Location of another kind is an error',
    0,
    '/302?ftp://x/',
    error(302, 'redirect-invalid'),
    ['GET /302 a=b'],
  ],
  [
    'an address that is not ours is refused',
    0,
    '/302?http://192.0.2.1/',
    error(302, 'url-not-yours'),
    ['GET /302 a=b'],
  ],
] as const) {
  test(title, async (t) => {
    const { url, asked } = await service(t);
    const protocol = protocolBy(openProtocol, t, url, { requests: REQUESTS, transport: { maxRedirects: 2 } });
    assert.deepEqual(await awaitable(protocol).ask(index, target), expected);
    assert.deepEqual(asked, requests);
    assert.equal(protocol.takeTransport!().redirectsFollowedCount, requests.length - 1);
  });
}

test('a loop ends after as many redirects as were allowed', async (t) => {
  const { url, asked } = await service(t);
  const protocol = protocolBy(openProtocol, t, url, { transport: { maxRedirects: 3 } });
  const { ask } = awaitable(protocol);
  const loop = `/302?${encodeURIComponent('/302?%2F302')}`;
  assert.equal((await ask(0, loop)).outcome, 'ok');
  const endless = await service(t);
  const again = protocolBy(openProtocol, t, endless.url, { transport: { maxRedirects: 1 } });
  assert.deepEqual(
    await awaitable(again).ask(0, `/302?${encodeURIComponent('/302?/end')}`),
    error(302, 'too-many-redirects'),
  );
  assert.deepEqual([asked.length, endless.asked.length], [3, 2]);
});

test('another origin of this machine is followed to, without credentials, and both protocols end', async (t) => {
  const other = await service(t);
  const { url, asked } = await service(t, other.url);
  const secret = url.replace('//', '//user:pass@');
  const protocol = protocolBy(openProtocol, t, secret, {
    requests: REQUESTS,
    transport: { maxRedirects: 2 },
  });
  const { ask } = awaitable(protocol);
  for (let i = 0; i < 2; i++) assert.deepEqual(await ask(0, '/302?OTHER/end'), ok(200));
  assert.deepEqual(asked, ['GET /302 auth a=b', 'GET /302 auth a=b']);
  assert.deepEqual(other.asked, ['GET /end', 'GET /end']);
  assert.equal(protocol.connectionCount, 2);
  await protocol.close();
  assert.equal(protocol.connectionCount, 0);
});

test('the response time is that of the whole chain, and so is the timeout', async (t) => {
  const { url } = await service(t);
  const chain = `/slow?${encodeURIComponent('/slow?/end')}`;
  const { channel, ask } = awaitable(protocolBy(openProtocol, t, url, { transport: { maxRedirects: 5 } }));
  const begun = TIMER_CLOCK.nowSeconds();
  assert.deepEqual(await ask(0, chain), ok(200));
  assert.ok(
    channel.endedAtSeconds - begun >= 0.12 && channel.endedAtSeconds - channel.sentAtSeconds >= 0.119,
  );
  const hasty = protocolBy(openProtocol, t, url, {
    requestTimeoutSeconds: 0.1,
    transport: { maxRedirects: 5 },
  });
  assert.equal((await awaitable(hasty).ask(0, chain)).errorCode, 'first-byte-timeout');
});
