import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ReportDocument } from '../../src/model/documents.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';
import type { SeenRequest } from '../support/shop-service.ts';

/** A service that gives everyone who logs in a cookie of their own, and remembers what it was asked. */
async function startCounter(t: TestContext): Promise<{ readonly url: string; readonly seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  let loginCount = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('latin1').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const line = `${request.method} ${request.url}`;
      seen.push({ line, headers: request.headers, body });
      const isLogin = line === 'POST /login';
      if (isLogin) loginCount += 1;
      response.writeHead(200, {
        'Content-Type': 'text/plain',
        'X-Token': `token-${loginCount}`,
        ...(isLogin && { 'Set-Cookie': [`sid=${loginCount}; Path=/`, 'seen=yes'] }),
      });
      response.end(request.method === 'HEAD' ? undefined : `ticket=${loginCount};`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function written(t: TestContext, body: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder(t);
  const text = `import { env, feed, get, scenario } from 'shipload';\n${body}\n`;
  for (const [name, content] of Object.entries({ ...files, 'walk.ts': text }))
    writeFileSync(join(folder, name), content);
  return folder;
}

/** What is sent is asked about here, not whether the machine was calm enough to judge it. */
function requireRun(code: number | null, stderr: string): void {
  assert.ok(code === 0 || code === 3, stderr);
  assert.doesNotMatch(stderr, /failed \(said once/);
}

const SHORT = ['--step', '2s', '--warmup', '0s', '--users', '2', '--json', '-o', 'out'];

test('every method, with what it carries and what an earlier answer said, arrives as it was written', async (t) => {
  const { url, seen } = await startCounter(t);
  const folder = written(
    t,
    `export default scenario({ headers: { 'X-Run': '1' }, thinkTime: '50ms', journeys: { a: async (user) => {
      user.basic('ada', 'pass: word');
      const first = await user.get('/a', { query: { q: 'x y', n: 2 } });
      await user.put('/b', { json: { token: first.header('x-token') } });
      await user.patch('/c', { form: { ticket: first.match(/ticket=(\\d+)/) } });
      await user.delete('/d', { headers: { 'X-Text': first.text(), 'X-Run': '2' } });
      await user.head('/e');
      await user.request('OPTIONS', '/f');
      user.bearer('t');
      await user.post('/g', { body: 'ü' });
    } } });`,
  );
  const { code, stderr } = await runCli(['run', 'walk.ts', '--url', url, ...SHORT], folder);
  requireRun(code, stderr);
  const of = (line: string): SeenRequest => seen.find((one) => one.line === line)!;
  const basic = `Basic ${Buffer.from('ada:pass: word').toString('base64')}`;
  assert.equal(of('GET /a?q=x+y&n=2').headers.authorization, basic);
  assert.deepEqual(JSON.parse(of('PUT /b').body), { token: 'token-0' });
  assert.equal(of('PUT /b').headers['content-type'], 'application/json');
  assert.equal(of('PATCH /c').body, 'ticket=0');
  assert.equal(of('PATCH /c').headers['content-type'], 'application/x-www-form-urlencoded');
  assert.equal(of('DELETE /d').headers['x-text'], 'ticket=0;');
  assert.equal(of('DELETE /d').headers['x-run'], '2');
  assert.equal(of('HEAD /e').headers['x-run'], '1');
  assert.equal(of('OPTIONS /f').headers.authorization, basic);
  assert.equal(of('POST /g').headers.authorization, 'Bearer t');
  assert.equal(of('POST /g').body, Buffer.from('ü').toString('latin1'));
  assert.equal(of('POST /g').headers['content-length'], '2');
});

test('cookies are kept a user: each sends its own, all of them, and none before it got one', async (t) => {
  const { url, seen } = await startCounter(t);
  const folder = written(
    t,
    `export default scenario({ thinkTime: '20ms',
      userSetup: async (user) => { await user.get('/before'); await user.post('/login'); },
      journeys: { a: async (user) => { await user.get(\`/of/\${user.index}\`); } } });`,
  );
  const { code, stderr } = await runCli(['run', 'walk.ts', '--url', url, ...SHORT], folder);
  requireRun(code, stderr);
  const cookiesOf = (line: string) =>
    new Set(seen.filter((one) => one.line === line).map(({ headers }) => headers.cookie));
  assert.deepEqual([...cookiesOf('GET /before')], [undefined]);
  const [first, second] = [0, 1].map((user) => [...cookiesOf(`GET /of/${user}`)]);
  assert.equal(first!.length, 1);
  assert.equal(second!.length, 1);
  assert.notEqual(first![0], second![0]);
  assert.match(first![0]!, /^sid=\d; seen=yes$/);
});

test('feeds hand out their records under load: unique ones to one user each, an environment variable is read', async (t) => {
  const { url, seen } = await startCounter(t);
  const folder = written(
    t,
    `const people = feed('people.csv', { order: 'unique' });
     const words = feed<{ word: string }>('words.jsonl');
     export default scenario({ thinkTime: '20ms', journeys: { a: async (user) => {
       const { name } = await user.take(people);
       const { word } = await user.take(words);
       await user.get(\`/\${env('SHIPLOAD_TEST_PLACE')}/\${user.index}/\${name}/\${word}\`, { name: '/one' });
     } } });`,
    { 'people.csv': 'name\nada\nbob\ncyd\n', 'words.jsonl': '{"word":"x"}\n{"word":"y"}\n' },
  );
  const { code, stdout, stderr } = await runCli(['run', 'walk.ts', '--url', url, ...SHORT], folder, {
    env: { SHIPLOAD_TEST_PLACE: 'here' },
  });
  requireRun(code, stderr);
  const parts = seen.map(({ line }) => line.split('/').slice(1)).filter(([place]) => place === 'here');
  const nameOf = new Map<string, Set<string>>();
  for (const [, user, name] of parts) nameOf.set(user!, (nameOf.get(user!) ?? new Set()).add(name!));
  assert.deepEqual(
    [...nameOf.values()].map(({ size }) => size),
    [1, 1],
  );
  assert.equal(new Set([...nameOf.values()].flatMap((names) => [...names])).size, 2);
  // One after the other over all users: as often x as y, but for the last.
  const xCount = parts.filter((part) => part[3] === 'x').length;
  assert.ok(Math.abs(2 * xCount - parts.length) <= 1, `${xCount} of ${parts.length}`);
  const { steps } = JSON.parse(stdout) as ReportDocument;
  assert.deepEqual(Object.keys(steps[0]!.byRoute), ['/one']);
});

test('the draws of a user are those of the seed: the same again, others for another', async (t) => {
  const folder = written(
    t,
    "export default scenario({ journeys: { a: async (user) => { await user.get(`/${user.integer(1, 1e9)}/${user.pick(['a', 'b', 'c'])}`); } } });",
  );
  const target = async (seed: string): Promise<string> => {
    const { stdout } = await runCli(['run', 'walk.ts', '--dry-run', '--json', '--seed', seed], folder);
    const { requests } = JSON.parse(stdout) as { requests: readonly { target: string }[] };
    return requests[0]!.target;
  };
  const [first, again, other] = [await target('7'), await target('7'), await target('8')];
  assert.equal(first, again);
  assert.notEqual(first, other);
});

interface DryRun {
  readonly steps: readonly {
    readonly driver: { readonly users?: number; readonly arrivalRatePerSecond?: number };
    readonly measureSeconds: number;
  }[];
  readonly notices: readonly { readonly code: string }[];
}

const LOADS: readonly [string, string, readonly number[]][] = [
  ['users', "{ users: [1, 5], step: '30s' }", [1, 5]],
  ['a rate', '{ rate: [2, 4.5] }', [2, 4.5]],
  ['stages', "{ stages: [{ duration: '4s', target: 2 }, { duration: '30s', target: 2 }] }", [1, 2, 2]],
  [
    'stages of a rate',
    "{ rateStages: [{ duration: '4s', target: 2 }, { duration: 4, target: 0 }] }",
    [1, 2, 1],
  ],
];

for (const [name, load, expected] of LOADS)
  test(`the load is in the file: ${name}; the command line wins`, async (t) => {
    const folder = written(
      t,
      `export default scenario({ load: ${load}, targets: ['p95 <= 1 s'], journeys: { a: [get('/')] } });`,
    );
    const loads = async (...options: readonly string[]): Promise<readonly number[]> => {
      const args = ['run', 'walk.ts', '--dry-run', '--json', ...options];
      const { stdout, stderr } = await runCli(args, folder);
      assert.notEqual(stdout, '', stderr);
      return (JSON.parse(stdout) as DryRun).steps.map(
        ({ driver }) => driver.users ?? driver.arrivalRatePerSecond!,
      );
    };
    assert.deepEqual(await loads(), expected);
    assert.deepEqual(await loads('--users', '3'), [3]);
    assert.deepEqual(await loads('--rate', '9'), [9]);
  });

test('a step that is added for a target is explained, in a dry run too', async (t) => {
  const folder = written(t, "export default scenario({ journeys: { a: [get('/')] } });");
  const args = ['run', 'walk.ts', '--dry-run', '--users', '1,5', '--target', 'p95 <= 1 s at 3 users'];
  const { stdout } = await runCli(args, folder);
  assert.match(
    stdout,
    /3 users: [^\n]*\n[^]*A step of 3 users is added to the ladder: "p95 <= 1 s at 3 users"/,
  );
});

test('a big feed drawn at random does not hold up a dry run', async (t) => {
  const folder = written(
    t,
    "const rows = feed('big.csv', { order: 'random' }); export default scenario({ journeys: { a: async (user) => { await user.get(`/${(await user.take(rows)).id}`); } } });",
    { 'big.csv': `id\n${'7\n'.repeat(1000)}` },
  );
  truncateSync(join(folder, 'big.csv'), 5 * 1024 ** 3);
  const { code, stdout, stderr } = await runCli(['run', 'walk.ts', '--dry-run'], folder);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /GET \/7/);
});
