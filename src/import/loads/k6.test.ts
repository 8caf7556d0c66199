import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportedLoad, ImportedText } from './imported-load.ts';
import { importK6 } from './k6.ts';
import { secondsOfK6 } from './k6-load.ts';

const script = (options: string, body = "http.get('http://a.test/');", more = ''): ImportedLoad =>
  importK6(
    `import http, { get } from 'k6/http';
import { sleep, check, group } from 'k6';
import { randomIntBetween } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';
${more}
export const options = ${options};
export default function () {
${body}
}
`,
    'test.js',
  );

const textOf = (text: ImportedText): string => (typeof text === 'string' ? text : JSON.stringify(text));

/** Executors as k6 documents them, and the load each is here. */
const LOADS: readonly [string, ImportedLoad['load'], RegExp?][] = [
  ['{ vus: 10, duration: "30s" }', { users: 10, step: '30s', warmup: '6s' }],
  [
    '{ vus: 3, iterations: 100 }',
    { users: 3, step: '60s', warmup: '12s' },
    /100 iterations in all: a load here lasts a time/,
  ],
  [
    '{ stages: [{ duration: "1m30s", target: 20 }, { duration: "10s", target: 0 }] }',
    {
      stages: [
        { duration: '0s', target: 1 },
        { duration: '90s', target: 20 },
        { duration: '10s', target: 0 },
      ],
    },
  ],
  [
    '{ scenarios: { a: { executor: "constant-vus", vus: 2 * 4, duration: "1m" } } }',
    { users: 8, step: '60s', warmup: '12s' },
  ],
  [
    '{ scenarios: { a: { executor: "ramping-vus", startVUs: 5, stages: [{ duration: "10s", target: 5 }], gracefulRampDown: "0s" } } }',
    {
      stages: [
        { duration: '0s', target: 5 },
        { duration: '10s', target: 5 },
      ],
    },
  ],
  [
    '{ scenarios: { a: { executor: "constant-arrival-rate", rate: 30, timeUnit: "1m", duration: "2m", preAllocatedVUs: 2, maxVUs: 9 } } }',
    { rate: 0.5, step: '120s', warmup: '24s', arrivals: 'constant' },
    /maxVUs has no counterpart and is left out; --max-in-flight/,
  ],
  [
    '{ scenarios: { a: { executor: "ramping-arrival-rate", startRate: 60, timeUnit: "1m", stages: [{ duration: "5s", target: 120 }], preAllocatedVUs: 1 } } }',
    {
      rateStages: [
        { duration: '0s', target: 1 },
        { duration: '5s', target: 2 },
      ],
      arrivals: 'constant',
    },
  ],
  [
    '{ scenarios: { a: { executor: "per-vu-iterations", vus: 4, iterations: 5, maxDuration: "1m" } } }',
    { users: 4, step: '60s', warmup: '12s' },
    /5 iterations per user/,
  ],
  [
    '{ scenarios: { a: { executor: "externally-controlled", vus: 1 } } }',
    undefined,
    /executor "externally-controlled" has no counterpart/,
  ],
  [
    '{ scenarios: { a: { executor: "constant-vus", vus: 2, duration: "5s" }, b: { executor: "constant-vus", vus: 6, duration: "5s" } } }',
    { users: 8, step: '5s', warmup: '1s' },
    /2 scenarios side by side are one load of 8 users/,
  ],
  [
    '{ scenarios: { a: { executor: "constant-vus", vus: 2, duration: "5s" }, b: { executor: "constant-vus", vus: 6, duration: "5s", startTime: "5s" } } }',
    { users: 2, step: '5s', warmup: '1s' },
    /scenario b: it runs beside or after a with another load/,
  ],
  [
    '{ vus: __ENV.VUS || 7, duration: "10s" }',
    { users: 7, step: '10s', warmup: '2s' },
    /__ENV\.VUS is taken as unset/,
  ],
  [
    '{ vus: compute(), duration: "10s" }',
    { users: 1, step: '10s', warmup: '2s' },
    /line 5: options\.vus is computed/,
  ],
  ['{ vus: -1, duration: "10s" }', undefined, /vus is no figure/],
  ['{ noConnectionReuse: true }', undefined, /options\.noConnectionReuse has no counterpart/],
  ['makeOptions()', undefined, /line 5: options is computed/],
];

for (const [options, load, note] of LOADS)
  test(`k6: options ${options}`, () => {
    const imported = script(options);
    assert.deepEqual(imported.load, load);
    if (note !== undefined)
      assert.ok(
        imported.notes.some((one) => note.test(one)),
        imported.notes.join('\n'),
      );
  });

test('k6: thresholds become targets, and those without a counterpart are listed with their text', () => {
  const { targets, notes } = script(
    `{ thresholds: {
      http_req_duration: ['p(95)<500', 'avg<=200', 'med<150.5', 'max < 2000', 'p(99.9)<1500', { threshold: 'p(99)<900', abortOnFail: true }],
      'http_req_duration{expected_response:true}': ['p(90)<400'],
      'http_req_duration{name:book}': ['p(95)<300'],
      'http_req_duration{url:http://a.test/}': 'p(50)<100',
      'http_req_duration{status:200}': ['p(95)<1'],
      http_req_failed: ['rate<0.01'], http_reqs: ['rate>=50', 'count>100'],
      checks: ['rate>0.9'], my_trend: ['p(95)<1'],
    } }`,
    "http.get('http://a.test/', { tags: { name: 'book' } }); http.get('http://a.test/');",
  );
  assert.deepEqual(targets, [
    'p95 <= 500 ms',
    'mean <= 200 ms',
    'p50 <= 150.5 ms',
    'max <= 2000 ms',
    'p99.9 <= 1500 ms',
    'p99 <= 900 ms',
    'p90 <= 400 ms',
    'p95 of book <= 300 ms',
    'p50 of / <= 100 ms',
    'error rate <= 1 %',
    'throughput >= 50 /s',
  ]);
  for (const text of [
    'http_req_duration{status:200}: p(95)<1',
    'http_reqs: count>100',
    'checks: rate>0.9',
    'my_trend: p(95)<1',
  ])
    assert.ok(notes.includes(`threshold ${text} has no counterpart and is left out.`), text);
  assert.ok(notes.some((note) => /p\(99\)<900 ends the test in k6/.test(note)));
});

test('k6: calls with a URL that is written out become requests in order; the rest is listed with its line', () => {
  const imported = script(
    '{}',
    `  const page = http.get(\`\${BASE}/books?q=\${Q}\`, { headers: { Accept: 'text/html', 'X-Trace': trace() } });
  check(http.post(BASE + '/login', JSON.stringify({ ...who, n: 1 }), JSON_TYPE), { ok: (r) => r.status === 200 });
  sleep(1.5);
  group('shop', () => {
    http.put(BASE + '/form', { a: 'b c' });
    sleep(randomIntBetween(1, 3));
    group('deep', function () { http.del(BASE + '/1'); });
    get(BASE + '/named');
  });
  http.batch([['GET', BASE + '/x'], BASE + '/y', { method: 'POST', url: BASE + '/z', body: 'raw' }]);
  const res = http.request('PATCH', BASE + '/p', null);
  const id = http.get(BASE + '/json').json('id');
  help();
  http.get(BASE + '/by/' + id);
  http.get('http://other.test/');
  if (id) { http.get(BASE + '/if'); } else http.get(BASE + '/else');
  for (const x of [1, 2]) http.get(BASE + '/loop');
  [1, 2].forEach(() => http.get(BASE + '/each'));
  sleep(Math.random() * 2 + 1);
  sleep(wait());`,
    `const BASE = 'http://a.test';
const Q = 'a b'.length ? 'never' : 'x';
const JSON_TYPE = { headers: { 'Content-Type': 'application/json' } };
const who = { name: 'ada' };
function help() { http.get(BASE + '/help'); }
export function setup() { http.get(BASE + '/setup'); }`.replace(
      "'a b'.length ? 'never' : 'x'",
      "encodeURIComponent('a b')",
    ),
  );
  const flat = imported.journeys[0]!.groups.flatMap(({ name, steps }) =>
    steps.map((step) =>
      step.kind === 'pause'
        ? `${name ?? ''}| ${step.time}`
        : `${name ?? ''}| ${step.request.method} ${textOf(step.request.target)} ${JSON.stringify(step.request.body ?? null)}`,
    ),
  );
  assert.deepEqual(flat, [
    '| GET /books?q=a%20b null',
    '| POST /login {"kind":"json","value":{"name":"ada","n":1}}',
    '| 1.5s',
    'shop| PUT /form {"kind":"text","text":"a=b+c"}',
    'shop| 1s..3s',
    'shop / deep| DELETE /1 null',
    'shop| GET /named null',
    '| GET /x null',
    '| GET /y null',
    '| POST /z {"kind":"text","text":"raw"}',
    '| PATCH /p null',
    '| GET /json null',
    '| GET /help null',
    '| 1s..3s',
  ]);
  const line = (offset: number): string => `line ${12 + offset}`;
  for (const note of [
    `${line(0)}: headers.X-Trace of the parameters is computed: left out.`,
    `${line(13)}: the url of a request is computed: left out.`,
    `${line(14)}: goes to other.test, another host than a.test: left out.`,
    `${line(15)}: 2 requests in a condition: left out.`,
    `${line(16)}: A request in a loop: left out.`,
    `${line(17)}: 1 request in a function that is handed over: left out.`,
    `${line(19)}: a sleep of a computed time: left out.`,
    'The function setup is code and left out.',
  ])
    assert.ok(imported.notes.includes(note), `${note}\n${imported.notes.join('\n')}`);
});

test('k6: functions that scenarios name are journeys with their shares', () => {
  const { journeys, load } = importK6(
    `import http from 'k6/http';
const ramp = { executor: 'constant-arrival-rate', duration: '10s', timeUnit: '1s' };
export const options = { scenarios: { r: { ...ramp, rate: 9, exec: 'read' }, w: { ...ramp, rate: 1, exec: 'write' } } };
export const read = () => { http.get('http://a.test/r'); };
export async function write() { await http.asyncRequest('POST', 'http://a.test/w', 'x'); }
`,
    'test.js',
  );
  assert.deepEqual(
    journeys.map(({ name, weight = 1 }) => [name, weight]),
    [
      ['read', 9],
      ['write', 1],
    ],
  );
  assert.equal(load?.rate, 10);
});

test('k6: secrets of a script are named, not copied', () => {
  const imported = script(
    '{}',
    "http.get('http://u:pw@a.test/?token=t-1', { headers: { Authorization: 'Bearer b-2' } });",
  );
  assert.doesNotMatch(JSON.stringify(imported), /t-1|b-2|pw/);
});

test('k6: what is no JavaScript is refused with its place; code nested without end too', () => {
  assert.throws(() => importK6("import http from 'k6/http';\nexport default function ( {", 'a.js'), {
    code: 'import-invalid',
    where: 'a.js:2:28',
  });
  assert.throws(() => importK6(`x = ${'('.repeat(100_000)}`, 'a.js'), { code: 'import-invalid' });
  assert.throws(() => importK6(`x = ${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'a.js'), {
    code: 'import-invalid',
  });
});

test('k6: names that lead to themselves, recursion and doubling texts come to an end', () => {
  const doubling = Array.from({ length: 60 }, (_, i) => `const x${i + 1} = x${i} + x${i};`).join('\n');
  const imported = script(
    '{ vus: a }',
    "loop(); http.get('http://a.test/' + x60); http.get('http://a.test/');",
    `const a = b; const b = a;\nconst x0 = 'xxxxxxxxxx';\n${doubling}\nfunction loop() { loop(); loop(); }`,
  );
  assert.equal(imported.journeys[0]!.groups.flatMap(({ steps }) => steps).length, 1);
});

test('durations of k6', () => {
  const cases: readonly [unknown, number][] = [
    ['1h2m3s', 3723],
    ['500ms', 0.5],
    ['1.5m', 90],
    [250, 0.25],
    ['10', 0.01],
  ];
  for (const [text, seconds] of cases) assert.ok(Math.abs(secondsOfK6(text) - seconds) < 1e-9, String(text));
  assert.ok(Number.isNaN(secondsOfK6('soon')) && Number.isNaN(secondsOfK6(null)));
});
