import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ReportDocument } from '../../src/model/documents.ts';
import type { RunRecord } from '../../src/model/record.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';
import { startShop } from '../support/shop-service.ts';

function written(t: TestContext, body: string): { readonly folder: string; readonly file: string } {
  const folder = temporaryFolder(t);
  const file = join(folder, 'walk.ts');
  writeFileSync(file, `import { env, feed, get, scenario } from 'shipload';\n${body}\n`);
  return { folder, file };
}

const WRONG: readonly [string, string, RegExp][] = [
  [
    'text that is no TypeScript',
    'export default scenario({ journeys: { a: } });',
    /walk\.ts:2:\d+: Unexpected "}" \[scenario-invalid\]/,
  ],
  [
    'an import that does not exist',
    "import { nothing } from './nowhere.ts'; export default nothing;",
    /walk\.ts:2:\d+: Could not resolve/,
  ],
  [
    'a name the library does not export',
    "import { scenari } from 'shipload'; export default scenari;",
    /walk\.ts:2:10: shipload exports no "scenari"/,
  ],
  ['no default export', 'export const a = 1;', /walk\.ts: the file has no default export/],
  [
    'an unknown field',
    'export default { ...scenario({ journeys: {} }), wieght: 1 };',
    /walk\.ts:2:49: scenario\.wieght: there is no such field/,
  ],
  [
    'a misspelt field of a journey',
    'export default scenario({ journeys: { a: { wieght: 2, run: async () => {} } } });',
    /walk\.ts:2:44: journeys\.a\.wieght: there is no such field; did you mean "weight"\?/,
  ],
  [
    'a misspelt option of a request in a function',
    "export default scenario({ journeys: { a: async (user) => {\n  await user.get('/', { jsn: 1 });\n} } });",
    /walk\.ts:3:14: in a: a request has no option "jsn"; did you mean "json"\?/,
  ],
  [
    'an environment variable that is not set',
    "const word = env('SHIPLOAD_NOT_SET'); export default scenario({ journeys: { a: [get(`/${word}`)] } });",
    /walk\.ts:2:14: the environment variable SHIPLOAD_NOT_SET is not set/,
  ],
  [
    'one that a journey asks for',
    "export default scenario({ journeys: { a: async (user) => {\n  await user.get(env('SHIPLOAD_NOT_SET'));\n} } });",
    /walk\.ts:3:18: in a: the environment variable SHIPLOAD_NOT_SET is not set/,
  ],
  [
    'a feed whose file is missing, taken from only later',
    `const rows = feed('nowhere.csv');
     export default scenario({ journeys: { a: async (user) => {
       await user.get('/');
       if (user.iteration > 3) await user.take(rows);
     } } });`,
    /there is no \S+nowhere\.csv \[file-not-found\]\n +The scenario names it: feed\('nowhere\.csv'\)/,
  ],
  [
    'a field of the load that is wrong',
    "export default scenario({ load: { users: 'many' }, journeys: { a: [get('/')] } });",
    /walk\.ts:2:35: load\.users: "many" is not/,
  ],
  [
    'a weight that is no number',
    'export default scenario({ journeys: { a: { weight: NaN, run: async () => {} } } });',
    /walk\.ts:2:44: journeys\.a\.weight: NaN is no positive number/,
  ],
  [
    'an error thrown while it is loaded',
    "throw new Error('no luck');",
    /walk\.ts:2:7: the file cannot be loaded: Error: no luck/,
  ],
  [
    'a promise rejected while it is loaded',
    "await Promise.reject(new Error('too late'));",
    /walk\.ts:2:\d+: the file cannot be loaded: Error: too late/,
  ],
  [
    'a promise nobody awaits',
    "void Promise.reject(new Error('alone')); export default scenario({ journeys: { a: [get('/')] } });",
    /where nobody catches it: alone/,
  ],
  [
    'a request to another place',
    "export default scenario({ journeys: { a: [get('http://192.0.2.1/')] } });",
    /no path of the service \[url-not-yours\]/,
  ],
  [
    'no request at all',
    'export default scenario({ journeys: { a: async () => {} } });',
    /no journey sends a request/,
  ],
  [
    'no load where one is named',
    "export default scenario({ load: null, journeys: { a: [get('/')] } });",
    /walk\.ts:2:27: load: is null/,
  ],
  [
    'a target that is none',
    "export default scenario({ load: { users: 1 }, targets: ['p95 <= 100'], journeys: { a: [get('/')] } });",
    /walk\.ts:2:\d+: targets\[0\]: target "p95 <= 100": expected/,
  ],
  [
    'a target at a load that no stage holds',
    "export default scenario({ load: { stages: [{ duration: '4s', target: 2 }] }, targets: ['p95 <= 1 s at 9 users'], journeys: { a: [get('/')] } });",
    /walk\.ts:2:\d+: the target "p95 <= 1 s at 9 users" cannot be judged: no stage holds its load/,
  ],
  [
    'a misspelt order of a feed',
    "feed('rows.csv', { order: 'uniqe' }); export default scenario({ journeys: { a: [get('/')] } });",
    /walk\.ts:2:1: feed: there is no order "uniqe"; did you mean "unique"\?/,
  ],
  [
    'a path of a file where a feed belongs',
    "export default scenario({ journeys: { a: async (user) => { await user.take('rows.csv'); } } });",
    /walk\.ts:2:\d+: in a: user\.take needs a feed/,
  ],
  [
    'a check of another kind',
    "export default scenario({ journeys: { a: async (user) => { await user.get('/', { check: { status: '200' } }); } } });",
    /walk\.ts:2:\d+: in a: check\.status is "200", not a status/,
  ],
  [
    'a header that HTTP cannot carry',
    "export default scenario({ journeys: { a: async (user) => { await user.get('/', { headers: { 'X Y': 'a' } }); } } });",
    /walk\.ts:2:\d+: in a: header name "X Y" is no token of HTTP/,
  ],
  [
    'a method of a user that there is none of',
    "export default scenario({ journeys: { a: async (user) => { await user.gett('/'); } } });",
    /no journey sends a request \[scenario-invalid\]\n +a throws: user\.gett is not a function .*walk\.ts:2:\d+/,
  ],
  [
    'two ways to give the load',
    "export default scenario({ load: { users: 1, rate: 2 }, journeys: { a: [get('/')] } });",
    /users and rate give the load in several ways/,
  ],
];

for (const [name, body, message] of WRONG)
  test(`a scenario with ${name} is one clear message and exit 2`, async (t) => {
    const { folder } = written(t, body);
    const { code, stderr, stdout } = await runCli(['run', 'walk.ts', '--url', 'http://127.0.0.1:9'], folder);
    assert.match(stderr, message);
    assert.equal(code, 2, stderr);
    assert.equal(stdout, '');
    assert.equal(stderr.match(/^shipload: /gm)?.length, 1, stderr);
  });

test('a dry run looks for the files of feeds too', async (t) => {
  const { folder } = written(
    t,
    "feed('nowhere.csv'); export default scenario({ journeys: { a: [get('/')] } });",
  );
  const { code, stderr } = await runCli(['run', 'walk.ts', '--dry-run'], folder);
  assert.equal(code, 2);
  assert.match(stderr, /there is no \S+nowhere\.csv/);
});

test('a unique feed with fewer records than users is said before the load, in a dry run too', async (t) => {
  const { url, seen } = await startShop(t);
  const { folder } = written(
    t,
    `const rows = feed('rows.csv', { order: 'unique' });
     export default scenario({ journeys: { a: async (user) => { await user.get(\`/books/\${(await user.take(rows)).id}\`); } } });`,
  );
  writeFileSync(join(folder, 'rows.csv'), 'id\n1\n\n2\n3');
  for (const more of [[], ['--dry-run']]) {
    const args = ['run', 'walk.ts', '--url', url, '--users', '1,4', ...more];
    const { code, stderr } = await runCli(args, folder);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /rows\.csv: the file has 3 records, and 4 users need one each \[feed-invalid\]/);
    assert.match(stderr, /at most 3 users/);
  }
  assert.equal(seen.length, 0);
  const enough = await runCli(['run', 'walk.ts', '--dry-run', '--users', '1,3'], folder);
  assert.equal(enough.code, 0, enough.stderr);
});

test('targets of a plan file that do not fit are said with their own line', async (t) => {
  const { folder } = written(t, "export default scenario({ journeys: { a: [get('/')] } });");
  const cases: readonly [string, RegExp][] = [
    ['p95 <= 100', /shipload\.yaml:3:5: target "p95 <= 100": expected after "100"/],
    ['p95 of /x <= 1 s', /shipload\.yaml:3:5: target "p95 of \/x <= 1 s": no route \/x in this load/],
    [
      'p95 <= 1 s at 9 /s',
      /shipload\.yaml:3:5: the target "p95 <= 1 s at 9 \/s" cannot be judged: the load counts users/,
    ],
  ];
  for (const [target, message] of cases) {
    writeFileSync(
      join(folder, 'shipload.yaml'),
      `targets:\n  - errors = 0\n  - ${target}\nservice:\n  url: http://127.0.0.1:9\nworkload: walk.ts\nload:\n  users: 1\n`,
    );
    const { code, stderr } = await runCli(['run'], folder);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});

const UNABLE: readonly [readonly string[], RegExp][] = [
  [['--http2'], /--http2: a journey that is a function is sent over HTTP\/1\.1/],
  [['--http', '2'], /--http2?: a journey that is a function is sent over HTTP\/1\.1/],
  [['--follow', '3'], /--follow: a journey that is a function is sent .* each request as it is/],
  [['--generators', '2'], /--generators: a scenario is run by one generator/],
  [['--confirm'], /--confirm varies the mix of a log, which a scenario has not/],
  [['--write', 'POST /orders'], /--write has no place in a [^,]*scenario/],
  [['--shape', 'replay'], /--shape replay takes an access log, not a scenario/],
  [['-m', 'POST'], /--method is for a URL/],
];

for (const [options, message] of UNABLE)
  test(`what journeys in functions cannot do is said before any load: ${options.join(' ')}`, async (t) => {
    const { url, seen } = await startShop(t);
    const { folder } = written(
      t,
      "export default scenario({ journeys: { a: async (user) => { await user.get('/books'); } } });",
    );
    const { code, stderr } = await runCli(['run', 'walk.ts', '--url', url, ...options], folder);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
    assert.equal(stderr.match(/^shipload: /gm)?.length, 1, stderr);
    assert.equal(seen.length, 0);
  });

test('a dry run needs no service, and shows what the first user would send, one value in the next request', async (t) => {
  const { folder } = written(
    t,
    `export default scenario({ journeys: { a: async (user) => {
      const login = await user.post('/login', { json: { name: 'ada' } });
      await user.pause('2s');
      await user.get(\`/orders/\${login.json('order.id')}\`);
    } } });`,
  );
  const { code, stdout } = await runCli(['run', 'walk.ts', '--dry-run', '--users', '1,5'], folder);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /POST \/login\n.*Content-Type: application\/json\n +\{"name":"ada"\}\n +… 2 s\n +GET \/orders\/\{order\.id\}/,
  );
  assert.match(stdout, /1 user: .*\n +5 users: /);
  assert.match(stdout, /\{order\.id\} {3}\(as \/orders\/\[id\]\)/);
});

test('a dry run shows no secrets of queries and bodies, in text or as JSON', async (t) => {
  const { folder } = written(
    t,
    `export default scenario({ journeys: { a: [
      post('/login?api_key=k-1', { json: { name: 'ada', password: 'p-2' }, headers: { Authorization: 'Bearer t-3' } }),
      post('/form', { form: { token: 't-4', page: 2 } }),
    ] } });`.replace('export', "import { post } from 'shipload';\nexport"),
  );
  for (const more of [[], ['--json']]) {
    const { code, stdout } = await runCli(['run', 'walk.ts', '--dry-run', ...more], folder);
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /k-1|p-2|t-3|t-4/);
    assert.match(stdout, /ada/);
    assert.match(stdout, /page=2/);
  }
});

test('a fault of a scenario is shown at its own place, never within the library', async (t) => {
  const { folder } = written(
    t,
    `export default scenario({ journeys: { a: async (user) => {
      const login = await user.get('/login', { example: { token: 1 } });
      user.pick([]);
    } } });`,
  );
  const { stderr } = await runCli(['run', 'walk.ts', '--dry-run'], folder);
  assert.match(stderr, /a throws: RangeError: pick: the list is empty\n +at .*walk\.ts:4:12/);
  assert.doesNotMatch(stderr, /\/(?:dist|src)\/(?:src|drive|scenario)\//);
});

test('contradictions within a plan file are said with file, line and column', async (t) => {
  const { folder } = written(t, "export default scenario({ journeys: { a: [get('/')] } });");
  writeFileSync(
    join(folder, 'shipload.yaml'),
    'service:\n  url: http://127.0.0.1:9\nworkload: http://127.0.0.1:9/\nload:\n  users: [1]\n  rate: 5\n',
  );
  const { code, stderr } = await runCli(['run'], folder);
  assert.equal(code, 2);
  assert.match(
    stderr,
    /shipload\.yaml:5:3, shipload\.yaml:6:3: --users, -c and --rate give the load in three ways/,
  );
});

test('a run of a scenario: what it counts is what the service saw, a journey that throws is told once', async (t) => {
  const { url, seen } = await startShop(t);
  const { folder } = written(
    t,
    `export default scenario({
      thinkTime: '5ms..15ms',
      setup: async (client) => (await client.get('/books')).json<number>('items[1].id'),
      userSetup: async (user) => (await user.post('/login', { json: {} })).json<string>('token'),
      journeys: { a: async (user) => {
        user.bearer(user.own);
        await user.get(\`/books/\${user.shared}\`, { check: { json: { title: 'Book 8' } } });
        const order = await user.post('/orders', { json: { at: user.iteration }, check: { status: 201 } });
        if (order.json('at') % 2 === 1) throw new Error('an odd one');
      } },
    });`,
  );
  const args = [
    'run',
    'walk.ts',
    '--url',
    url,
    '--users',
    '3',
    '--step',
    '3s',
    '--warmup',
    '1s',
    '-o',
    'out',
    '--json',
  ];
  const { stdout, stderr } = await runCli(args, folder);
  const document = JSON.parse(stdout) as ReportDocument;
  const record = JSON.parse(readFileSync(join(folder, 'out', 'record.json'), 'utf8')) as RunRecord;
  const sent = new Map(
    record.totals!.byRoute.map(({ requestClassId, sentCount }) => [requestClassId, sentCount]),
  );
  const count = (line: string): number => seen.filter((one) => one.line === line).length;
  assert.equal(sent.get('GET /books/[id]'), count('GET /books/8'));
  assert.equal(sent.get('POST /orders'), count('POST /orders'));
  // One log in a user, as userSetup; what setup sends is not counted as load.
  assert.equal(sent.get('POST /login'), 3);
  assert.equal(count('POST /login'), 3);
  assert.equal(count('GET /books'), 1);
  assert.ok(
    seen.filter(({ line }) => line === 'POST /orders').every(({ headers }) => headers.cookie === 'sid=s-1'),
  );
  assert.equal(stderr.match(/an odd one/g)?.length, 1, stderr);
  assert.match(stderr, /an odd one\n +at .*walk\.ts:\d+:\d+/);
  const [part] = document.scenario!.parts;
  assert.ok(Math.abs(part!.failedCount / part!.endedCount - 0.5) < 0.1);
  assert.match(
    document.notices.find(({ code }) => code === 'journey-failed')!.message,
    /threw \d+ times: an odd one/,
  );
});
