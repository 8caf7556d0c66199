import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tableOf } from '../../test/support/log-table.ts';
import { renderWorkload } from '../report/workload-text.ts';
import { buildWorkload } from './build-workload.ts';
import { replayRows } from './replay-rows.ts';
import { renderRoutes } from './routes-file.ts';
import { percentDecoded } from './target-path.ts';
import { isSensitive, isSensitiveValue, looksRandom } from './sensitive-values.ts';
import { cleanExample } from './sensitive-texts.ts';
import { syntheticValue } from './synthetic-value.ts';

const RANDOM = '8fJ2kQz7Lw0pXe5T';
/** A name, a value and where it was sent; each pair is a secret or somebody's own. */
const SENSITIVE: readonly (readonly [name: string, value: string, target?: string])[] = [
  ...`token access_token accessToken ACCESS_TOKEN accesstoken pw pwd passwd password user[password] newPassword2 passcode
    client_secret clientSecret client-secret clientsecret apiKey api-key APIKey X-Amz-Signature sig signature otp totp
    jsessionid PHPSESSID session_id contraseña fname csrfToken email e-mail email_address user.email phone phone_number phoneNumber
    msisdn ssn iban passport_no dob dateOfBirth birth_date first_name lastName surname username card_number cardholder
    cvv verification_code authCode code_verifier accountNumber`
    .split(/\s+/)
    .map((name) => [name, 'abcdef'] as const),
  ['code', '4/0AX4XfWh9sDk3', '/cb?code=4/0AX4XfWh9sDk3'],
  ['code', '493021', '/login/verify?code=493021'],
  ['code', 'a1b2c3', '/oauth/callback?code=a1b2c3&state=x'],
  ['state', RANDOM],
  ['state', 'af0ifjsldkj', '/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj'],
  ['sid', '55AA66BB77'],
  ['session', RANDOM],
  ['state', '6f1ed002-ab5d-4c5e-9c2b-1a2b3c4d5e6f'],
  ['key', RANDOM],
  ['stripe_key', RANDOM],
  ['nonce', RANDOM],
  ['pin', '4711'],
  ['card', '4000056655665556'],
  ['mobile', '0171 2345678'],
  ['address', '12 Main Street'],
  ['x', 'DE89370400440532013000'],
  ['x', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'],
  ['x', '078-05-1120'],
];
/** Ordinary names, and ordinary values of names that could be those of secrets. */
const ORDINARY: readonly (readonly [name: string, value: string, target?: string])[] = [
  ...`q page sort monkey passenger tokenizer id keyword user_id side author compass passage pinned pint spinner
    state_id statement codec encoder emailing phonetic signal design resign keyboard turkey authority secretary
    tokens max_tokens token_type password_strength session_timeout email_verified country_code product_code sort_key
    company expand cardinal discard assignee panel span mobility`
    .split(/\s+/)
    .map((name) => [name, 'abcdef'] as const),
  ['code', 'US'],
  ['code', 'SKU-12A4-B5'],
  ['code', '493021', '/products?code=493021'],
  ['country_code', '49'],
  ['state', 'CA'],
  ['state', 'NSW2000', '/x?state=NSW2000&code=2000'],
  ['session', 'morning'],
  ['sid', '42'],
  ['phone_model', 'fold7'],
  ['state', 'in_progress', '/orders?state=in_progress'],
  ['state', 'open', '/login?state=open'],
  ['key', 'name'],
  ['pin', 'true'],
  ['mobile', '1'],
  ['password', 'true'],
  ['card', 'visa'],
  ['address', 'billing'],
  ['sign', 'leo'],
  ['content_hash', RANDOM],
  ['x', 'DE89370400440532013001'],
];

const shownOf = (cases: typeof SENSITIVE, wanted: boolean): unknown[] =>
  cases.filter(([name, value, target]) => isSensitive(name, value, target ?? '/x') !== wanted);

test('parameters that are a secret or somebody’s own, by name and value', () => {
  assert.deepEqual(shownOf(SENSITIVE, true), []);
});

test('ordinary words and ordinary values of ambiguous names are left alone', () => {
  assert.deepEqual(shownOf(ORDINARY, false), []);
});

test('texts that random draws make, and such that people write', () => {
  for (const text of ['8fJ2kQz7Lw0pXe5T', 'd41d8cd98f00b204e9800998ecf8427e', '0AX4XfWh9sDk'])
    assert.ok(looksRandom(text), text);
  for (const text of [
    'summer-sale-2024',
    'iphone15promax',
    'The quick brown fox',
    'com.example.App',
    '2026-11-30',
  ])
    assert.ok(!looksRandom(text), text);
});

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
    '[address] [address] [address] - [10:00:00] "GET /x?token=aaa&a=aaaa [email]',
  );
});

const LETTERS_AND_DIGITS = fc.stringMatching(/^[a-km-zA-HJ-NP-Z2-9]{4,12}$/);
const secretText = fc
  .tuple(
    LETTERS_AND_DIGITS,
    fc.constantFrom('Zq7', 'é9Й', 'w0-x', "O'B 4", 'a+b5', 'x&y6', '日本7'),
    LETTERS_AND_DIGITS,
  )
  .map((parts) => parts.join(''));
const secretName = fc.constantFrom(
  ...'password pwd pw passwd user[password] client_secret clientSecret access-token X-Api-Key sig signature otp ssn iban email phone firstName'.split(
    ' ',
  ),
);
const lettersOf = (value: string): string => value.replace(/\P{L}/gu, '');
const mailHolder = (_: string, value: string): string =>
  `/people/${encodeURIComponent(`${lettersOf(value)}@example.com`)}/orders`;
const holder = fc.constantFrom(
  (name: string, value: string) =>
    `/form?page=2&${encodeURIComponent(name)}=${encodeURIComponent(value)}&q=cats`,
  (name: string, value: string) => `/form?${name}=${encodeURIComponent(value)};q=cats`,
  (name: string, value: string) =>
    `/login?next=${encodeURIComponent(`/cb?a=1&${name}=${encodeURIComponent(value)}`)}`,
  (name: string, value: string) =>
    `/api?filter=${encodeURIComponent(JSON.stringify({ id: 7, [name]: value }))}`,
  (name: string, value: string) =>
    `/books/42;${encodeURIComponent(name)}=${encodeURIComponent(value)}?q=cats`,
  mailHolder,
);

test('no planted secret is in the model, in its text or in what is made of it', () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(secretName, secretText, holder), { minLength: 1, maxLength: 8 }),
      (planted) => {
        const targets = planted.flatMap(([name, value, hold]) =>
          Array.from({ length: 3 }, () => hold(name, value)),
        );
        const requests = targets.map((target, index) => ({
          at: 1_796_000_000 + index,
          client: `c${index % 3}`,
          target,
        }));
        const table = tableOf(requests);
        const model = buildWorkload(table, { window: 'all' });
        const replay = replayRows(table, { window: 'all' });
        const shown = `${JSON.stringify(model)}\n${renderWorkload(model)}\n${renderRoutes(model)}\n${replay.targets.join('\n')}`;
        const spelt = `${shown}\n${decodedOf(decodedOf(decodedOf(shown.replaceAll('+', ' '))))}`;
        const kept = JSON.stringify(buildWorkload(table, { window: 'all', keepValues: true }).requestClasses);
        const keptSpelt = decodedOf(decodedOf(decodedOf(kept.replaceAll('+', ' '))));
        const texts = planted.map(([, value, hold]) =>
          hold === mailHolder ? `${lettersOf(value)}@` : value,
        );
        found += texts.filter((value) => keptSpelt.includes(value)).length;
        for (const value of texts) assert.ok(!spelt.includes(value), `${value} in ${targets.join(' ')}`);
      },
    ),
    { seed: 11, numRuns: 300 },
  );
  // So many would be seen if none was replaced.
  assert.ok(found > 500, `${found}`);
});

const decodedOf = (text: string): string => text.replace(/(?:%[\da-f]{2})+/gi, percentDecoded);

test('an example line of any format shows no secret, no user and no address', () => {
  const lines = [
    '10.0.0.7 - jane [30/Nov/2026:10:00:00 +0000] "GET /x?pwd=hunter2x HTTP/1.1" oops',
    'dsl-77.example.net - jane doe [30/Nov/2026:10:00:00 +0000] "GET /x?clientSecret=hunter2x HTTP/1.1" oops',
    '{"time":"x","remote_addr":"10.0.0.7","user":{"password":"hunter2x","email":"jane@example.com"}',
    'time:x\\x09host:10.0.0.7\\x09password:hunter2x\\x09status:200',
    'GET /x?mail=jane%40example.com&otp=hunter2x',
    'authorized eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.hunter2x',
  ];
  for (const line of lines)
    assert.doesNotMatch(cleanExample(line, false), /hunter2x|jane|10\.0\.0\.7|dsl-77/, line);
});

test('an example line shows no secret, wherever in a line of any form it stands', () => {
  const holders = [
    'garbage token=S password=S',
    '"\\x16 token=S',
    '"Cookie: PHPSESSID=S"',
    '"Authorization: Bearer S"',
    '{"headers":{"Authorization":["Bearer S"],"X-Api-Key":["S"],"S":1}',
    'S - - nothing',
    'S',
    '198.51.100.7 - S [30/Nov/2026:10:00:00 +0000] "GET /S/x?S HTTP/1.1" S "S" "S"',
    'time:S\\x09S:1',
    'at com.example.S(S.java:12)',
  ];
  const secrets = fc.oneof(
    fc.stringMatching(/^[a-z]{3}[a-zA-Z\d_-]{5,20}$/),
    fc.stringMatching(/^\d{6,19}$/).filter((digits) => /[1-9]/.test(digits)),
    fc.constantFrom('dsl-77.example.net', 'hunter2x', 'Jürgen Müller', '4111 1111 1111 1111', 'x=y:z9'),
  );
  fc.assert(
    fc.property(fc.constantFrom(...holders), secrets, (line, secret) => {
      const shown = cleanExample(
        line.replaceAll('S', () => secret),
        false,
      );
      assert.ok(!shown.includes(secret), shown);
    }),
    { seed: 13, numRuns: 1000, examples: holders.map((line) => [line, 'hunter2x']) },
  );
  assert.match(
    cleanExample('bad [30/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200', false),
    /^aaa \[30\/Nov\/2026:10:00:00 \+0000\] "GET \/a HTTP\/1\.1" 000$/,
  );
});

test('a parameter whose values are secrets never becomes part of a route, and a value of several segments is cleaned', () => {
  const requests = Array.from({ length: 200 }, (_, index) => ({
    at: 1_796_000_000 + index,
    target: `/door?pin_code=abc${index % 2 === 0 ? 'x' : 'y'}`,
    seconds: index % 2 === 0 ? 0.01 : 2,
  }));
  const files = { at: 1_796_000_300, target: '/files/a/jane@example.com/b' };
  const routes = [{ kind: 'route', route: '/files/[...path]' }] as const;
  const model = buildWorkload(tableOf([...requests, files]), { window: 'all', routes });
  assert.doesNotMatch(JSON.stringify(model), /abc[xy]|jane/);
  assert.ok(model.requestClasses.some(({ route }) => route === '/door'));
});

test('letters of any script are made up, and what is made up can be sent again', () => {
  const made = syntheticValue('Иванов-日本 é', 5);
  assert.match(made, /^\p{Lu}\p{Ll}{5}-\p{Lo}{2} \p{L}$/u);
  assert.doesNotMatch(made, /[Иванов日本é]{2}/u);
});
