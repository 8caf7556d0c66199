import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync, chmodSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fetchProof } from '../../src/host/well-known-proof.ts';
import type { ReportDocument } from '../../src/model/documents.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';
import { ROOT } from '../support/paths.ts';

/** Reserved for documentation (RFC 5737): nobody is there, and nothing is sent. */
const OUTSIDE = 'http://198.51.100.7:8080';

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a url elsewhere: exit 2 with the two ways to prove it, and no folder', async (t) => {
  const folder = temporaryFolder(t);
  const env = { XDG_CONFIG_HOME: folder };
  const { code, stdout, stderr } = await runCli(['run', OUTSIDE, '-c', '1', '-o', 'out'], folder, { env });
  assert.equal(code, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /198\.51\.100\.7 is not an address of this machine[^]*init --own[^]*shipload allow/);
  assert.ok(!existsSync(join(folder, 'out')));
});

test('allow keeps an entry for its owner alone, with address, rate and end; it bounds what may be asked', async (t) => {
  const folder = temporaryFolder(t);
  const env = { XDG_CONFIG_HOME: folder };
  const made = await runCli(['allow', OUTSIDE, '--rate', '5', '--until', '8h', '--json'], folder, { env });
  assert.equal(made.code, 0, made.stderr);
  const path = join(folder, 'shipload', 'permissions.json');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.match((await runCli(['allow'], folder, { env })).stdout, /198\.51\.100\.7.*at most 5 requests\/s/);
  const over = await runCli(['run', OUTSIDE, '--rate', '6', '-z', '2s', '--max-rate', '100'], folder, {
    env,
  });
  assert.equal(over.code, 2);
  assert.match(over.stderr, /over the ceiling of 5 requests a second/);
  chmodSync(path, 0o666);
  const open = await runCli(['run', OUTSIDE, '-c', '1'], folder, { env });
  assert.match(open.stderr, /others than its owner may write it.*\[permissions-invalid\]/);
});

test('a permission is taken back by command, for that url alone; this machine needs none', async (t) => {
  const folder = temporaryFolder(t);
  const env = { XDG_CONFIG_HOME: folder };
  const allow = (...words: string[]) => runCli(['allow', ...words], folder, { env });
  const refusal = async (...words: string[]) => {
    const { code, stderr } = await allow(...words);
    assert.equal(code, 2, stderr);
    return stderr;
  };
  for (const url of [OUTSIDE, 'http://198.51.100.8:81/'])
    assert.equal((await allow(url, '--rate', '5', '--until', '8h')).code, 0);
  await runCli(['init', '--own', OUTSIDE], folder, { env });
  const { code, stdout } = await allow(OUTSIDE, '--revoke');
  assert.equal(code, 0);
  assert.match(stdout, /no load goes to http:\/\/198\.51\.100\.7/);
  const left = await allow();
  assert.doesNotMatch(left.stdout, /198\.51\.100\.7/);
  assert.match(left.stdout, /198\.51\.100\.8:81.*at most 5/);
  assert.match((await runCli(['run', OUTSIDE, '-c', '1'], folder, { env })).stderr, /not an address of this/);
  assert.match(await refusal(OUTSIDE, '--revoke'), /nothing is permitted for http:\/\/198\.51\.100\.7/);
  assert.match(await refusal('--revoke'), /which URL is meant/);
  assert.match(await refusal('http://127.0.0.1:8080/', '--rate', '5', '--until', '8h'), /is this machine/);
});

test('init --own makes one token a url and says where it goes', async (t) => {
  const folder = temporaryFolder(t);
  const env = { XDG_CONFIG_HOME: folder };
  const ask = async (url: string) =>
    JSON.parse((await runCli(['init', '--own', url, '--json'], folder, { env })).stdout) as { token: string };
  const first = await ask('http://a.example/x');
  assert.match(first.token, /^shipload-[0-9a-f]{48}$/);
  assert.deepEqual(await ask('http://a.example'), first);
  assert.notDeepEqual(await ask('https://a.example'), first);
});

test('the proof file is asked for at the address given, whatever the name means; redirects and floods prove nothing', async (t) => {
  const hosts: string[] = [];
  const url = await serve(t, (request, response) => {
    hosts.push(`${request.headers.host} ${request.url}`);
    if (request.headers.host?.startsWith('moved')) response.writeHead(302, { location: '/elsewhere' }).end();
    else if (request.headers.host?.startsWith('flood')) response.end('x'.repeat(100_000));
    else response.end('the token');
  });
  const { port } = new URL(url);
  assert.equal(await fetchProof(new URL(`http://mine.invalid:${port}/a?b`), '127.0.0.1'), 'the token');
  await assert.rejects(fetchProof(new URL(`http://moved.invalid:${port}/`), '127.0.0.1'), /status 302/);
  await assert.rejects(
    fetchProof(new URL(`http://flood.invalid:${port}/`), '127.0.0.1'),
    /longer than 64 KB/,
  );
  assert.deepEqual(
    hosts,
    ['mine', 'moved', 'flood'].map((name) => `${name}.invalid:${port} /.well-known/shipload.txt`),
  );
});

/** A docker that knows one container. */
function fakeDocker(folder: string, address: string): Readonly<Record<string, string>> {
  const answer = JSON.stringify([
    {
      State: { Running: true, Pid: process.pid },
      NetworkSettings: { Networks: { n: { IPAddress: address } } },
    },
  ]);
  const script = `#!/bin/sh\n[ "$4" = box ] || { echo "No such container: $4" >&2; exit 1; }\necho '${answer}'\n`;
  writeFileSync(join(folder, 'docker'), script, { mode: 0o755 });
  return { PATH: `${folder}:/usr/bin:/bin`, XDG_CONFIG_HOME: folder };
}

test('--container: reached by its name, its process watched; what is elsewhere is refused', async (t) => {
  const folder = temporaryFolder(t);
  const { port } = new URL(await serve(t, (_, response) => response.end('ok')));
  const env = fakeDocker(folder, '127.0.0.1');
  const sweep = ['-c', '1', '-z', '1s', '--json'];
  const args = ['run', `http://box:${port}/`, '--container', 'box', ...sweep, '-o', 'out'];
  const { code, stdout, stderr } = await runCli(args, folder, { env });
  assert.equal(code, 0, stderr);
  const { service } = JSON.parse(stdout) as ReportDocument;
  assert.equal(service.pid, process.pid);
  assert.equal(service.proof, 'the container box of this machine');
  const unknown = await runCli(['run', `http://box:${port}/`, '--container', 'other', ...sweep], folder, {
    env,
  });
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /No such container: other.*\[container-not-found\]/);
  const elsewhere = await runCli([...args, '-o', 'elsewhere'], folder, {
    env: fakeDocker(folder, '198.51.100.9'),
  });
  assert.match(elsewhere.stderr, /198\.51\.100\.9 is on no network of this machine/);
});

test('a run stops by itself when most requests fail: exit 3, and it says so', async (t) => {
  const folder = temporaryFolder(t);
  let count = 0;
  const url = await serve(t, (_, response) => {
    count += 1;
    response.writeHead(count % 10 === 0 ? 200 : 503).end();
  });
  const args = ['run', url, '--rate', '50', '-z', '60s', '--stop-on-errors', '50%:2s', '-o', 'out', '--json'];
  const { code, stdout, stderr } = await runCli(args, folder);
  assert.equal(code, 3, stderr);
  assert.match(stderr, /stops when over 50 % of the requests of 2 s fail/);
  assert.match(stderr, /\[too-many-errors\]/);
  assert.equal((JSON.parse(stdout) as ReportDocument).state, 'too-many-errors');
  assert.ok(count < 500, `${count} requests before it stopped`);
  assert.equal((await runCli(['report', 'out', '--json'], folder)).code, 0);
});

test('no more leaves than the ceiling allows, and a step that was held back is not valid', async (t) => {
  const folder = temporaryFolder(t);
  const times: number[] = [];
  const url = await serve(t, (_, response) => {
    times.push(performance.now() / 1000);
    response.end('ok');
  });
  const args = ['run', url, '-c', '4', '-z', '2s', '--max-rate', '30', '-o', 'out', '--json'];
  const { stdout, stderr } = await runCli(args, folder);
  const [step] = (JSON.parse(stdout) as ReportDocument).steps;
  assert.equal(step!.valid, false, stderr);
  assert.ok(step!.notices.some(({ code }) => code === 'held-at-ceiling'));
  const allowed = 30 * (times.at(-1)! - times[0]! + 1) + 2; // the probe, and one at each edge
  assert.ok(times.length <= allowed, `${times.length} of ${allowed}`);
});

test('the compose example has no published port and no way out', () => {
  const text = readFileSync(join(ROOT, 'examples', 'compose', 'compose.yaml'), 'utf8');
  assert.doesNotMatch(text, /^\s+ports:/m);
  assert.match(text, /internal: true/);
  assert.match(text, /network_mode: 'service:app'/);
});
