import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { makeCertificate } from '../../test/support/certificate.ts';
import { TIMER_CLOCK } from '../../test/support/timer-clock.ts';
import type { Transport } from '../model/load.ts';
import type { ProtocolOptions } from './protocol.ts';
import { openProtocol } from './open-protocol.ts';

const certificate = makeCertificate();

interface Asking {
  readonly tls?: ProtocolOptions['tls'];
  readonly transport?: Transport;
  /** What the service is given beside its certificate. */
  readonly service?: object;
  readonly withHttp2?: boolean;
}

/** The error codes of five requests over one channel to an https service on localhost. */
async function ask(
  t: TestContext,
  { tls, transport, service, withHttp2 }: Asking,
): Promise<readonly string[]> {
  const secure = { ...certificate!, ...service };
  const handle = (_: object, response: { end(text: string): void }): void =>
    response.end('x'.repeat(200_000));
  const server = withHttp2 === true ? createSecureServer(secure, handle) : createServer(secure, handle);
  server.on('tlsClientError', () => {});
  server.listen(0, 'localhost');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = new URL(`https://localhost:${(server.address() as AddressInfo).port}`);
  const targets = { draw: 'uniform', targets: ['/'], distinctCount: 1 } as const;
  const requests = [{ id: 'GET /', method: 'GET', route: '/', shareRatio: 1, targets }];
  const options = {
    url,
    requests,
    requestTimeoutSeconds: 20,
    ...(tls !== undefined && { tls }),
    ...(transport !== undefined && { transport }),
  };
  const protocol = openProtocol(options, TIMER_CLOCK);
  t.after(() => protocol.close());
  const endings: string[] = [];
  await new Promise<void>((resolve) => {
    const channel = protocol.openChannel(({ errorCode, receivedBytes }) => {
      endings.push(errorCode === '' && receivedBytes >= 200_000 ? 'ok' : errorCode);
      if (endings.length === 5) resolve();
      else channel.send(0, '/');
    });
    channel.send(0, '/');
  });
  assert.ok(protocol.connectionCount <= 1);
  return endings;
}

const skip = certificate === undefined ? 'openssl is not installed' : false;
const five = (ending: string): readonly string[] => Array.from({ length: 5 }, () => ending);

const HTTP2 = { httpVersion: '2' } as const;
const trusted = { ca: certificate?.cert ?? '' };
const own = { cert: certificate?.cert ?? '', key: certificate?.key ?? '' };

for (const [title, asking, expected] of [
  ['https is verified: a certificate nobody vouches for is an error', {}, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['https reads answers whole where the certificate is trusted', { tls: trusted }, 'ok'],
  ['https goes without verification where that was asked for', { tls: { rejectUnauthorized: false } }, 'ok'],
  ['HTTP/2 is agreed on by ALPN', { tls: trusted, transport: HTTP2, withHttp2: true }, 'ok'],
  ['HTTP/2 verifies too', { transport: HTTP2, withHttp2: true }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['a service without HTTP/2 is told apart', { tls: trusted, transport: HTTP2 }, 'http2-not-offered'],
  [
    'a client shows its certificate where the service wants one',
    { tls: { ...trusted, ...own }, service: { requestCert: true, ca: trusted.ca } },
    'ok',
  ],
  [
    'a service that only speaks TLS 1.2 is refused by a client that wants 1.3',
    { tls: { ...trusted, minVersion: 'TLSv1.3' }, service: { maxVersion: 'TLSv1.2' } },
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  ],
] as const satisfies readonly (readonly [string, Asking, string])[]) {
  test(title, { skip }, async (t) => assert.deepEqual(await ask(t, asking), five(expected)));
}
