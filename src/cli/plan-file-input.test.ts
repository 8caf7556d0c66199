import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPlanFile } from '../plan-file/read-plan-file.ts';
import { ROOT } from '../../test/support/paths.ts';
import { withGiven } from './given-options.ts';
import { OPTIONS } from './options/index.ts';
import { PLAN_SECTIONS, planFileText } from './plan-file-input.ts';
import { planFileFor } from './plan-file-text.ts';
import { run } from './commands/run.ts';

const read = (text: string, secrets: string[] = []) =>
  readPlanFile(text, 'plan.yaml', PLAN_SECTIONS, (secret) => {
    secrets.push(secret);
    return secret;
  });

test('a plan says what the flags say, each value as its option takes it', () => {
  const { options, workload } = read(`
targets: p95 <= 200 ms at 10 users
service: { url: 'http://127.0.0.1:8080', start: node server.js }
workload: { from: access.log, window: all }
load:
  users: [1, 10]
  step: 90
  think: 1s..3s
  extend: true
request:
  header: ['A: b', 'C: d']
  follow: true
judging: { isolate: false, margin: 5% }
counters:
`);
  assert.equal(workload, 'access.log');
  assert.deepEqual(options, {
    target: ['p95 <= 200 ms at 10 users'],
    url: new URL('http://127.0.0.1:8080'),
    start: 'node server.js',
    window: 'all',
    users: [1, 10],
    step: 90,
    think: { kind: 'uniform', meanSeconds: 2, minSeconds: 1, maxSeconds: 3 },
    extend: true,
    header: [
      ['A', 'b'],
      ['C', 'd'],
    ],
    follow: true,
    isolate: false,
    margin: 0.05,
  });
});

test('a value with the tag !secret is told before anything is made of it, and what it is told to be is used', () => {
  const seen: string[] = [];
  const { options } = read(
    `request: { header: [!secret 'X-Tenant: hidden', 'Accept: a/b'] }\nservice: { start: !secret 1234567 }`,
    seen,
  );
  assert.deepEqual(seen, ['X-Tenant: hidden', '1234567']);
  assert.deepEqual(options, {
    header: [
      ['X-Tenant', 'hidden'],
      ['Accept', 'a/b'],
    ],
    start: '1234567',
  });
});

test('what a plan gets wrong is said with line, column and what may be meant', () => {
  const cases: readonly [string, string, RegExp][] = [
    ['servce:\n  url: x', '1:1', /no section "servce"; did you mean "service"\?/],
    ['load:\n  usres: [1]', '2:3', /no key "usres"; did you mean "users"\?/],
    ['service:\n  users: 1', '2:3', /belongs under load:/],
    ['workload:\n  url: access.log', '2:3', /no key "url"; did you mean "from"\?/],
    ['load:\n  users: [3, 1]', '2:10', /load\.users: "3,1" is not a list of rising/],
    ['load:\n  step: soon', '2:9', /load\.step: "soon" is not a duration/],
    ['load:\n  extend: maybe', '2:11', /load\.extend is true or false/],
    ['load:\n  step:', '2:8', /load\.step has no value/],
    ['load:\n  step: { a: 1 }', '2:9', /load\.step is one value/],
    ['load: 7', '1:1', /load holds keys with values/],
    ['load:\n  step: 1\n  step: 2', '3:3', /unique/i],
    ['load: [1', '1:9', /./],
    ['just text', '1:1', /list of sections/],
    ['', '1:1', /list of sections/],
  ];
  for (const [text, at, message] of cases)
    assert.throws(() => read(text), { code: 'plan-file-invalid', where: `plan.yaml:${at}`, message }, text);
});

test('the command line wins over a plan, also over another way to say the same', () => {
  const given = new Set(['rate', 'start']);
  const merged = withGiven(
    { rate: [5], start: 'a', warmup: 1 },
    { users: [1], start: 'b', pid: 7, warmup: 2 },
    given,
  );
  assert.deepEqual(merged, { rate: [5], start: 'a', warmup: 2 });
});

test('every option of a run is a key of a plan, but those that are for one run only', () => {
  const keys = new Set(PLAN_SECTIONS.flatMap((section) => section.keys.map((key) => key.option)));
  const missing = run.options.filter((name) => !keys.has(name));
  // Who makes the load, over which broker and by whose key, is the machine's, not the plan's.
  const ofMachine = ['agents', 'agentsTimeout', 'countersFrom', 'creds', 'nats', 'onAgentLoss', 'sign'];
  const ofBroker = ['tlsCa', 'tlsCert', 'tlsKey'];
  assert.deepEqual(
    missing.toSorted(),
    [...ofMachine, ...ofBroker, 'dryRun', 'github', 'http2', 'target'].toSorted(),
  );
  for (const key of keys) assert.ok(key in OPTIONS, key);
});

test('docs/schema/plan-file.json is in step with the options (else: node dist/test/support/write-schemas.js)', () => {
  assert.equal(readFileSync(join(ROOT, 'docs', 'schema', 'plan-file.json'), 'utf8'), planFileText());
});

test('a plan file that is written can be read', () => {
  const ofUrl = read(planFileFor({ kind: 'url', url: new URL('http://127.0.0.1:8080/find?q=x#y') }));
  assert.equal(ofUrl.workload, 'http://127.0.0.1:8080/find?q=x#y');
  assert.deepEqual(ofUrl.options['concurrency'], [1, 2, 4, 8, 16, 32]);
  const ofScenario = read(planFileFor({ kind: 'scenario', path: "a 'b': c.ts", scenario: {} }));
  assert.equal(ofScenario.workload, "a 'b': c.ts");
  assert.deepEqual(ofScenario.options['users'], [1, 10, 25, 50, 75]);
  const own = { load: { users: 3 }, targets: ['p95 <= 1 s'], url: 'http://127.0.0.1:9/' };
  const text = planFileFor({ kind: 'scenario', path: 'c.ts', scenario: own });
  assert.deepEqual(
    Object.keys(read(text).options),
    ['url', 'margin'],
    'what the scenario says itself stays there',
  );
  assert.match(text, /#   p95 <= 1 s/);
});
