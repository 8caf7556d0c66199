import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ReportDocument } from '../../src/model/documents.ts';
import { type CliEnvironment, runCli, temporaryFolder } from '../support/cli.ts';
import { type SeenRequest, startShop } from '../support/shop-service.ts';

/** Runs a file on the shop as it is: what the report counts, and what the shop saw of the load. */
async function runOn(
  t: TestContext,
  name: string,
  text: string,
  args: readonly string[],
  more: CliEnvironment = {},
): Promise<{
  readonly document: ReportDocument;
  readonly seen: readonly SeenRequest[];
  readonly folder: string;
}> {
  const { url, seen } = await startShop(t);
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, name), text);
  const { stdout, stderr } = await runCli(
    ['run', name, '--url', url, ...args, '-o', 'out', '--json'],
    folder,
    more,
  );
  assert.notEqual(stdout, '', stderr);
  // The first request asks whether the service is there.
  return { document: JSON.parse(stdout) as ReportDocument, seen: seen.slice(1), folder };
}

const SHORT = ['--users', '1', '--step', '2s', '--warmup', '500ms'];

const started = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const entry = (
  second: number,
  page: string,
  method: string,
  url: string,
  more: {
    readonly json?: object;
    readonly answer?: object;
    readonly headers?: object[];
    readonly type?: string;
  } = {},
) => ({
  startedDateTime: started(second),
  pageref: page,
  time: 20,
  request: {
    method,
    url,
    headers: more.headers ?? [],
    ...(more.json !== undefined && {
      postData: { mimeType: 'application/json', text: JSON.stringify(more.json) },
    }),
  },
  response: {
    status: 200,
    headers: [],
    content: { mimeType: more.type ?? 'application/json', text: JSON.stringify(more.answer ?? {}) },
  },
});

const SHOP = 'https://shop.example';
const BEARER = [{ name: 'Authorization', value: 'Bearer recorded-token-0123456789' }];
const ARCHIVE = JSON.stringify({
  log: {
    pages: [
      { id: 'home', title: 'Home' },
      { id: 'order', title: 'Order' },
    ],
    entries: [
      entry(0, 'home', 'GET', `${SHOP}/books?q=load`, { type: 'text/html' }),
      entry(0.05, 'home', 'GET', `${SHOP}/style.css`, { type: 'text/css' }),
      entry(0.1, 'home', 'GET', 'https://cdn.example/font.woff2', { type: 'font/woff2' }),
      entry(0.1, 'home', 'POST', `${SHOP}/login`, {
        json: { name: 'ada', password: 'p-1' },
        answer: { token: 'recorded-token-0123456789' },
      }),
      entry(0.32, 'order', 'POST', `${SHOP}/orders`, { json: { bookId: 7 }, headers: BEARER }),
      entry(0.36, 'order', 'GET', `${SHOP}/books/7`, { headers: BEARER }),
    ],
  },
});
const JOURNEY = ['GET /books?q=load', 'POST /login', 'POST /orders', 'GET /books/7'];

test('a HAR runs as it is: order, bodies and the pause are the recording’s, the token is this user’s own', async (t) => {
  const { document, seen } = await runOn(t, 'shop.har', ARCHIVE, SHORT, { env: { PASSWORD: 'mine' } });
  assert.ok(seen.length > 3 * JOURNEY.length, `${seen.length} requests`);
  for (const [i, { line, headers, body }] of seen.entries()) {
    assert.equal(line, JOURNEY[i % JOURNEY.length]);
    if (line === 'POST /login') assert.equal(body, '{"name":"ada","password":"mine"}');
    // The shop answers t-1; a recorded token would be refused with 401.
    if (line === 'POST /orders')
      assert.deepEqual([body, headers.authorization], ['{"bookId":7}', 'Bearer t-1']);
  }
  const { parts } = document.scenario!;
  assert.deepEqual(parts.map(({ name }) => name).toSorted(), ['recorded', 'recorded/Home', 'recorded/Order']);
  assert.equal(document.steps[0]!.errorCount, 0);
  // A run through it takes the 200 ms between the pages and next to nothing besides.
  const journeys = 2 / (seen.length / JOURNEY.length);
  assert.ok(journeys > 0.2 && journeys < 0.35, `${journeys} s a journey`);
});

const API = `
openapi: 3.1.0
info: { title: Shop, version: '1' }
security: [{ shopToken: [] }]
paths:
  /books:
    get:
      security: []
      parameters: [{ name: q, in: query, required: true, schema: { enum: [load, test] } }]
  /books/{id}:
    get:
      security: []
      parameters: [{ name: id, in: path, required: true, schema: { type: integer }, examples: { a: { value: 7 }, b: { value: 8 } } }]
  /login:
    post:
      security: []
      requestBody: { content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string, minLength: 2, maxLength: 4 }, age: { type: integer } } } } } }
  /graphql:
    post:
      requestBody: { content: { application/json: { example: { variables: { id: 7 } } } } }
components: { securitySchemes: { shopToken: { type: http, scheme: bearer } } }
`;

test('an OpenAPI document runs as it is: its operations alike, examples and schemas as bodies', async (t) => {
  const { document, seen } = await runOn(
    t,
    'api.yaml',
    API,
    ['--users', '4', '--step', '2s', '--warmup', '500ms'],
    {
      env: { SHOP_TOKEN: 'from-outside' },
    },
  );
  const counts = new Map<string, number>();
  for (const { line, headers, body } of seen) {
    const operation = line.replace(/\d+$/, '[id]');
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    if (operation === 'POST /login') assert.equal(body, '{"name":"exam"}');
    if (operation === 'POST /graphql') assert.equal(body, '{"variables":{"id":7}}');
    assert.equal(headers.authorization, operation === 'POST /graphql' ? 'Bearer from-outside' : undefined);
  }
  assert.deepEqual([...counts.keys()].toSorted(), [
    'GET /books/[id]',
    'GET /books?q=load',
    'POST /graphql',
    'POST /login',
  ]);
  // Each is a quarter: binomial, five standard deviations.
  const slack = 5 * Math.sqrt(seen.length * 0.25 * 0.75);
  for (const [operation, count] of counts) assert.ok(Math.abs(count - seen.length / 4) < slack, operation);
  const books = new Set(seen.map(({ line }) => line).filter((line) => line.startsWith('GET /books/')));
  assert.deepEqual([...books].toSorted(), ['GET /books/7', 'GET /books/8']);
  assert.equal(document.steps[0]!.errorCount, 0);
});

const SCRIPT = `
import http from 'k6/http';
import { sleep } from 'k6';
const BASE = 'http://shop.example';
export const options = {
  scenarios: {
    readers: { executor: 'constant-arrival-rate', rate: 180, timeUnit: '1s', duration: '3s', exec: 'read', preAllocatedVUs: 5 },
    writers: { executor: 'constant-arrival-rate', rate: 20, timeUnit: '1s', duration: '3s', exec: 'write', preAllocatedVUs: 5 },
  },
  thresholds: { http_req_failed: ['rate<0.05'] },
};
export function read() {
  http.get(\`\${BASE}/books/7\`);
  http.get(BASE + '/books');
}
export function write() {
  http.post(BASE + '/graphql', JSON.stringify({ variables: { id: 7 } }), { headers: { 'Content-Type': 'application/json' } });
}
`;

test('a k6 script runs as it is: rates and shares of its scenarios, thresholds as targets, and is never executed', async (t) => {
  const poison = `${SCRIPT}\nthrow new Error('this was run');`;
  const { document, seen } = await runOn(t, 'test.js', poison, []);
  const count = (line: string): number => seen.filter((one) => one.line === line).length;
  const reads = count('GET /books/7');
  const writes = count('POST /graphql');
  // Arrivals at 200/s for 3 s; of a step's end an answer may be missing.
  assert.ok(Math.abs(reads + writes - 600) <= 10, `${reads} + ${writes}`);
  assert.ok(Math.abs(writes - 60) < 5 * Math.sqrt(600 * 0.1 * 0.9), `${writes} of 600 writes`);
  assert.ok(Math.abs(count('GET /books') - reads) <= 2);
  assert.ok(seen.every(({ line, body }) => line !== 'POST /graphql' || body === '{"variables":{"id":7}}'));
  assert.equal(document.verdict.checks[0]!.target, 'error rate <= 5 %');
  assert.equal(document.steps[0]!.arrivalRatePerSecond, 200);
});

test('curl commands run in their order, and a list of URLs as a mix by its weights', async (t) => {
  const commands = [
    "curl 'http://shop.example/books/7' -H 'Accept: application/json' --compressed",
    "curl http://shop.example/graphql \\\n  -H 'Content-Type: application/json' --data-raw $'{\"variables\":{\"id\":\\'x\\'}}'".replaceAll(
      "\\'x\\'",
      '7',
    ),
    'curl -G http://shop.example/books -d q=load --data-urlencode "page=a b"',
  ].join('\n');
  const curl = await runOn(t, 'calls.sh', commands, SHORT);
  const order = ['GET /books/7', 'POST /graphql', 'GET /books?q=load&page=a%20b'];
  for (const [i, { line }] of curl.seen.entries()) assert.equal(line, order[i % 3]);
  assert.equal(curl.seen[1]!.body, '{"variables":{"id":7}}');

  const list = '3 http://shop.example/books/7\n1,http://shop.example/books/8\n'.replace(',', ' ');
  const urls = await runOn(t, 'urls.txt', `# weights\n${list}4 GET /books\n`, ['-c', '2', '-z', '2s']);
  const total = urls.seen.length;
  for (const [line, share] of [
    ['GET /books/7', 3 / 8],
    ['GET /books/8', 1 / 8],
    ['GET /books', 1 / 2],
  ] as const) {
    const count = urls.seen.filter((one) => one.line === line).length;
    assert.ok(
      Math.abs(count - total * share) < 5 * Math.sqrt(total * share * (1 - share)),
      `${line}: ${count} of ${total}`,
    );
  }
});

test('what init writes sends what the file itself sends, and holds none of its secrets', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'shop.har'), ARCHIVE);
  const made = await runCli(['init', 'shop.har'], folder);
  assert.equal(made.code, 0, made.stderr);
  assert.match(
    made.stdout,
    /shop\.scenario\.ts is written: an HTTP Archive of shop\.example: 4 requests on 2 pages, 1 static file apart \(20 %/,
  );
  const text = readFileSync(join(folder, 'shop.scenario.ts'), 'utf8');
  assert.doesNotMatch(text, /p-1|recorded-token/);
  assert.match(text, /other hosts are left out: cdn\.example \(1\)/);
  const env = { PASSWORD: 'mine' };
  const ofFile = await runCli(['run', 'shop.har', '--dry-run', '--json'], folder, { env });
  const ofPlan = await runCli(['run', '--dry-run', '--json'], folder, { env });
  const requests = (stdout: string): unknown => (JSON.parse(stdout) as { requests: unknown }).requests;
  assert.deepEqual(requests(ofPlan.stdout), requests(ofFile.stdout), ofPlan.stderr);
  const unset = await runCli(['run', 'shop.har', '--url', 'http://127.0.0.1:9'], folder);
  assert.equal(unset.code, 2);
  assert.match(unset.stderr, /not set: PASSWORD \(body password\)/);
  const again = await runCli(['init', 'shop.har'], folder);
  assert.equal(again.code, 4);
  assert.match(again.stderr, /shipload\.yaml is there already/);
});

test('what is run again names the plan file that was found', async (t) => {
  const { url } = await startShop(t);
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'shipload.yaml'),
    `workload: ${url}/books\nservice: { url: '${url}' }\nload: { concurrency: 1, duration: 1s }\n`,
  );
  const { stdout } = await runCli(['run', '-o', 'out'], folder);
  assert.match(stdout, /command +shipload run shipload\.yaml -o out/);
});

test('init leaves load and targets of a scenario where they are', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'walk.ts'),
    `import { get, scenario } from 'shipload';
    export default scenario({ load: { users: 3, step: '2s', warmup: '500ms' }, targets: ['p95 of /books <= 900 ms'], journeys: { a: [get('/books')] } });`,
  );
  await runCli(['init', 'walk.ts'], folder);
  const { stdout } = await runCli(['run', '--dry-run'], folder);
  assert.match(stdout, /^ {2}3 users: 1\.5 s measured after 0\.5 s/m);
  assert.ok(existsSync(join(folder, 'shipload.yaml')));
});
