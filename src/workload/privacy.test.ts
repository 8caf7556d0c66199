import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableOf } from '../../test/support/log-table.ts';
import { buildWorkload } from './build-workload.ts';
import { cleanExample, isSensitiveName, isSensitiveValue, syntheticValue } from './privacy.ts';

const NAMES = {
  true: [
    'token',
    'access_token',
    'accessToken',
    'email',
    'e-mail',
    'phone',
    'sid',
    'apiKey',
    'user[password]',
    'key',
  ],
  false: [
    'q',
    'page',
    'sort',
    'monkey',
    'passenger',
    'tokenizer',
    'id',
    'keyword',
    'user_id',
    'side',
    'author',
  ],
};
const VALUES = {
  true: [
    'jane@example.com',
    '+49 30 1234567',
    '10.0.0.1',
    '4111111111111111',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.c2ln',
  ],
  false: ['books', '42', '4111111111111112', '1796000000000', '1.2.3', 'a@b'],
};

for (const [wanted, names] of Object.entries(NAMES))
  test(`names that tell of a secret or a person: ${wanted}`, () =>
    assert.deepEqual(
      names.filter((name) => String(isSensitiveName(name)) !== wanted),
      [],
    ));

for (const [wanted, values] of Object.entries(VALUES))
  test(`values that are a secret or a person’s by themselves: ${wanted}`, () =>
    assert.deepEqual(
      values.filter((value) => String(isSensitiveValue(value)) !== wanted),
      [],
    ));

test('a made-up value has the shape of the real one, is the same each time, and another with another salt', () => {
  const made = syntheticValue('Jane.Doe-7@example.com', 1);
  assert.match(made, /^[A-Z][a-z]{3}\.[A-Z][a-z]{2}-\d@[a-z]{7}\.[a-z]{3}$/);
  assert.equal(syntheticValue('Jane.Doe-7@example.com', 1), made);
  assert.notEqual(syntheticValue('Jane.Doe-7@example.com', 2), made);
});

const SECRETS = ['hunter2pass', 'jane@example.com', '203.0.113.77', 'A1b2C3d4E5f6G7h8i9', '55AA66BB'];
const LOG = [
  '/login?user=x&password=hunter2pass&next=%2Fhome',
  '/u/jane@example.com/orders',
  '/u/jane%40example.com/orders',
  '/reset/A1b2C3d4E5f6G7h8i9',
  '/books/42;jsessionid=55AA66BB?q=cats',
  '/books/43?q=cats',
  '/lookup/203.0.113.77',
].map((target, index) => ({ at: 1_796_000_000 + index, client: '203.0.113.77', target }));

test('no secret and no address of a client is in the model, and what was replaced is listed', () => {
  const model = buildWorkload(tableOf(LOG));
  const text = JSON.stringify(model);
  assert.deepEqual(
    SECRETS.filter((secret) => text.includes(secret)),
    [],
  );
  assert.deepEqual(model.replacedValues, [
    { name: 'email', in: 'path', valueCount: 1 },
    { name: 'ip', in: 'path', valueCount: 1 },
    { name: 'jsessionid', in: 'path', valueCount: 1 },
    { name: 'token', in: 'path', valueCount: 1 },
    { name: 'password', in: 'query', valueCount: 1 },
  ]);
  assert.ok(model.warnings.some(({ code }) => code === 'values-replaced'));
  const login = model.requestClasses.find(({ route }) => route === '/login')!;
  assert.match(login.targets.targets[0]!, /^\/login\?user=x&password=[a-z]{6}\d[a-z]{4}&next=%2Fhome$/);
  const books = model.requestClasses.find(({ route }) => route === '/books/[id]')!;
  assert.deepEqual(
    books.parameters.map(({ top }) => top.map(({ value }) => value)),
    [['42', '43'], ['cats']],
  );
});

test('the order of the lines does not change the made-up values', () => {
  assert.deepEqual(
    buildWorkload(tableOf(LOG.toReversed())).requestClasses,
    buildWorkload(tableOf(LOG)).requestClasses,
  );
});

test('kept on request', () => {
  const model = buildWorkload(tableOf(LOG), { keepValues: true });
  assert.equal(model.replacedValues, undefined);
  assert.ok(JSON.stringify(model).includes('hunter2pass'));
});

test('an example line shows no address, no mail address and no secret', () => {
  const line = '::1 198.51.100.7 2001:db8::17 - [10:00:00] "GET /x?token=abc&q=cats jane@example.com';
  assert.equal(
    cleanExample(line, false),
    '[address] [address] [address] - [10:00:00] "GET /x?token=[replaced]&q=cats [email]',
  );
});
