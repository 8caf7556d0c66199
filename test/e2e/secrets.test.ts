import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../src/host/free-port.ts';
import { REPORTERS } from '../../src/report/index.ts';
import { readRun } from '../../src/session/stored-run.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';

/** Every secret holds this, and nothing else does. */
const MARK = 'Zq7Pl4nted';
let count = 0;
const secret = (): string => `${MARK}${(count += 1)}`;

/** Answers secrets of its own in headers and bodies, prints what it was sent, and ends with an error. */
const SERVICE = `
require('node:http').createServer((request, response) => {
  console.error('got', JSON.stringify(request.headers), request.url);
  response.setHeader('Set-Cookie', 'sid=${secret()}; Path=/');
  response.setHeader('X-Refresh-Token', '${secret()}');
  response.statusCode = request.url.startsWith('/fail') ? 500 : 200;
  response.end('{"access_token":"${secret()}"}');
}).listen(Number(process.argv[2]), '127.0.0.1');
setTimeout(() => process.exit(9), Number(process.argv[3]));
`;

/** A log whose lines carry secrets where logs do. */
function writeLog(folder: string): string {
  const lines = Array.from({ length: 240 }, (_, i) => {
    const time = `10/Nov/2026:10:00:${String(Math.floor(i / 4)).padStart(2, '0')} +0000`;
    const query = i % 3 === 0 ? `?page=${i % 7}&api_key=${secret()}` : `?session=${secret()}`;
    const path = i % 40 === 0 ? `/fail${query}` : `/items/${i % 9}${query}`;
    const referrer = `"https://app.example/?token=${secret()}"`;
    return `10.0.0.${i % 4} - ${secret()} [${time}] "GET ${path} HTTP/1.1" 200 12 ${referrer} "agent ${secret()}"`;
  });
  writeFileSync(join(folder, 'access.log'), `${lines.join('\n')}\n`);
  return 'access.log';
}

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

const linesWithSecrets = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.includes(MARK));

async function requireClean(folder: string, run: string, talk: string): Promise<void> {
  assert.deepEqual(linesWithSecrets(talk), []);
  for (const path of filesOf(join(folder, run))) {
    assert.ok(!readFileSync(path, 'utf8').includes(MARK), `${path} holds a secret`);
    assert.equal(statSync(path).mode & 0o077, 0, `${path} can be read by others`);
  }
  const record = await readRun(join(folder, run));
  for (const reporter of REPORTERS) assert.ok(!reporter.render(record).includes(MARK), reporter.name);
}

const HEADERS = () => [
  '-H',
  `Authorization: Bearer ${secret()}`,
  '-H',
  `Cookie: session=${secret()}; other=${secret()}`,
  '-H',
  `X-Api-Key: ${secret()}`,
  '-H',
  `X-Tenant: ${secret()}`,
];

/** Starts the service with secrets in its own command line and environment. */
function startCommand(folder: string, port: number, endsAfterMs: number): string {
  writeFileSync(join(folder, 'service.cjs'), SERVICE);
  return `DB_PASSWORD=${secret()} exec '${process.execPath}' service.cjs ${port} ${endsAfterMs} --token ${secret()} --dsn postgres://app:${secret()}@db/x`;
}

test('no secret of a log, a command line, a service or its answers is in any artefact of a run', async (t) => {
  const folder = temporaryFolder(t);
  const port = await freePort();
  const start = startCommand(folder, port, 60_000);
  const url = `http://user:${secret()}@127.0.0.1:${port}/`;
  const { code, stdout, stderr } = await runCli(
    [
      'run',
      writeLog(folder),
      '--url',
      url,
      '--start',
      start,
      ...HEADERS(),
      '--samples',
      '--no-isolate',
      '--window',
      'all',
      '--users',
      '4',
      '--think',
      '50ms',
      '--step',
      '3s',
      '--warmup',
      '1s',
      '-o',
      'out',
    ],
    folder,
  );
  assert.ok(code === 0 || code === 3, stderr);
  await requireClean(folder, 'out', stdout + stderr);
});

test('no secret of one url, its body or a service that dies', async (t) => {
  const folder = temporaryFolder(t);
  const port = await freePort();
  const url = `http://${secret()}@127.0.0.1:${port}/login?access_token=${secret()}&page=1`;
  const body = `{"user":"x","password":"${secret()}","api_key":"${secret()}"}`;
  const { code, stdout, stderr } = await runCli(
    [
      'run',
      url,
      '--start',
      startCommand(folder, port, 2500),
      '-d',
      body,
      ...HEADERS(),
      '-c',
      '1',
      '-z',
      '9s',
      '-o',
      'out',
    ],
    folder,
  );
  assert.equal(code, 3, stderr);
  assert.match(stderr, /\| got/);
  await requireClean(folder, 'out', stdout + stderr);
});

test('no secret in the message of an error', async (t) => {
  const folder = temporaryFolder(t);
  const dead = `http://user:${secret()}@127.0.0.1:${await freePort()}/?token=${secret()}`;
  const failing = `echo "cannot reach postgres://app:${secret()}@db with --api-key ${secret()}" >&2; exit 3`;
  for (const args of [
    ['run', dead, '-c', '1'],
    ['run', dead, '-c', '1', '--start', failing],
    ['run', `http://user:${secret()}@198.51.100.7/?token=${secret()}`, '-c', '1'],
    ['run', `ftp://user:${secret()}@127.0.0.1/`, '-c', '1'],
  ]) {
    const { code, stdout, stderr } = await runCli(args, folder);
    assert.ok(code === 2 || code === 4, stderr);
    assert.deepEqual(linesWithSecrets(stdout + stderr), []);
  }
});
