import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importOpenApi } from './openapi.ts';
import { ApiDocument } from './openapi-document.ts';
import { valueOfSchema } from './openapi-values.ts';
import type { ImportedRequest } from './imported-load.ts';

const LETTERS = 'abcdefgh'.split('');

const documentOf = (paths: object, more: object = {}): string =>
  JSON.stringify({ openapi: '3.0.3', info: { title: 'Shop', version: '1' }, paths, ...more });

const read = (paths: object, more: object = {}) => {
  const imported = importOpenApi(documentOf(paths, more), 'api.json');
  const requests = imported.journeys.map(({ groups }) => {
    const [step] = groups[0]!.steps;
    return step!.kind === 'request' ? step!.request : undefined;
  }) as readonly ImportedRequest[];
  return { imported, requests };
};

test('values of schemas: told ones first, else the same made-up one by type, format and bounds', () => {
  const document = new ApiDocument({
    components: {
      schemas: {
        Color: { enum: ['red', 'blue'] },
        Base: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
      },
    },
  });
  const cases: readonly [object, unknown][] = [
    [{ type: 'string', example: 'e', default: 'd' }, 'e'],
    [{ type: 'string', examples: ['x', 'y'] }, 'x'],
    [{ const: 5 }, 5],
    [{ type: 'string', default: 'd', enum: ['a'] }, 'd'],
    [{ $ref: '#/components/schemas/Color' }, 'red'],
    [{ type: 'integer' }, 1],
    [{ type: 'integer', minimum: 5 }, 5],
    [{ type: 'integer', maximum: -3 }, -3],
    [{ type: 'integer', minimum: 5, exclusiveMinimum: true }, 6],
    [{ type: 'integer', exclusiveMinimum: 5 }, 6],
    [{ type: 'integer', minimum: 5, multipleOf: 4 }, 8],
    [{ type: 'number', minimum: 0.5, maximum: 0.75 }, 0.75],
    [{ type: 'string' }, 'example'],
    [{ type: 'string', minLength: 9 }, 'exampleex'],
    [{ type: 'string', maxLength: 2 }, 'ex'],
    [{ type: 'string', format: 'date-time' }, '2026-01-15T12:00:00Z'],
    [{ type: 'boolean' }, true],
    [{ type: ['null', 'string'] }, 'example'],
    [{ type: 'array', items: { type: 'integer' }, minItems: 3 }, [1, 1, 1]],
    [
      { properties: { a: { type: 'string' }, b: { type: 'integer', example: 2 } }, required: ['a'] },
      { a: 'example', b: 2 },
    ],
    [{ type: 'object', required: ['a'], properties: { a: { type: 'string', readOnly: true } } }, {}],
    [
      {
        allOf: [
          { $ref: '#/components/schemas/Base' },
          { required: ['n'], properties: { n: { type: 'string' } } },
        ],
      },
      { id: 1, n: 'example' },
    ],
    [{ oneOf: [{ type: 'null' }, { type: 'integer', minimum: 3 }] }, 3],
  ];
  for (const [schema, expected] of cases)
    assert.deepEqual(
      valueOfSchema(schema, document, () => {}),
      expected,
      JSON.stringify(schema),
    );
});

test('schemas that refer to themselves, straight or in a ring, come to an end at once', () => {
  const schemas = {
    Node: {
      type: 'object',
      required: ['name', 'next', 'all'],
      properties: {
        name: { type: 'string' },
        next: { $ref: '#/components/schemas/Node' },
        all: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      },
    },
    A: { $ref: '#/components/schemas/B' },
    B: { $ref: '#/components/schemas/A' },
    All: { allOf: [{ $ref: '#/components/schemas/All' }] },
    Wide: {
      type: 'object',
      required: LETTERS,
      properties: Object.fromEntries(
        LETTERS.map((key) => [key, { oneOf: [{ allOf: [{ $ref: '#/components/schemas/Wide2' }] }] }]),
      ),
    },
    Wide2: {
      type: 'object',
      required: LETTERS,
      properties: Object.fromEntries(LETTERS.map((key) => [key, { $ref: '#/components/schemas/Wide' }])),
    },
  };
  const document = new ApiDocument({ components: { schemas } });
  const valueOf = (name: string): unknown =>
    valueOfSchema({ $ref: `#/components/schemas/${name}` }, document, () => {});
  assert.deepEqual(valueOf('Node'), { name: 'example', next: {}, all: [{}] });
  assert.equal(valueOf('A'), null);
  valueOf('All');
  assert.ok(JSON.stringify(valueOf('Wide')).length < 100_000);
});

test('parameters: required ones and those with an example, an operation’s own before its path’s', () => {
  const { requests, imported } = read(
    {
      '/shops/{shop}/books/{id}': {
        parameters: [
          { name: 'shop', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'lang', in: 'query', required: true, schema: { type: 'string', default: 'en' } },
        ],
        get: {
          operationId: 'getBook',
          parameters: [
            { name: 'id', in: 'path', required: true, example: 'a b/c' },
            { name: 'lang', in: 'query', required: true, example: 'de' },
            { name: 'page', in: 'query', schema: { type: 'integer' } },
            { name: 'tag', in: 'query', example: ['x', 'y'] },
            { name: 'ids', in: 'query', explode: false, example: [1, 2] },
            { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'string', enum: ['t1'] } },
            { name: 'Authorization', in: 'header', required: true, example: 'never' },
            { name: 'seen', in: 'cookie', required: true, example: 1 },
            { name: 'X-Ids', in: 'header', required: true, example: [1, 2] },
            { name: 'filter', in: 'query', style: 'deepObject', example: { min: 1 } },
          ],
        },
      },
    },
    { servers: [{ url: 'https://{region}.api.test/{base}/', variables: { base: { default: 'v2' } } }] },
  );
  assert.deepEqual(requests, [
    {
      method: 'GET',
      target: '/v2/shops/example/books/a%20b%2Fc?lang=de&tag=x&tag=y&ids=1,2&filter%5Bmin%5D=1',
      name: '/v2/shops/[shop]/books/[id]',
      headers: { 'X-Tenant': 't1', 'X-Ids': '1,2', Cookie: 'seen=1' },
    },
  ]);
  assert.deepEqual(imported.notes, [
    'Made up, since the document has no example: shop (path) of GET /shops/{shop}/books/{id}.',
  ]);
});

test('bodies by content type: JSON, a form, a form with parts, text; examples before schemas', () => {
  const body = (content: object) => ({ post: { requestBody: { content } } });
  const { requests } = read({
    '/json': body({ 'text/plain': {}, 'application/json': { examples: { a: { value: { x: 1 } } } } }),
    '/hal': body({ 'application/hal+json': { schema: { example: { y: 2 } } } }),
    '/form': body({ 'application/x-www-form-urlencoded': { example: { a: 'b c', d: 1 } } }),
    '/parts': body({ 'multipart/form-data': { example: { a: 'b' } } }),
    '/lists': body({ 'application/x-www-form-urlencoded': { example: { a: [1, 2] } } }),
    '/files': body({
      'multipart/form-data': {
        schema: {
          properties: {
            title: { type: 'string', example: 't' },
            cover: { type: 'string', format: 'binary', example: 'octets' },
            pages: { type: 'array', items: { type: 'string', format: 'binary' }, example: ['p'] },
            notes: { type: 'string', contentMediaType: 'text/plain', example: 'n' },
          },
        },
      },
    }),
    '/text': body({ 'text/csv': { example: 'a,b' } }),
  });
  assert.deepEqual(
    requests.map(({ headers, body }) => [headers, body]),
    [
      [{}, { kind: 'json', value: { x: 1 } }],
      [{ 'Content-Type': 'application/hal+json' }, { kind: 'json', value: { y: 2 } }],
      [{ 'Content-Type': 'application/x-www-form-urlencoded' }, { kind: 'text', text: 'a=b+c&d=1' }],
      [{}, { kind: 'multipart', parts: [{ name: 'a', value: 'b' }] }],
      [{ 'Content-Type': 'application/x-www-form-urlencoded' }, { kind: 'text', text: 'a=1&a=2' }],
      [
        {},
        {
          kind: 'multipart',
          parts: [
            { name: 'title', value: 't' },
            { name: 'cover', filename: 'cover', content: 'octets' },
            { name: 'pages', filename: 'pages', content: 'p' },
            { name: 'notes', filename: 'notes', content: 'n' },
          ],
        },
      ],
      [{ 'Content-Type': 'text/csv' }, { kind: 'text', text: 'a,b' }],
    ],
  );
});

test('security schemes become variables of their names; none where an operation asks for none', () => {
  const securitySchemes = {
    main: { type: 'http', scheme: 'bearer' },
    'api-key': { type: 'apiKey', in: 'query', name: 'key' },
    api_key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    session: { type: 'apiKey', in: 'cookie', name: 'sid' },
    flow: { type: 'oauth2', flows: {} },
    odd: { type: 'mutualTLS' },
  };
  const { requests, imported } = read(
    {
      '/a': { get: {} },
      '/b': { get: { security: [] }, put: { security: [{}, { main: [] }] } },
      '/c': { get: { security: [{ 'api-key': [], api_key: [], session: [] }] } },
      '/d': { get: { security: [{ flow: [] }] }, put: { security: [{ odd: [] }] } },
    },
    { security: [{ main: [] }], components: { securitySchemes } },
  );
  assert.deepEqual(
    requests.map(({ target, headers }) => [target, headers]),
    [
      ['/a', { Authorization: ['Bearer ', { variable: 'MAIN' }] }],
      ['/b', {}],
      ['/b', {}],
      [
        ['/c?key=', { variable: 'API_KEY', encoded: true }],
        { 'X-Key': [{ variable: 'API_KEY_2' }], Cookie: ['sid=', { variable: 'SESSION' }] },
      ],
      ['/d', { Authorization: ['Bearer ', { variable: 'FLOW' }] }],
      ['/d', {}],
    ],
  );
  assert.deepEqual(
    imported.secrets.map(({ variable }) => variable),
    ['MAIN', 'API_KEY', 'API_KEY_2', 'SESSION', 'FLOW'],
  );
  assert.ok(imported.notes.includes('PUT /d: the security scheme odd is not known.'));
});

test('YAML and JSON say the same; faults are said with line and column, Swagger 2 and empty documents by name', () => {
  const yaml =
    'openapi: 3.1.0\npaths:\n  /a:\n    get: &op\n      operationId: a\n  /b:\n    get:\n      <<: *op\n';
  assert.deepEqual(
    importOpenApi(yaml, 'a.yaml').journeys.map(({ name }) => name),
    ['a', 'a (2)'],
  );
  assert.throws(() => importOpenApi('openapi: 3.1.0\npaths:\n  /a: [\n', 'a.yaml'), {
    where: 'a.yaml:4:1',
    code: 'import-invalid',
  });
  assert.throws(() => importOpenApi('{"openapi":"3.0.0","paths":{},}', 'a.json'), { code: 'import-invalid' });
  assert.throws(() => importOpenApi('swagger: "2.0"\n', 'a.yaml'), /Swagger 2\.0/);
  assert.throws(() => importOpenApi(documentOf({}), 'a.json'), /no operation/);
  const bomb = `openapi: 3.0.0\na: &a [x,x,x,x,x,x,x,x,x]\n${LETTERS.slice(1)
    .map((name, i) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${LETTERS[i]}`).join(',')}]`)
    .join('\n')}\npaths: {/a: {get: {}}}\n`;
  assert.throws(() => importOpenApi(bomb, 'a.yaml'), { code: 'import-invalid' });
});

test('members named __proto__ are members', () => {
  const text =
    '{"openapi":"3.0.0","paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"example":{"__proto__":{"x":1}}}}}},"__proto__":{"get":{}}}}}';
  const { journeys } = importOpenApi(text, 'a.json');
  assert.equal(journeys.length, 1);
  const [step] = journeys[0]!.groups[0]!.steps;
  const body = step!.kind === 'request' && step!.request.body;
  assert.equal(JSON.stringify(body), '{"kind":"json","value":{"__proto__":{"x":1}}}');
});
