import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShiploadError } from '../../errors.ts';
import { importCurl } from './curl.ts';
import type { ImportedRequest } from './imported-load.ts';

function requestsOf(text: string, files: Readonly<Record<string, string>> = {}): readonly ImportedRequest[] {
  const { journeys } = importCurl(text, 'calls.sh', { readFile: (path) => files[path] });
  return journeys[0]!.groups[0]!.steps.flatMap((step) => (step.kind === 'request' ? [step.request] : []));
}

const only = (text: string, files?: Readonly<Record<string, string>>): ImportedRequest => {
  const requests = requestsOf(text, files);
  assert.equal(requests.length, 1);
  return requests[0]!;
};

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const FILES = { 'body.json': '{"a":\n1}\n', 'note.txt': 'hello' };

/** What curl(1) says that it sends. */
const CASES: readonly [string, Partial<ImportedRequest>][] = [
  ['curl http://a.test/x', { method: 'GET', target: '/x', headers: {} }],
  ['curl a.test:81', { method: 'GET', target: '/' }],
  [
    "curl -X PATCH http://a.test/ -d 'q=1' -d r=2",
    { method: 'PATCH', headers: FORM, body: { kind: 'text', text: 'q=1&r=2' } },
  ],
  ['curl -XDELETE http://a.test/7', { method: 'DELETE', target: '/7' }],
  ['curl -sSLkI http://a.test/', { method: 'HEAD' }],
  ['curl http://a.test/ --data @body.json', { method: 'POST', body: { kind: 'text', text: '{"a":1}' } }],
  ['curl http://a.test/ --data-binary @body.json', { body: { kind: 'text', text: '{"a":\n1}\n' } }],
  ["curl http://a.test/ --data-raw '@body.json'", { body: { kind: 'text', text: '@body.json' } }],
  [
    'curl http://a.test/ --json \'{"a":[1]}\'',
    { method: 'POST', headers: { Accept: 'application/json' }, body: { kind: 'json', value: { a: [1] } } },
  ],
  [
    "curl -G 'http://a.test/s?x=1' -d q=a --data-urlencode 'n=b c&d'",
    { method: 'GET', target: '/s?x=1&q=a&n=b%20c%26d' },
  ],
  ["curl http://a.test/s --url-query 'q=ä'", { method: 'GET', target: '/s?q=%C3%A4' }],
  [
    "curl http://a.test/ -F 'title=A b' -F 'file=@note.txt;type=text/plain;filename=n.txt' -F 'text=<note.txt'",
    {
      method: 'POST',
      headers: {},
      body: {
        kind: 'multipart',
        parts: [
          { name: 'title', value: 'A b' },
          { name: 'file', filename: 'n.txt', content: 'hello', type: 'text/plain' },
          { name: 'text', value: 'hello' },
        ],
      },
    },
  ],
  ['curl -T note.txt http://a.test/put', { method: 'PUT', body: { kind: 'text', text: 'hello' } }],
  [
    "curl http://a.test/ -H 'accept: text/css' -H 'X-Empty;' -H 'Host: b' -A me",
    { headers: { Accept: 'text/css' } },
  ],
  ['curl -o /dev/null -w "%{http_code}" -m 5 --retry 3 http://a.test/z', { method: 'GET', target: '/z' }],
];

for (const [command, expected] of CASES)
  test(`curl: ${command}`, () => {
    const request = only(command, FILES);
    for (const [name, value] of Object.entries(expected))
      assert.deepEqual(request[name as keyof ImportedRequest], value, name);
  });

test('curl: credentials are named, never written: -u, a user in the url, a bearer token, cookies, a key in the query', () => {
  const text = `
    curl -u ada:s3cret http://a.test/1
    curl http://bob:hunter2@a.test/2 -b 'sid=abc; theme=dark'
    curl --oauth2-bearer tok-1 'http://a.test/3?api_key=k-123&page=2'
    curl http://a.test/4 -d 'user=ada&password=pw%201'`;
  const imported = importCurl(text, 'calls.sh');
  assert.doesNotMatch(JSON.stringify(imported), /s3cret|hunter2|sid=abc|tok-1|k-123|pw|YWRhOnMzY3JldA/);
  assert.deepEqual(
    imported.secrets.map(({ variable }) => variable),
    ['BASIC_TOKEN', 'BASIC_TOKEN_2', 'COOKIE', 'API_KEY', 'BEARER_TOKEN', 'PASSWORD'],
  );
  const [, , third, fourth] = requestsOf(text);
  assert.deepEqual(third!.target, ['/3?api_key=', { variable: 'API_KEY', encoded: true }, '&page=2']);
  assert.deepEqual(fourth!.body, {
    kind: 'text',
    text: ['user=ada&password=', { variable: 'PASSWORD', encoded: true }],
  });
});

test('curl: what is not taken over is listed: other hosts, other commands, options, files, globs, variables', () => {
  const { notes, summary } = importCurl(
    `export X=1
$ curl http://a.test/1 --digest --frobnicate
curl http://b.test/2
curl "http://a.test/\${ID}" -d @missing.json
curl 'http://a.test/[1-3]'
curl -L`,
    'calls.sh',
  );
  assert.match(summary, /1 request of curl commands to a\.test/);
  for (const pattern of [
    /variables are not filled in: line 4/,
    /line 1: "export" is no curl command/,
    /line 2: --digest changes what curl sends/,
    /line 2: curl's option --frobnicate is not known/,
    /line 3: goes to b\.test/,
    /line 4: the file missing\.json is not to be had/,
    /line 4: "http:\/\/a\.test\/\$\{ID\}" holds a shell variable/,
    /line 5: "http:\/\/a\.test\/\[1-3\]" is no single http url/,
    /line 6: the command names no URL/,
  ])
    assert.ok(
      notes.some((note) => pattern.test(note)),
      `${pattern} in ${notes.join('\n')}`,
    );
});

test('curl: one command with several URLs, and with --next', () => {
  const lines = requestsOf(
    'curl http://a.test/1 http://a.test/2 -H "X-Api-Version: 2" --next -d x http://a.test/3',
  ).map(
    ({ method, target, headers }) => `${method} ${JSON.stringify(target)} ${Object.keys(headers).join()}`,
  );
  assert.deepEqual(lines, ['GET "/1" X-Api-Version', 'GET "/2" X-Api-Version', 'POST "/3" Content-Type']);
});

test('curl: a file without a command that can be taken over is refused with its place', () => {
  const refused = (text: string): ShiploadError => {
    try {
      importCurl(text, 'calls.sh');
    } catch (error) {
      assert.ok(error instanceof ShiploadError);
      return error;
    }
    throw new Error('was taken');
  };
  assert.equal(refused("curl 'http://a.test/").where, 'calls.sh:1');
  assert.match(refused('curl ftp://a.test/').hint ?? '', /no single http url/);
});
