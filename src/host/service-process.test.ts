import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasProc, readProcessStat } from '../counters/proc-files.ts';
import { ShiploadError, type ErrorCode } from '../errors.ts';
import { createLineTail } from './line-tail.ts';
import { probeUrl, requireReachable, startService, type ProcessExit } from './service-process.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A small service: /pid, /child (pid of a child it starts), /count (answers so far, this one not counted). */
const SERVICE = `
const { spawn } = require('node:child_process');
let count = 0;
let child;
if (process.env.CHILD) child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
if (process.env.STUBBORN) process.on('SIGTERM', () => {});
require('node:http').createServer((request, response) => {
  const answers = { '/pid': process.pid, '/child': child?.pid, '/count': count };
  count += 1;
  if (request.url === '/exit') process.exit(5);
  response.statusCode = request.url in answers ? 200 : Number(process.env.STATUS ?? 404);
  response.end(String(answers[request.url] ?? ''));
}).listen(Number(process.env.PORT), '127.0.0.1');
`;

const node = `'${process.execPath}'`;
const COMMAND = `${node} -e "$SERVICE"`;

async function serviceOptions(more: { command?: string; env?: Record<string, string> } = {}) {
  const port = await freePort();
  return {
    command: more.command ?? COMMAND,
    url: `http://127.0.0.1:${port}`,
    readyPath: '/ready',
    readyTimeoutSeconds: 20,
    env: { SERVICE, PORT: String(port), ...more.env },
  };
}

const ask = async (url: string, path: string): Promise<number> =>
  Number(await (await fetch(url + path)).text());

function isRunning(pid: number): boolean {
  if (hasProc()) {
    const stat = readProcessStat(pid);
    return stat !== undefined && stat.state !== 'Z';
  }
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const fails = (code: ErrorCode, message: RegExp) => (error: unknown) =>
  error instanceof ShiploadError && error.code === code && message.test(error.message);

test('a service is started, answers, its probes are counted, and is gone after stop', async () => {
  const options = await serviceOptions();
  const service = await startService(options);
  assert.equal(await ask(options.url, '/pid'), service.pid);
  // Its own count: the probes it answered, and the request for /pid.
  assert.equal(await ask(options.url, '/count'), service.probes.answeredCount + 1);
  assert.deepEqual(service.probes, { path: '/ready', sentCount: 1, answeredCount: 1 });
  await service.stop();
  assert.equal(isRunning(service.pid), false);
  await service.stop();
  await assert.rejects(requireReachable(options.url, '/'), fails('service-unreachable', /ECONNREFUSED/));
});

test('behind a shell that stays, the pid is that of the service', { skip: !hasProc() }, async () => {
  const options = await serviceOptions({ command: `cd / && ${COMMAND}; echo over` });
  const service = await startService(options);
  assert.equal(service.pidSource, 'listener');
  assert.equal(await ask(options.url, '/pid'), service.pid);
  await service.stop();
  assert.equal(isRunning(service.pid), false);
});

test('children end with the service, and a service that ignores SIGTERM is killed after the grace', async () => {
  const options = await serviceOptions({ env: { CHILD: '1', STUBBORN: '1' } });
  const service = await startService({ ...options, stopGraceSeconds: 0.1 });
  const child = await ask(options.url, '/child');
  assert.equal(isRunning(child), true);
  await service.stop();
  assert.deepEqual([isRunning(child), isRunning(service.pid)], [false, false]);
});

test('a port that already answers is refused, with the process that has it', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = { ...(await serviceOptions()), url: `http://127.0.0.1:${port}` };
  const holder = hasProc() ? new RegExp(`process ${process.pid} \\(`) : /already answers/;
  await assert.rejects(startService(options), fails('port-in-use', holder));
  server.close();
});

test('a command that ends early is reported with its code and its last lines', async () => {
  const options = await serviceOptions({ command: 'echo first; echo no database >&2; exit 7' });
  await assert.rejects(
    startService(options),
    fails('service-start-failed', /ended with code 7[^]*first[^]*no database/),
  );
  const killed = await serviceOptions({ command: 'kill -KILL $$' });
  await assert.rejects(
    startService(killed),
    fails('service-start-failed', /ended by SIGKILL.*printed nothing/),
  );
});

test('a service that only answers 503 is never ready, and is not left behind', async () => {
  const options = await serviceOptions({ env: { STATUS: '503' }, command: `echo "pid $$"; exec ${COMMAND}` });
  const error: unknown = await startService({ ...options, readyTimeoutSeconds: 1.5 }).catch(
    (e: unknown) => e,
  );
  assert.ok(fails('service-never-ready', /within 1\.5 s: .*\/ready/)(error), String(error));
  assert.equal(isRunning(Number(/pid (\d+)/.exec((error as Error).message)?.[1])), false);
});

test('the caller hears of a service that ends by itself, not of one it stopped', async () => {
  const options = await serviceOptions();
  let service: Awaited<ReturnType<typeof startService>> | undefined;
  const exit = await new Promise<ProcessExit>((resolve) => {
    void startService({ ...options, onExit: resolve }).then((started) => {
      service = started;
      void fetch(`${options.url}/exit`).catch(() => {});
    });
  });
  assert.deepEqual(exit, { code: 5 });
  await service?.stop();
  const heard: ProcessExit[] = [];
  const again = await startService({ ...options, onExit: (exit) => heard.push(exit) });
  await again.stop();
  await sleep(300);
  assert.deepEqual(heard, []);
});

test('the service and its children end when we are killed by SIGKILL', async () => {
  const options = await serviceOptions({ env: { CHILD: '1' } });
  const module = new URL('./service-process.js', import.meta.url).href;
  const script = `import { startService } from '${module}';
    const service = await startService(${JSON.stringify(options)});
    console.log(service.pid);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  const pids = [Number(line.toString()), await ask(options.url, '/child')];
  assert.deepEqual(pids.map(isRunning), [true, true]);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  for (let i = 0; i < 250 && pids.some(isRunning); i += 1) await sleep(20);
  assert.deepEqual(pids.map(isRunning), [false, false]);
});

test('an address that is none is refused before anything is started', async () => {
  const options = await serviceOptions({ command: 'exit 1' });
  for (const url of ['127.0.0.1:80', 'ftp://127.0.0.1/', '']) {
    await assert.rejects(startService({ ...options, url }), fails('url-invalid', /is not the address/));
  }
});

test('a probe tells apart an answer, silence on a connection, and no connection', async () => {
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  assert.deepEqual(await probeUrl(url, '/', 0.1), {
    answered: false,
    sent: true,
    reason: 'no answer within 0.1 s',
  });
  silent.close();
  const refused = await probeUrl(`http://127.0.0.1:${await freePort()}`, '/');
  assert.deepEqual([refused.answered, refused.sent], [false, false]);
});

test('the tail keeps the last lines, across chunks and without end', () => {
  const tail = createLineTail(3);
  for (const chunk of ['a\nb', 'c\n', 'd\r\ne\nf']) tail.push(chunk);
  assert.deepEqual(tail.lines(), ['d', 'e', 'f']);
  for (let i = 0; i < 100; i += 1) tail.push('x'.repeat(100));
  assert.equal(tail.lines().at(-1)?.length, 1000);
});
