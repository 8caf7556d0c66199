import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { TIMER_CLOCK } from '../../../test/support/timer-clock.ts';
import type { ProtocolOptions } from '../protocol.ts';
import { createHttp1Protocol } from './http1-protocol.ts';

/** A self-signed certificate for localhost, made by openssl; undefined where there is none. */
function makeCertificate(): { cert: string; key: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-'));
  try {
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const request =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
    const names = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', keyFile, '-out', certFile];
    const { status } = spawnSync('openssl', [...request.split(' '), ...names]);
    if (status !== 0) return undefined;
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const certificate = makeCertificate();

/** The error codes of five requests over one channel to an https service on localhost. */
async function ask(t: TestContext, tls?: ProtocolOptions['tls']): Promise<readonly string[]> {
  const server = createServer(certificate!, (_, response) => response.end('x'.repeat(200_000)));
  server.on('tlsClientError', () => {});
  server.listen(0, 'localhost');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = new URL(`https://localhost:${(server.address() as AddressInfo).port}`);
  const targets = { draw: 'uniform', targets: ['/'], distinctCount: 1 } as const;
  const requests = [{ id: 'GET /', method: 'GET', route: '/', shareRatio: 1, targets }];
  const options = { url, requests, requestTimeoutSeconds: 20, ...(tls === undefined ? {} : { tls }) };
  const protocol = createHttp1Protocol(options, TIMER_CLOCK);
  t.after(() => protocol.close());
  const endings: string[] = [];
  await new Promise<void>((resolve) => {
    const channel = protocol.openChannel(({ errorCode, receivedBytes }) => {
      endings.push(errorCode === '' && receivedBytes > 200_000 ? 'ok' : errorCode);
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

test('https is verified: a certificate nobody vouches for is an error', { skip }, async (t) => {
  assert.deepEqual(await ask(t), five('DEPTH_ZERO_SELF_SIGNED_CERT'));
});

test('https reads answers whole where the certificate is trusted', { skip }, async (t) => {
  assert.deepEqual(await ask(t, { ca: certificate!.cert }), five('ok'));
});

test('https goes without verification where that was asked for', { skip }, async (t) => {
  assert.deepEqual(await ask(t, { rejectUnauthorized: false }), five('ok'));
});
