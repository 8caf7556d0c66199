import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ReportDocument } from '../../src/model/documents.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';

/** A service that remembers what it was asked. */
async function listen(t: TestContext) {
  const asked: { readonly line: string; readonly key: string | undefined; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push({
        line: `${request.method} ${request.url}`,
        key: request.headers['x-key'] as string | undefined,
        body,
      });
      setTimeout(() => response.end('ok'), 10);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const run = async (t: TestContext, args: readonly string[]) => {
  const finished = await runCli(['run', ...args, '-o', 'out', '--json'], temporaryFolder(t));
  return { ...finished, document: JSON.parse(finished.stdout || 'null') as ReportDocument };
};

test('a URL alone is swept: workers without think time, every request the one that was asked for', async (t) => {
  const { url, asked } = await listen(t);
  const { code, stderr, document } = await run(t, [
    `${url}/find?q=x`,
    '-c',
    '1,4',
    '-z',
    '1s',
    '--warmup',
    '200ms',
    '-d',
    '{"a":1}',
    '-H',
    'X-Key: k',
  ]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    document.steps.map((step) => step.concurrency),
    [1, 4],
  );
  const load = asked.filter(({ line }) => line === 'POST /find?q=x');
  assert.ok(load.every(({ key, body }) => key === 'k' && body === '{"a":1}'));
  // All but the one that asked whether the service is there.
  assert.equal(load.length, asked.length - 1);
  assert.ok(document.steps.every((step) => step.completionCount! > 0 && step.errorCount === 0));
});

test('rates are kept whether or not answers come, and what was asked is what was sent', async (t) => {
  const { url, asked } = await listen(t);
  const { code, stderr, document } = await run(t, [
    `${url}/a`,
    '--rate',
    '40,80',
    '--arrivals',
    'constant',
    '-z',
    '1s',
    '--warmup',
    '0',
  ]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    document.steps.map((step) => step.arrivalRatePerSecond),
    [40, 80],
  );
  const sent = asked.filter(({ line }) => line === 'GET /a').length;
  // An arrival at the very end may fall to either side of it, when the machine is late.
  assert.ok(Math.abs(sent - 120) <= 2, `${sent} sent`);
});

for (const [name, args, why] of [
  ['two ways to give the load', ['-c', '1', '--rate', '5'], /give one/],
  ['two lengths of a step', ['-c', '1', '--step', '5s', '-z', '5s'], /give one/],
  ['a rate that is none', ['--rate', '0'], /positive/],
  ['arrivals of an unknown kind', ['--rate', '5', '--arrivals', 'even'], /poisson, constant/],
  ['a body for a file', ['-d', '@missing.json'], /there is no missing.json/],
] as const) {
  test(`${name}: exit 2 with the reason`, async (t) => {
    const { code, stderr } = await run(t, ['http://127.0.0.1:1/', ...args]);
    assert.equal(code, 2);
    assert.match(stderr, why);
  });
}

for (const [name, args, why] of [
  [
    'a file that is not there',
    ['missing.log', '--url', 'http://127.0.0.1:1'],
    /there is no file missing\.log/,
  ],
  ['a place without its scheme', ['localhost:8080'], /Did you mean http:\/\/localhost:8080 \?/],
  ['a scheme that carries no load', ['ftp://127.0.0.1/x'], /ftp:\/\/ is not a protocol/],
  [
    'a search of nothing',
    ['http://127.0.0.1:1/', '--shape', 'search'],
    /must be given its 1 load[^]*--rate 50|--users 50/,
  ],
  ['a shape that is mistyped', ['http://127.0.0.1:1/', '--shape', 'replya'], /did you mean replay\?/],
  [
    'arrivals of workers',
    ['http://127.0.0.1:1/', '-c', '1', '--arrivals', 'constant'],
    /--arrivals is for --rate/,
  ],
  [
    'a window of a URL',
    ['http://127.0.0.1:1/', '-c', '1', '--window', 'all'],
    /--window is for an access log/,
  ],
] as const) {
  test(`${name}: exit 2, what was seen and what to do`, async (t) => {
    const { code, stderr } = await runCli(['run', ...args], temporaryFolder(t));
    assert.equal(code, 2, stderr);
    assert.match(stderr, why);
  });
}

test('a request that HTTP cannot carry is refused before a folder is made, a plain port and HTTP/1.1 are named', async (t) => {
  const { url } = await listen(t);
  const folder = temporaryFolder(t);
  for (const [args, expected, why] of [
    [[`${url}/a`, '-m', 'G@T'], 2, /"G@T" is no token.*\[option-invalid\]/],
    [[`${url}/a`, '--http2'], 4, /leave --http 2 out/],
    [[`${url.replace('http:', 'https:')}/a`], 4, /the port speaks no TLS: write http:/],
    [[`${url}/a`, '--extend', '--max-load', '2'], 2, /a load of 4 is above the highest of 2/],
  ] as const) {
    const { code, stderr } = await runCli(['run', ...args, '-c', '4', '-z', '1s', '-o', 'runs/x'], folder);
    assert.equal(code, expected, stderr);
    assert.match(stderr, why);
    assert.doesNotMatch(stderr, /written to/);
    assert.ok(!existsSync(join(folder, 'runs', 'x')), args.join(' '));
  }
});

test('options of other demos, and what a permission that is revoked has, are refused', async (t) => {
  for (const args of [
    ['demo', 'pool', '--cache'],
    ['demo', 'zoo', '--full'],
    ['demo', 'ledger', '--variant', 'off'],
    ['allow', 'http://198.51.100.7/', '--rate', '5', '--revoke'],
    ['model', 'missing.log', '--seed', '3'],
  ]) {
    const { code, stderr } = await runCli(args, temporaryFolder(t));
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, /\[option-invalid\]/, args.join(' '));
  }
});

test('the second service is checked before any load goes anywhere, and by its own name', async (t) => {
  const { url, asked } = await listen(t);
  for (const [against, expected, why] of [
    ['http://127.0.0.1:1/', 4, /--against: the second service: http:\/\/127\.0\.0\.1:1\/ does not answer/],
    ['http://198.51.100.7/', 2, /--against: the second service: .*198\.51\.100\.7/],
    ['ftp://127.0.0.1/', 2, /--against: ftp:/],
  ] as const) {
    const args = [`${url}/a`, '--against', against, '-c', '1', '-z', '1s', '-o', 'runs/x'];
    const { code, stderr } = await runCli(['run', ...args], temporaryFolder(t));
    assert.equal(code, expected, stderr);
    assert.match(stderr, why);
    assert.doesNotMatch(stderr, /--url/);
  }
  assert.deepEqual(asked, []);
});

test('two services that answer are compared, and every figure shown is of all their runs', async (t) => {
  const [first, second] = [await listen(t), await listen(t)];
  const folder = temporaryFolder(t);
  const args = [`${first.url}/a`, '--against', `${second.url}/a`, '-c', '1', '-z', '1s', '--warmup', '0'];
  const { code, stdout, stderr } = await runCli(['run', ...args, '--repeat', '2', '-o', 'runs/x'], folder);
  // On a busy machine a window of one second may be refused: the runs are there, and compared, all the same.
  assert.ok(code === 0 || code === 3, stderr);
  assert.match(stdout, /x-a \(2 runs\) compared with x-b \(2 runs\)/);
  assert.match(stdout, /medians of 2 runs and 2 runs/);
  // A folder that holds runs takes no other, on any level.
  for (const place of ['runs/x/a', 'runs/x/a/1', 'runs/x/a/1/more']) {
    const again = await runCli(['run', `${first.url}/a`, '-c', '1', '-z', '1s', '-o', place], folder);
    assert.equal(again.code, 4, again.stderr);
    assert.match(again.stderr, /holds (?:a run|runs) already.*\[run-folder-in-use\]/);
  }
});
