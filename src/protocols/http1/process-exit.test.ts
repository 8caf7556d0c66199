import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';

const PROTOCOL = new URL('./http1-protocol.js', import.meta.url).href;
const CLOCK = new URL('../../../test/support/timer-clock.js', import.meta.url).href;

/** Sends three requests, of which the service answers the first alone, closes, and should then have nothing left to do. */
const SCRIPT = `
  const { createHttp1Protocol } = await import('${PROTOCOL}');
  const { TIMER_CLOCK } = await import('${CLOCK}');
  const request = { method: 'GET', route: '/', id: 'GET /', shareRatio: 1, targets: { draw: "uniform", targets: ["/"], distinctCount: 1 } };
  const url = new URL(process.argv[1]);
  const protocol = createHttp1Protocol({ url, requests: [request], requestTimeoutSeconds: 3600 }, TIMER_CLOCK);
  const channels = [1, 2, 3].map(() => protocol.openChannel(async () => {
    await protocol.close();
    process.stdout.write('closed ' + protocol.connectionCount);
  }));
  for (const channel of channels) channel.send(0, '/');
`;

test(
  'after close nothing keeps the process alive, whatever was in flight',
  { timeout: 20_000 },
  async (t) => {
    let served = 0;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => {
        if (++served === 3) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill());
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    const [exitCode] = (await once(child, 'close')) as [number | null];
    assert.deepEqual([exitCode, output], [0, 'closed 0']);
  },
);
