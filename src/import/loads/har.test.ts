import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importHar } from './har.ts';
import type { ImportedLoad, ImportedRequest } from './imported-load.ts';
import { scenarioText } from './scenario-text.ts';

interface Sent {
  readonly at: number;
  readonly ms?: number;
  readonly page?: string;
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly postData?: object;
  readonly status?: number;
  readonly type?: string;
  readonly answer?: string;
  readonly setCookie?: string;
  readonly more?: object;
}

const fields = (record: Readonly<Record<string, string>> = {}) =>
  Object.entries(record).map(([name, value]) => ({ name, value }));

const archiveOf = (sent: readonly Sent[], pages: readonly string[] = []): string =>
  JSON.stringify({
    log: {
      pages: pages.map((title) => ({ id: title, title })),
      entries: sent.map((one) => ({
        startedDateTime: new Date(Date.UTC(2026, 0, 1) + one.at * 1000).toISOString(),
        time: one.ms ?? 10,
        ...(one.page !== undefined && { pageref: one.page }),
        request: {
          method: one.method ?? 'GET',
          url: one.url,
          headers: fields(one.headers),
          ...(one.postData !== undefined && { postData: one.postData }),
        },
        response: {
          status: one.status ?? 200,
          headers: one.setCookie === undefined ? [] : fields({ 'Set-Cookie': one.setCookie }),
          content: { mimeType: one.type ?? 'application/json', text: one.answer ?? '' },
        },
        ...one.more,
      })),
    },
  });

const requestsOf = ({ journeys }: ImportedLoad): readonly ImportedRequest[] =>
  journeys[0]!.groups.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === 'request' ? [step.request] : [])),
  );

const pausesOf = ({ journeys }: ImportedLoad): readonly string[] =>
  journeys[0]!.groups.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === 'pause' ? [step.time] : [])),
  );

const A = 'https://a.test';

test('pages are groups; think time is the quiet before a page, and within one where somebody waits', () => {
  const imported = importHar(
    archiveOf(
      [
        { at: 0, ms: 200, page: 'One', url: `${A}/`, type: 'text/html' },
        // Still loading when its own call is answered: the page is quiet from 1.2 s on.
        { at: 0.1, ms: 1100, page: 'One', url: `${A}/big.png`, type: 'image/png' },
        { at: 0.3, ms: 100, page: 'One', url: `${A}/api/1` },
        { at: 3.2, ms: 50, page: 'One', url: `${A}/api/2` },
        { at: 3.4, ms: 50, page: 'One', url: `${A}/api/3` },
        { at: 4, ms: 50, page: 'Two', url: `${A}/two`, type: 'text/html' },
      ],
      ['One', 'Two'],
    ),
    'a.har',
  );
  assert.deepEqual(
    imported.journeys[0]!.groups.map(({ name, steps }) => [name, steps.map(({ kind }) => kind).join(' ')]),
    [
      ['One', 'request request pause request request'],
      [undefined, 'pause'],
      ['Two', 'request'],
    ],
  );
  assert.deepEqual(pausesOf(imported), ['2000ms', '550ms']);
  assert.match(
    imported.summary,
    /5 requests on 2 pages, 1 static file apart \(16\.7 % of its requests\), 2\.55 s of think time/,
  );
});

test('headers that decide what is answered are kept, those of the browser are not', () => {
  const [request] = requestsOf(
    importHar(
      archiveOf([
        {
          at: 0,
          method: 'POST',
          url: `${A}/graphql`,
          headers: {
            ':authority': 'a.test',
            host: 'a.test',
            'content-type': 'application/json; charset=utf-8',
            'content-length': '9',
            accept: 'application/graphql',
            'accept-encoding': 'br',
            'sec-fetch-mode': 'cors',
            'if-none-match': '"x"',
            referer: `${A}/?token=leak`,
            'x-requested-with': 'XMLHttpRequest',
            'apollo-client': 'web',
          },
          postData: {
            mimeType: 'application/json',
            text: '{"operationName":"GetBook","variables":{"id":7}}',
          },
        },
      ]),
      'a.har',
    ),
  );
  assert.deepEqual(request, {
    method: 'POST',
    target: '/graphql',
    name: '/graphql:GetBook',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      Accept: 'application/graphql',
      'X-Requested-With': 'XMLHttpRequest',
      'Apollo-Client': 'web',
    },
    body: { kind: 'json', value: { operationName: 'GetBook', variables: { id: 7 } } },
  });
});

test('the type of a body is sent where only the body says it', () => {
  const [request] = requestsOf(
    importHar(
      archiveOf([
        { at: 0, method: 'POST', url: `${A}/xml`, postData: { mimeType: 'text/xml', text: '<a/>' } },
      ]),
      'a.har',
    ),
  );
  assert.deepEqual(request!.headers, { 'Content-Type': 'text/xml' });
});

test('no secret of an archive is written: headers, cookies, queries, paths, forms, JSON; equal ones share a name', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  const secrets = ['sid-77', 'tok-88', 'key-99', 'pass-11', 'ada@mail.example', jwt, 'csrf-22', 'card-4111'];
  const text = archiveOf([
    { at: 0, url: `${A}/?api_key=key-99&q=x`, headers: { Cookie: 'sid=sid-77', 'X-CSRF-Token': 'csrf-22' } },
    { at: 1, url: `${A}/verify/${jwt}`, headers: { Authorization: 'Bearer tok-88' } },
    {
      at: 2,
      method: 'POST',
      url: `${A}/form`,
      postData: {
        mimeType: 'application/x-www-form-urlencoded',
        text: 'password=pass-11&email=ada%40mail.example',
      },
    },
    {
      at: 3,
      method: 'POST',
      url: `${A}/json`,
      headers: { Authorization: 'Bearer tok-88' },
      postData: {
        mimeType: 'application/json',
        text: '{ "password": "pass-11", "deep": [{"accessToken":"tok-88"}] }',
      },
    },
    {
      at: 4,
      method: 'POST',
      url: `${A}/xml`,
      postData: { mimeType: 'text/xml', text: '<a><password>pass-11</password><b>1</b></a>' },
    },
    {
      at: 5,
      method: 'POST',
      url: `${A}/parts`,
      postData: {
        mimeType: 'multipart/form-data',
        params: [
          { name: 'card', value: 'card-4111' },
          { name: 'file', fileName: 'a.png' },
        ],
      },
    },
  ]);
  const imported = importHar(text, 'a.har');
  const written = scenarioText(imported, 'a.har');
  for (const secret of secrets) assert.ok(!written.includes(secret), secret);
  assert.deepEqual(
    imported.secrets.map(({ variable }) => variable),
    ['COOKIE', 'API_KEY', 'X_CSRF_TOKEN', 'PATH_VALUE', 'BEARER_TOKEN', 'PASSWORD', 'EMAIL', 'CARD'],
  );
  assert.ok(imported.notes.some((note) => /does not hold the file a\.png/.test(note)));
});

test('a token that an answer brought is taken from that answer, and cookies that answers set need no variable', () => {
  const imported = importHar(
    archiveOf([
      {
        at: 0,
        method: 'POST',
        url: `${A}/login`,
        answer: '{"data":{"access_token":"0123456789abcdef"},"list":[{"csrf":"fedcba9876543210"}]}',
        setCookie: 'sid=1; Path=/',
      },
      {
        at: 1,
        url: `${A}/me?csrf=fedcba9876543210`,
        headers: { authorization: 'Bearer 0123456789abcdef', cookie: 'sid=1' },
      },
    ]),
    'a.har',
  );
  const [login, me] = requestsOf(imported);
  assert.deepEqual(login!.keeps, [
    { name: 'csrfKept', path: 'list[0].csrf' },
    { name: 'accessTokenKept', path: 'data.access_token' },
  ]);
  assert.deepEqual(me!.headers['Authorization'], ['Bearer ', { kept: 'accessTokenKept' }]);
  assert.deepEqual([imported.secrets, imported.headers], [[], undefined]);
});

test('what is left out is counted: other hosts, the browser’s cache, what had no answer, what is no HTTP', () => {
  const imported = importHar(
    archiveOf([
      { at: 0, url: 'https://ads.test/x', type: 'text/plain' },
      { at: 1, url: `${A}/`, type: 'text/html' },
      { at: 2, url: `${A}/cached`, more: { _fromCache: 'disk' } },
      { at: 3, url: `${A}/gone`, status: 0 },
      { at: 4, url: 'data:text/plain,x' },
      { at: 5, url: 'wss://a.test/socket' },
      { at: 6, url: `${A}/missing`, status: 404 },
      { at: 7, method: 'PROPFIND', url: `${A}/dav` },
    ]),
    'a.har',
  );
  assert.deepEqual(imported.notes, [
    'Requests to other hosts are left out: ads.test (1).',
    "1 request that the browser's cache answered: left out.",
    '1 request without an answer: left out.',
    '2 entries not over HTTP: left out.',
    'PROPFIND /dav: left out, scenarios do not send PROPFIND.',
  ]);
  assert.deepEqual(
    requestsOf(imported).map(({ target, status }) => [target, status]),
    [
      ['/', undefined],
      ['/missing', 404],
    ],
  );
});

test('of several hosts the one that the load goes to is kept; an archive without any is refused', () => {
  const text = archiveOf([
    { at: 0, url: `${A}/`, type: 'text/html' },
    { at: 1, url: 'http://127.0.0.1:8080/api' },
  ]);
  assert.deepEqual(
    requestsOf(importHar(text, 'a.har', 'http://127.0.0.1:8080')).map(({ target }) => target),
    ['/api'],
  );
  assert.deepEqual(
    requestsOf(importHar(text, 'a.har', 'http://127.0.0.1:9')).map(({ target }) => target),
    ['/'],
  );
  assert.throws(() => importHar(archiveOf([]), 'a.har'), { code: 'import-invalid', where: 'a.har' });
  assert.throws(() => importHar('{"log":{}}', 'a.har'), { code: 'log-format-unknown' });
});

test('a body beyond a mebibyte is left out and said', () => {
  const imported = importHar(
    archiveOf([
      {
        at: 0,
        method: 'POST',
        url: `${A}/`,
        postData: { mimeType: 'text/plain', text: 'x'.repeat((1 << 20) + 1) },
      },
    ]),
    'a.har',
  );
  assert.equal(requestsOf(imported)[0]!.body, undefined);
  assert.match(imported.notes[0]!, /1048577 characters is too long/);
});
