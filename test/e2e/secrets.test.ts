import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { startDashboard } from '../../src/dashboard/server.ts';
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

/** Secrets whose place and form do not tell: each is marked, in the way its place has. */
const SCENARIO = `
import { env, feed, scenario, secret } from 'shipload';
const people = feed('people.csv', { order: 'sequential' });
const key = secret(env('HOOK'));
export default scenario({
  headers: { 'X-Tenant': secret(env('TENANT')) },
  journeys: {
    hook: async (user) => {
      await user.get('/hooks/' + key, { check: { that: { ['is ' + key]: () => false }, status: 201 } });
      await user.group('of ' + key, () => user.get('/ok?q=' + encodeURIComponent(env('SPACED'))));
    },
    sign: async (user) => {
      const { password } = await user.take(people);
      user.bearer(secret(password));
      await user.post('/sign-in/' + password, { json: { password }, name: '/sign-in' });
      throw new Error('nobody signs in with ' + password + ' at ' + env('SPACED'));
    },
    answer: async (user) => void (await user.get('/ok')).json('token'),
  },
});
`;

test('values marked as secret, in a plan file, a scenario or on the command line, are in no artefact of any kind', async (t) => {
  const folder = temporaryFolder(t);
  const port = await freePort();
  const pushed: string[] = [];
  const store = createServer((request, response) => {
    request.on('data', (part: Buffer) => pushed.push(part.toString('latin1')));
    request.on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  t.after(() => store.close());
  await new Promise((resolve) => store.once('listening', resolve));
  const pushUrl = `http://u:${secret()}@127.0.0.1:${(store.address() as AddressInfo).port}/write?token=${secret()}`;
  const env = { HOOK: secret(), TENANT: secret(), SPACED: `two "words" ${secret()}`, PLAIN: secret() };
  writeFileSync(join(folder, 'scenario.ts'), SCENARIO);
  writeFileSync(join(folder, 'people.csv'), `name,password\nann,${secret()}\nbob,${secret()}\n`);
  writeFileSync(
    join(folder, 'plan.yaml'),
    `service:
  url: http://user:${secret()}@127.0.0.1:${port}
  start: ${JSON.stringify(startCommand(folder, port, 60_000))}
workload: scenario.ts
load: { users: [3], step: 6s, warmup: 1s, think: 50ms }
request: { header: [!secret 'X-Plain: \${PLAIN}', !secret 'Accept: ${secret()}'] }
recording: { out: out, samples: true, secret: ['\${SPACED}'], export: ['influx=${pushUrl}'] }
`,
  );
  const marked = ['--secret', secret(), '--target', 'p95 of /ok <= 5 s'];
  const dry = await runCli(['run', 'plan.yaml', ...marked, '--dry-run'], folder, { env });
  assert.equal(dry.code, 0, dry.stderr);
  assert.deepEqual(linesWithSecrets(dry.stdout + dry.stderr), []);
  const { code, stdout, stderr } = await runCli(['run', 'plan.yaml', ...marked], folder, { env });
  assert.ok(code === 0 || code === 1 || code === 3, stderr);
  assert.match(stderr, /nobody signs in with \(redacted\) at \(redacted\)/);
  await requireClean(folder, 'out', stdout + stderr);
  assert.ok(pushed.join('').includes('shipload_requests'), 'something was exported');
  assert.deepEqual(linesWithSecrets(pushed.join('')), []);
  for (const words of [
    'export out --to parquet -o out.parquet',
    'record out',
    'export out --to svg -o charts',
  ]) {
    const { stdout: printed, stderr: said } = await runCli(words.split(' '), folder, { env });
    assert.deepEqual(linesWithSecrets(printed + said), [], words);
  }
  for (const path of filesOf(folder).filter((name) => !/plan\.yaml$|people\.csv$|service\.cjs$/.test(name)))
    assert.ok(!readFileSync(path, 'latin1').includes(MARK), path);
  const dashboard = await startDashboard(folder, 0);
  t.after(() => dashboard.close());
  const entered = await fetch(dashboard.url, { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
  for (const path of ['/', '/runs/out']) {
    const page = await (await fetch(new URL(path, dashboard.url), { headers: { cookie } })).text();
    assert.ok(page.includes('127.0.0.1'), path);
    assert.deepEqual(linesWithSecrets(page), []);
  }
});
