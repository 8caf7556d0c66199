import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, parseEvents, ReceivedAnswer } from './answer.ts';
import { failedCheck } from './checks.ts';
import { composeRequest } from './compose-request.ts';
import { CookieJar } from './cookie-jar.ts';
import { csvFields } from './csv.ts';
import { feed } from './feed.ts';
import { valueAt } from './json-path.ts';
import { placeholderAnswer } from './placeholder-answer.ts';
import type { Checks, RequestOptions } from './request-options.ts';
import { routeName } from './route-name.ts';

const received = (body: string, fields: [string, string][] = [], status = 200): Answer =>
  new ReceivedAnswer('GET /', status, '', 0.01, { fields, body: () => new TextEncoder().encode(body) });

test('a path leads into JSON, and to nothing where there is nothing', () => {
  const value = { items: [{ id: 7, 'a.b': 1 }], empty: null };
  const cases: readonly [string, unknown][] = [
    ['items[0].id', 7],
    ['$.items[0].id', 7],
    ['items[0]["a.b"]', 1],
    ['items[1].id', undefined],
    ['empty', null],
    ['empty.more', undefined],
    ['items.toString', undefined],
  ];
  for (const [path, expected] of cases) assert.deepEqual(valueAt(value, path), expected, path);
  assert.throws(() => valueAt(value, 'items[x]'), /no path into JSON/);
});

test('an answer is read as JSON, text, header, pattern and events, and says what it lacks', () => {
  const answer = received('{"token":"t-1"}', [
    ['Set-Cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ]);
  assert.equal(answer.json('token'), 't-1');
  assert.equal(answer.header('SET-COOKIE'), 'a=1, b=2');
  assert.equal(answer.match(/"(t-\d)"/g), 't-1');
  assert.throws(() => answer.json('id'), /GET \/: the answer holds nothing at id/);
  assert.throws(() => received('<html>').json(), /is no JSON: "<html>"/);
  assert.deepEqual(parseEvents('event: a\ndata: 1\ndata: 2\n\n:ping\n\nid: 9\r\ndata:x\r\n\r\ndata: cut'), [
    { event: 'a', data: '1\n2' },
    { event: 'message', data: 'x', id: '9' },
  ]);
});

test('every kind of check passes and fails by its rule', () => {
  const answer = received('{"id":7,"list":[1,{"b":2,"a":1}]}', [
    ['Content-Type', 'application/json; charset=utf-8'],
  ]);
  const cases: readonly [Checks, string | undefined][] = [
    [{ status: 200 }, undefined],
    [{ status: [201, 204] }, 'status 201|204'],
    [{ json: { id: 7, list: [1, { a: 1, b: 2 }] } }, undefined],
    [{ json: { id: '7' } }, 'json id'],
    [{ json: { nothing: 1 } }, 'json nothing'],
    [{ header: { 'content-type': /json/ } }, undefined],
    [{ header: { 'content-type': 'application/json' } }, 'header content-type'],
    [{ size: { max: 10 } }, 'size'],
    [{ text: '"id":7' }, undefined],
    [{ text: /^x/ }, 'text'],
    [{ that: { 'is seven': (seen) => seen.json('id') === 7 } }, undefined],
    [{ that: { throws: () => JSON.parse('x') as boolean } }, 'throws'],
  ];
  for (const [checks, expected] of cases)
    assert.equal(failedCheck(checks, answer, { checked: () => {} }), expected);
});

test('a pattern with a memory finds the same each time', () => {
  const checks: Checks = { text: /a/g };
  for (let i = 0; i < 3; i += 1)
    assert.equal(failedCheck(checks, received('ba'), { checked: () => {} }), undefined);
});

test('requests go to paths of the service and nowhere else', () => {
  const compose = (target: string, options: RequestOptions = {}) =>
    composeRequest(target, options, 'http://127.0.0.1:8080');
  assert.equal(compose('/a?x=1#top').target, '/a?x=1');
  assert.equal(compose('http://127.0.0.1:8080/b?y').target, '/b?y');
  assert.equal(compose('/s', { query: { q: 'a b&c', n: 1 } }).target, '/s?q=a+b%26c&n=1');
  for (const target of [
    'http://127.0.0.1:9090/',
    '//example.org/',
    'https://127.0.0.1:8080/',
    'books',
    '\\\\x',
  ])
    assert.throws(() => compose(target), { code: 'url-not-yours' }, target);
});

test('bodies bring their type, which a header of the request overrules', () => {
  const compose = (options: RequestOptions) => composeRequest('/', options, 'http://h');
  assert.deepEqual(compose({ json: { a: 1 } }), {
    target: '/',
    headers: { 'Content-Type': 'application/json' },
    body: '{"a":1}',
  });
  assert.equal(compose({ form: { a: 'x y' } }).body, 'a=x+y');
  assert.deepEqual(compose({ json: 1, headers: { 'content-type': 'application/graphql' } }).headers, {
    'content-type': 'application/graphql',
  });
  const file = compose({ multipart: { note: 'hi', file: { filename: 'a".txt', content: 'body' } } });
  const text = new TextDecoder().decode(file.body as Uint8Array);
  const boundary = /boundary=(.+)$/.exec(file.headers['Content-Type']!)![1]!;
  assert.equal(text.split(`--${boundary}`).length, 4);
  assert.match(
    text,
    /name="file"; filename="a%22.txt"\r\nContent-Type: application\/octet-stream\r\n\r\nbody\r\n/,
  );
});

test('options that are none, and two bodies, are refused with the one that may be meant', () => {
  const compose = (options: object) => () => composeRequest('/', options, 'http://h');
  assert.throws(compose({ heders: {} }), /no option "heders"; did you mean "headers"\?/);
  assert.throws(compose({ check: { statsu: 200 } }), /no check "statsu"; did you mean "status"\?/);
  assert.throws(compose({ json: 1, body: 'x' }), /one body/);
});

test('values that are not of their kind are refused, not sent as text', () => {
  const wrong: readonly [object, RegExp][] = [
    [{ name: 5 }, /name is 5, not text/],
    [{ headers: { a: undefined } }, /headers\.a is undefined/],
    [{ headers: [['a', 'b']] }, /headers holds values by name, and is a list/],
    [{ query: { q: undefined } }, /query\.q is undefined/],
    [{ query: { q: [1] } }, /query\.q is a list/],
    [{ form: { f: null } }, /form\.f is null/],
    [{ multipart: { f: { filename: 'a', content: 5 } } }, /multipart\.f is an object/],
    [{ multipart: { f: { file: 'a', content: '' } } }, /multipart\.f is an object/],
    [{ body: { a: 1 } }, /body is an object, not text or octets/],
    [{ json: () => 1 }, /json is a function, which is nothing in JSON/],
    [{ json: 5n }, /json cannot be written as JSON/],
    [{ check: () => true }, /check is an object/],
    [{ check: { status: '200' } }, /check\.status is "200"/],
    [{ check: { status: [] } }, /check\.status is a list/],
    [{ check: { json: { 'items[x]': 1 } } }, /no path into JSON/],
    [{ check: { header: { a: 5 } } }, /check\.header\.a is 5/],
    [{ check: { size: 5 } }, /check\.size holds values by name/],
    [{ check: { size: { maximum: 5 } } }, /min and max, no "maximum"/],
    [{ check: { text: 5 } }, /check\.text is 5/],
    [{ check: { that: { a: true } } }, /check\.that\.a is true/],
  ];
  for (const [options, message] of wrong)
    assert.throws(() => composeRequest('/', options, 'http://h'), { code: 'scenario-invalid', message });
  assert.throws(
    () => composeRequest('/', null as never, 'http://h'),
    /options of a request are an object, not null/,
  );
});

test('what a made-up answer holds may stand wherever a value can', () => {
  const answer = placeholderAnswer({});
  const token = answer.json<string>('token');
  const sent = composeRequest(
    '/',
    {
      name: token,
      headers: { a: token },
      query: { q: token },
      body: token,
      check: { status: token as never, json: { id: token }, text: token, header: { a: token } },
    },
    'http://h',
  );
  assert.equal(sent.target, '/?q=%7Btoken%7D');
  assert.equal(sent.body, '{token}');
  assert.equal(composeRequest('/', { form: { f: token } }, 'http://h').body, 'f=%7Btoken%7D');
});

test('a feed with a wrong path, option or order is refused where it is made', () => {
  const wrong: readonly [readonly unknown[], RegExp][] = [
    [[], /feed: undefined is no path/],
    [['a.csv', { ordr: 'unique' }], /no option "ordr"; did you mean "order"/],
    [['a.csv', { order: 'uniqe' }], /no order "uniqe"; did you mean "unique"/],
    [['a.csv', 'unique'], /its options are an object, not "unique"/],
  ];
  for (const [given, message] of wrong)
    assert.throws(() => feed(...(given as Parameters<typeof feed>)), { code: 'scenario-invalid', message });
});

test('cookies go back to the paths they are for, until they expire', () => {
  const jar = new CookieJar();
  jar.set('sid=1; Path=/; HttpOnly', '/login', 0);
  jar.set('cart=a=b; Path=/shop', '/login', 0);
  jar.set('folder=1', '/x/y', 0);
  jar.set('short=1; Max-Age=10; Path=/', '/', 0);
  jar.set('no cookie', '/', 0);
  assert.equal(jar.header('/shop/1?q', 5), 'cart=a=b; sid=1; short=1');
  assert.equal(jar.header('/shopping', 5), 'sid=1; short=1');
  assert.equal(jar.header('/x/z', 20), 'folder=1; sid=1');
  jar.set('sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT', '/', 20);
  assert.equal(jar.header('/', 20), undefined);
});

test('CSV fields follow RFC 4180', () => {
  const cases: readonly [string, readonly string[]][] = [
    ['a,b', ['a', 'b']],
    ['"a,1",b', ['a,1', 'b']],
    ['"say ""x""",', ['say "x"', '']],
    ['"two\nlines",c', ['two\nlines', 'c']],
    ['', ['']],
  ];
  for (const [record, fields] of cases) assert.deepEqual(csvFields(record), fields);
  assert.throws(() => csvFields('"open'), /never closed/);
  assert.throws(() => csvFields('"a"b'), /follows a closing quote/);
});

test('numbers and ids in a path are one route', () => {
  assert.equal(routeName('/users/42/posts?page=2'), '/users/[id]/posts');
  assert.equal(routeName('/o/0b54e3c4-6a5e-4b7e-9f0c-1f2d3c4b5a69'), '/o/[id]');
  assert.equal(routeName('/v1/books/decade'), '/v1/books/decade');
});

test('a made-up answer shows what would stand where', () => {
  const answer = placeholderAnswer({ check: { status: 201 } });
  const body = answer.json<{ user: { id: string }; list: string[] }>();
  assert.equal(answer.status, 201);
  assert.equal(`token=${answer.json<string>('$.token')}`, 'token={token}');
  assert.equal(`/users/${body.user.id}`, '/users/{json.user.id}');
  assert.equal(JSON.stringify({ first: [...body.list][0] }), '{"first":"{json.list[0]}"}');
  assert.equal(placeholderAnswer({ example: { token: 'x' } }).json('token'), 'x');
});
