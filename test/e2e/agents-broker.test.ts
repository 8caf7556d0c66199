import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { BusError, type Bus } from '../../src/agents/bus.ts';
import { connectNats } from '../../src/agents/nats-bus.ts';
import { SUBJECTS } from '../../src/agents/subjects.ts';
import { freePort } from '../../src/host/free-port.ts';
import { type BrokerRequest, readBrokerAccess } from '../../src/session/broker-request.ts';
import { makeCertificate } from '../support/certificate.ts';
import { temporaryFolder } from '../support/cli.ts';
import { makeCredentials } from '../support/nats-credentials.ts';
import { brokerMissing, endChild, startBroker } from '../support/nats-server.ts';
import { ROOT } from '../support/paths.ts';

const skip = brokerMissing ?? false;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (data: Uint8Array | undefined): string | undefined =>
  data === undefined ? undefined : new TextDecoder().decode(data);

async function open(t: TestContext, request: BrokerRequest): Promise<Bus> {
  const bus = await connectNats(await readBrokerAccess(request), 'test');
  t.after(() => bus.close());
  return bus;
}

test('what the broker acknowledged it keeps, once, also when it is killed', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const place = { host: '127.0.0.1', port: await freePort(), folder: join(folder, 'streams') };
  const broker = await startBroker(t, place);
  const bus = await open(t, { url: `nats://127.0.0.1:${place.port}` });

  await assert.rejects(
    bus.request('shipload.nobody', bytes(''), 1),
    (error: BusError) => error.nobodyListens,
  );
  const end = bus.subscribe('shipload.agent.*.order', (message) =>
    message.respond(bytes(`${message.subject}!`)),
  );
  assert.equal(
    textOf(await bus.request('shipload.agent.a1.order', bytes(''), 1)),
    'shipload.agent.a1.order!',
  );
  end();

  await assert.rejects(bus.store(SUBJECTS.event('r1', 'a1', 0), bytes('too early'), 'r1:a1:0', 1), BusError);
  await bus.openStream('r1');
  for (const seq of [0, 1, 1, 2, 0])
    await bus.store(SUBJECTS.event('r1', 'a1', seq), bytes(`event ${seq}`), `r1:a1:${seq}`, 1);
  await bus.store(SUBJECTS.manifest('r1'), bytes('manifest'), 'r1:manifest', 1);
  await bus.putObject('r1.bundle', bytes('b'.repeat(3_000_000)));
  await endChild(broker);
  await startBroker(t, place);

  let stored: Uint8Array | undefined;
  for (let tries = 0; stored === undefined && tries < 50; tries += 1)
    stored = await bus.stored('r1', SUBJECTS.event('r1', 'a1', 1)).catch(() => undefined);
  assert.equal(textOf(stored), 'event 1');
  const replayed: string[] = [];
  for await (const { subject, data } of bus.replay('r1', [SUBJECTS.event('r1', '*', '*')]))
    replayed.push(`${subject.split('.').at(-1)} ${textOf(data)}`);
  assert.deepEqual(replayed, ['0 event 0', '1 event 1', '2 event 2']);
  assert.equal((await bus.getObject('r1.bundle'))!.length, 3_000_000);
  assert.equal(await bus.getObject('r1.missing'), undefined);
  assert.deepEqual(await bus.runs(), ['r1']);
});

test(
  'a broker is reached by name and password, over TLS, and by credentials, and not without them',
  { skip },
  async (t) => {
    const certificate = makeCertificate();
    if (certificate === undefined) return t.skip('openssl is not installed');
    const folder = temporaryFolder(t);
    const file = (name: string, text: string): string => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const [certPath, keyPath] = [file('cert.pem', certificate.cert), file('key.pem', certificate.key)];
    const start = async (name: string, config: string): Promise<number> => {
      const port = await freePort();
      const more = ['--config', file(`${name}.conf`, config)];
      await startBroker(t, { host: '0.0.0.0', port, folder: join(folder, name), more });
      return port;
    };
    const tlsPort = await start(
      'tls',
      `tls { cert_file: "${certPath}", key_file: "${keyPath}" }\nauthorization { user: boss, password: "s3cret" }\n`,
    );
    for (const host of ['localhost', '127.0.0.1'])
      await open(t, { url: `tls://boss:s3cret@${host}:${tlsPort}`, caPath: certPath });
    // The certificate is of this address and of no other.
    await assert.rejects(
      open(t, { url: `tls://boss:s3cret@127.0.0.2:${tlsPort}`, caPath: certPath }),
      /cannot be used: .*127\.0\.0\.2/,
    );
    for (const request of [
      { url: `tls://boss:wrong@localhost:${tlsPort}`, caPath: certPath },
      { url: `tls://localhost:${tlsPort}`, caPath: certPath },
      { url: `tls://boss:s3cret@localhost:${tlsPort}` },
    ])
      await assert.rejects(open(t, request), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'broker-unreachable', error.message);
        assert.doesNotMatch(error.message, /s3cret|wrong/);
        return true;
      });

    const { config, creds } = makeCredentials();
    const credsPort = await start('creds', config);
    const url = `nats://127.0.0.1:${credsPort}`;
    await open(t, { url, credsPath: file('boss.creds', creds) });
    await assert.rejects(open(t, { url }), /cannot be used/);
    await assert.rejects(
      open(t, { url, credsPath: file('other.creds', makeCredentials().creds) }),
      /cannot be used/,
    );
  },
);

test('a bundle leaves nothing in the files of the broker, nor a run that never was', { skip }, async (t) => {
  const port = await freePort();
  const folder = temporaryFolder(t);
  await startBroker(t, { host: '127.0.0.1', port, folder });
  const bus = await open(t, { url: `nats://127.0.0.1:${port}` });
  await bus.openStream('r1');
  await bus.putBundle('r1', 'order', bytes('authorization: s3cret'));
  await bus.putBundle('r1', 'feed.0', bytes('s3cret'.repeat(100_000)));
  assert.equal(textOf(await bus.getBundle('r1', 'order')), 'authorization: s3cret');
  assert.equal((await bus.getBundle('r1', 'feed.0'))!.length, 600_000);
  assert.equal(await bus.getBundle('r1', 'missing'), undefined);
  assert.equal(await bus.getBundle('r2', 'order'), undefined);
  const holders = (): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes('s3cret'));
  assert.ok(holders().length > 0, 'a check that can fail');
  await bus.dropBundle('r1');
  await bus.dropBundle('r1');
  await bus.dropStream('r1');
  for (let tries = 0; holders().length > 0 && tries < 40; tries += 1) await setTimeout(50);
  assert.deepEqual(holders(), []);
  assert.equal(await bus.getBundle('r1', 'order'), undefined);
  assert.deepEqual(await bus.runs(), []);
});

test('what names no broker, or half of a certificate, is refused with the option', async () => {
  await assert.rejects(readBrokerAccess({ url: 'http://127.0.0.1:4222' }), /names no broker/);
  await assert.rejects(readBrokerAccess({ url: 'nats://h:4222', certPath: 'x' }), /needs its key/);
  await assert.rejects(
    readBrokerAccess({ url: 'nats://h:4222', credsPath: 'missing.creds' }),
    /there is no missing\.creds/,
  );
  await assert.rejects(
    readBrokerAccess({ url: 'tls://h:4222', caPath: join(ROOT, 'package.json') }),
    /package\.json holds no certificate/,
  );
});
