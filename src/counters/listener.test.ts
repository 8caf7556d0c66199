import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test from 'node:test';
import { createListenerSource } from './listener.ts';
import { hasProc } from './proc-files.ts';

const linux = { skip: hasProc() ? false : 'there is no /proc here' };

const SERVER = `require('node:net').createServer().listen(0, '127.0.0.1', function () {
  process.stdout.write(String(this.address().port));
});`;

test('connections that a stopped service does not accept stand in its accept queue', linux, async () => {
  const service = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const sockets: Socket[] = [];
  try {
    const [said] = (await once(service.stdout, 'data')) as [Buffer];
    const port = Number(said.toString());
    const open = async (): Promise<void> => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
    };
    await open();
    let now = 0;
    const source = createListenerSource(service.pid!, port, undefined, {
      nowSeconds: () => (now += 10),
      cpuSeconds: () => 0,
    });
    const read = () => Object.fromEntries(source.read().map(({ quantity, value }) => [quantity, value]));
    while (read()['acceptQueueCount'] !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
    service.kill('SIGSTOP');
    for (let i = 0; i < 3; i += 1) await open();
    now += 1e6;
    const readings = read();
    assert.equal(readings['connectionCount'], 4);
    assert.equal(readings['acceptQueueCount'], 3);
    assert.ok(readings['listenOverflowCount']! >= 0);
  } finally {
    for (const socket of sockets) socket.destroy();
    service.kill('SIGKILL');
  }
});

test('a long list of sockets is read so rarely that it costs 0.2 % of a core', () => {
  let now = 0;
  let readCount = 0;
  let used = 0;
  const read = (path: string): string => {
    if (path.endsWith('/tcp')) {
      readCount += 1;
      used += 0.01;
    }
    return '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:0 0 0 0 1\n';
  };
  const source = createListenerSource(1, 8080, read, { nowSeconds: () => now, cpuSeconds: () => used });
  for (let second = 0; second < 60; second += 1) {
    source.read();
    now += 1;
  }
  assert.equal(readCount, 12);
});
