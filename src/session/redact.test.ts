import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ROOT } from '../../test/support/paths.ts';
import type { PlannedRequest } from '../model/load.ts';
import { redactCommand, redactPlan, redactText } from './redact.ts';

const SECRET = 's3cr3t-value';

test('secrets of the command line do not reach a record, however they are given', () => {
  const commands = [
    ['run', '-H', `Authorization: Bearer ${SECRET}`],
    ['run', `-HCookie: session=${SECRET}`],
    ['run', `--header=X-Api-Key: ${SECRET}`],
    ['run', '--header', `x-auth-token:${SECRET}`],
    ['run', '-H', `X-Our-Own: ${SECRET}`],
    ['run', '--url', `http://user:${SECRET}@127.0.0.1/`],
    ['run', `--url=http://${SECRET}@127.0.0.1/`],
    ['run', `http://127.0.0.1/search?q=1&access_token=${SECRET}&page=2`],
    ['run', '-d', `{"user":"x","password":"${SECRET}","n":1}`],
    ['run', '-d', `grant=password&client_secret=${SECRET}`],
    ['run', '--start', `API_KEY=${SECRET} ./service --port 80`],
    ['run', '--start', `./service --db-password ${SECRET} --port 80`],
    ['run', '--start', `./service --token='${SECRET} and more'`],
  ];
  for (const command of commands)
    assert.ok(!redactCommand(command).join(' ').includes(SECRET), redactCommand(command).join(' '));
});

test('what is no secret stays as it was', () => {
  const plain = [
    'run',
    'access.log',
    '-H',
    'Accept: text/html',
    '--url',
    'http://127.0.0.1:8080/a@b?page=2&sort=price',
    '--target',
    'p95 of /search <= 200 ms at 200 users',
    '--start',
    './my-service --port 8080 --workers 2',
    '-d',
    '{"query":"basic income","limit":10}',
    '-o',
    'runs/before',
  ];
  assert.deepEqual(redactCommand(plain), plain);
});

test('what our own words say of our own options is said whole', () => {
  const source = join(ROOT, 'src');
  const words = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => readFileSync(join(source, file), 'utf8').split('\n'))
    .filter((line) => !/^\s*(?:\/\*|\*|\/\/|flags:)/.test(line))
    .flatMap((line) => [...line.matchAll(/'([^']*--[a-z][^']*)'|`([^`]*--[a-z][^`]*)`/g)])
    .map(([, plain, template]) => plain ?? template!)
    // A pair of an option and what it takes is its definition, which is printed as it is.
    .filter((text) => !/^--[a-z-]+ <\w+>$/.test(text));
  assert.ok(words.length > 100);
  assert.deepEqual(
    words.filter((text) => redactText(text) !== text),
    [],
  );
});

const texts: readonly [given: string, expected: string][] = [
  ['GET /a?token=abc&b=1', 'GET /a?token=(redacted)&b=1'],
  ['authorization: Bearer abc.def', 'authorization: (redacted)'],
  ['got "Set-Cookie: sid=abc; Path=/" back', 'got "Set-Cookie: (redacted)" back'],
  ['cannot connect to postgres://app:pw@db/x', 'cannot connect to postgres://(redacted)@db/x'],
  [`token is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig-x`, 'token is (redacted)'],
  [`{"apiKey": "a\\"b", "name": 'x'}`, `{"apiKey": "(redacted)", "name": 'x'}`],
  ['retry with bearer abcdef123', 'retry with bearer (redacted)'],
];
for (const [given, expected] of texts) test(given, () => assert.equal(redactText(given), expected));

test('secrets of the plan do not reach a record, the rest does, and what is sent stays', () => {
  const request: PlannedRequest = {
    id: 'GET /',
    method: 'GET',
    route: '/',
    shareRatio: 1,
    targets: { draw: 'uniform', targets: [`/?page=1&api_key=${SECRET}`, '/plain'], distinctCount: 2 },
    headers: { Authorization: SECRET, Accept: 'text/html', 'X-Anything': SECRET },
    body: `{"password":"${SECRET}","page":1}`,
  };
  const plan = { seed: 1, shape: 'steps', requestTimeoutSeconds: 30, steps: [], requests: [request] };
  const stored = JSON.stringify(redactPlan(plan));
  assert.ok(!stored.includes(SECRET), stored);
  for (const kept of ['text/html', 'page=1', '/plain', 'X-Anything']) assert.ok(stored.includes(kept), kept);
  assert.ok(JSON.stringify(plan).includes(SECRET));
});

test('a long text takes time in proportion to its length', () => {
  for (const part of ['--a-b-c ', '"k":"v\\', 'x-a: ', 'a=', 'http://', 'a=,', '--a ,,', '),']) {
    const text = part.repeat(20_000);
    assert.ok(redactText(text).length > 0);
  }
});

/** What may stand after a secret without being part of it. */
const DELIMITERS = [
  '',
  ' ',
  '\n',
  '&',
  ';',
  '#',
  '"',
  "'",
  ', ',
  '. ',
  ': ',
  '! ',
  '? ',
  ') ',
  '] ',
  '} ',
  '> ',
  '",',
  ')."',
];
const word = fc.stringMatching(/^[A-Za-z0-9]{4,12}$/);
/** Secrets hold punctuation too, but for their first and last letter. */
const secret = fc
  .tuple(word, fc.stringMatching(/^[\w.,:!?()+/~-]{0,10}$/), word)
  .map(([first, middle, last]) => first + middle + last)
  // What looks like a header goes to the end of its line.
  .filter((value) => !/\bx-[\w-]+:/i.test(value));
const secretName = fc.constantFrom('token', 'access_token', 'api_key', 'password', 'client_secret');
const delimiter = fc.constantFrom(...DELIMITERS);

const afterOption = (name: string, value: string): string => `--${name.replace('_', '-')} ${value}`;

test('what follows a secret stays, whatever it is divided from it by; the secret goes whole', () => {
  const places: readonly ((name: string, value: string) => string)[] = [
    (name, value) => `GET /a?page=1&${name}=${value}`,
    (name, value) => `${name}=${value}`,
    afterOption,
    (name, value) => `(see http://127.0.0.1/x?${name}=${value}`,
  ];
  fc.assert(
    fc.property(secretName, secret, delimiter, fc.constantFrom(...places), (name, value, end, place) => {
      // Of a word on a command line these are part.
      fc.pre(!(place === afterOption && /^[&;#]$/.test(end)));
      const after = end === '' ? '' : 'rest';
      const redacted = redactText(`seen: ${place(name, value)}${end}${after}`);
      assert.equal(redacted, `seen: ${place(name, '(redacted)')}${end}${after}`);
    }),
    { seed: 7, numRuns: 2000 },
  );
});

test('a text that is redacted stays as it is when it is redacted again', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...DELIMITERS,
      '=',
      '(',
      '--token ',
      'Bearer ',
      'Authorization: ',
      '{"password": "',
      'http://a:b@h/',
    ),
    fc.tuple(secretName, secret).map(([name, value]) => `${name}=${value}`),
    word,
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const once = redactText(pieces.join(''));
      assert.equal(redactText(once), once);
    }),
    { seed: 7, numRuns: 2000 },
  );
});
