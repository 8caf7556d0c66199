import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tableOf } from '../../test/support/log-table.ts';
import { buildWorkload } from './build-workload.ts';
import { routesOfOpenApi } from './openapi-routes.ts';
import { compileOverrides, type RouteRule } from './route-overrides.ts';
import { parseRoutes, renderRoutes } from './routes-file.ts';
import { cutTarget } from './target-path.ts';

const routeWith = (rules: readonly RouteRule[], target: string): string | undefined => {
  const match = compileOverrides(rules)(cutTarget(target));
  return match === 'drop' ? 'drop' : match?.route;
};

const FILE = `# a comment
/u/[user]/[...rest]   # what users keep
/files/[...path]

/books/new
/books/[id]
/books/[name]
/img/[id].jpg
/index.php?action=edit
drop /healthz
regex ^/p(?<page>\\d+)$ = /p[page]
`;

const FITS = [
  ['/u/jane/a/b/c', '/u/[user]/[...rest]'],
  ['/u/jane', undefined],
  ['/files/x/y.png', '/files/[...path]'],
  ['/books/new', '/books/new'],
  ['/books/42?x=1', '/books/[id]'],
  ['/books/emma', '/books/[name]'],
  ['/img/7.jpg', '/img/[id].jpg'],
  ['/img/seven.jpg', undefined],
  ['/index.php?x=1&action=edit', '/index.php?action=edit'],
  ['/index.php?action=view', undefined],
  ['/healthz', 'drop'],
  ['/p12', '/p[page]'],
  ['/elsewhere', undefined],
] as const;

for (const [target, route] of FITS)
  test(`by the routes file ${target} is ${route ?? 'left to be learned'}`, () =>
    assert.equal(routeWith(parseRoutes(FILE), target), route));

test('the values come with the names of the file', () => {
  const match = compileOverrides(parseRoutes(FILE))(cutTarget('/u/jane%20b/a/b?x'));
  assert.deepEqual(match === 'drop' ? [] : match?.values, [
    { name: 'user', value: 'jane b' },
    { name: 'rest', value: 'a/b' },
  ]);
});

const BROKEN = [
  ['/books/[id', 'r:1:8'],
  ['\nbooks/[id]', 'r:2:1'],
  ['/a/[...x]/b', 'r:1:4'],
  ['/a b', 'r:1:4'],
  ['drop', 'r:1:5'],
  ['  drop /a /b', 'r:1:11'],
  ['regex ( = /x', 'r:1:7'],
  ['regex ^/x$', 'r:1:1'],
] as const;

for (const [text, where] of BROKEN)
  test(`what is no route is refused with its place: ${JSON.stringify(text)}`, () =>
    assert.throws(() => parseRoutes(text, 'r'), { code: 'routes-invalid', where }));

test('any text is either read or refused by name, line and column', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'/ab[].?=# \n-dropregx'.split('')) }), (text) => {
      try {
        for (const rule of parseRoutes(text)) routeWith([rule], '/a/b?c');
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'routes-invalid');
      }
    }),
    { seed: 7, numRuns: 500 },
  );
});

const LOG = [
  ...Array.from(
    { length: 40 },
    (_, index) => `/blog/all-about-${'abcdefghijklmnopqrstuvwxyz'[index % 26]}${'abcdefgh'[index % 8]}`,
  ),
  ...Array.from({ length: 9 }, (_, index) => `/img/p${'abcdefghi'[index]}.png`),
  ...Array.from({ length: 30 }, (_, index) => `/index.php?action=${['edit', 'view'][index % 2]}&n=${index}`),
  '/blog/7',
  '/blog/new',
  '/a/550e8400-e29b-41d4-a716-446655440000/2026/11/x',
  '/',
].map((target, index) => ({ at: 1_796_000_000 + index, target, client: `c${index % 3}`, seconds: 0.01 }));

test('a model’s routes, written and read again, give the same classes', () => {
  const model = buildWorkload(tableOf(LOG));
  const again = buildWorkload(tableOf(LOG), { routes: parseRoutes(renderRoutes(model)) });
  assert.deepEqual(again.requestClasses, model.requestClasses);
  const written = renderRoutes(model)
    .split('\n')
    .filter((line) => line.startsWith('/'))
    .map((line) => line.replace(/ +/, ' '));
  assert.deepEqual(written.toSorted(), [
    '/ # 1',
    '/a/[uuid]/[year]/[month]/x # 1',
    '/blog/[id] # 1',
    '/blog/[slug] # 40',
    '/blog/new # 1',
    '/img/[file].png # 9',
    '/index.php?action=edit # 15',
    '/index.php?action=view # 15',
  ]);
  const blog = written.filter((line) => line.startsWith('/blog'));
  assert.deepEqual(blog, ['/blog/new # 1', '/blog/[id] # 1', '/blog/[slug] # 40']);
});

const countsOf = ({ requestClasses }: ReturnType<typeof buildWorkload>): Record<string, number> =>
  Object.fromEntries(requestClasses.map(({ id, requestCount }) => [id, requestCount]));

test('whatever paths a log has, its routes file gives the same routes and counts', () => {
  const odd = fc.string({ unit: fc.constantFrom(...'ab1[]. #%=-'.split('')), maxLength: 6 });
  const values = [
    '42',
    '20261130',
    '2026',
    '11',
    '2026-11-30',
    'NASA-logosmall.gif',
    'aB3dE6gH9jK2mN5p.gif',
    'x.GIF',
  ];
  const files = fc.tuple(
    fc.constantFrom('p-', 'q', 'Page'),
    fc.nat(30),
    fc.constantFrom('.gif', '.html', '', '.GIF'),
  );
  const segment = fc.oneof(
    odd,
    fc.constantFrom(...values, 'cus_9s6XKzkNRiz8i3', 'en', 'de', 'new', '%41', 'A', 'a%5Bid%5D'),
    files.map((parts) => parts.join('')),
  );
  const query = fc.constantFrom('', '', '?action=edit', '?mode=a&action=view', '?n=3');
  const target = fc
    .tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), query)
    .map(([parts, asked]) => `/${parts.join('/')}${asked}`);
  fc.assert(
    fc.property(fc.array(target, { minLength: 1, maxLength: 60 }), (targets) => {
      const table = tableOf(
        targets.map((one, index) => ({ at: index, target: one, status: index % 5 === 4 ? 404 : 200 })),
      );
      const model = buildWorkload(table, { window: 'all' });
      const again = buildWorkload(table, { window: 'all', routes: parseRoutes(renderRoutes(model)) });
      assert.deepEqual(countsOf(again), countsOf(model));
    }),
    { seed: 7, numRuns: 300 },
  );
});

test('a renamed parameter keeps its name in the model', () => {
  const model = buildWorkload(tableOf(LOG), { routes: parseRoutes('/blog/[post]') });
  const posts = model.requestClasses.find(({ route }) => route === '/blog/[post]')!;
  assert.deepEqual([posts.requestCount, posts.parameters[0]!.name], [42, 'post']);
});

test('dropped requests are left out and counted', () => {
  const model = buildWorkload(tableOf(LOG), { routes: parseRoutes('drop /img/[...x]') });
  assert.equal(model.requestCount, LOG.length - 9);
  assert.match(model.warnings.find(({ code }) => code === 'requests-dropped')!.message, /^9 requests/);
  assert.throws(() => buildWorkload(tableOf(LOG), { routes: parseRoutes('drop /[...x]\ndrop /') }), {
    code: 'log-empty',
  });
});

const DESCRIPTION = {
  openapi: '3.1.0',
  servers: [{ url: 'https://api.example.com/v1/' }],
  paths: { '/books/{book id}': {}, '/books/mine': {}, '/books/{id}/files/{file}.json': {} },
};

test('the paths of an API description are routes below its server, concrete ones first', () => {
  const rules = routesOfOpenApi(DESCRIPTION);
  const CASES = [
    ['/v1/books/mine', '/v1/books/mine'],
    ['/v1/books/9', '/v1/books/[book_id]'],
    ['/v1/books/b1/files/x.json', '/v1/books/[id]/files/[file].json'],
    ['/books/9', undefined],
  ] as const;
  for (const [target, route] of CASES) assert.equal(routeWith(rules, target), route);
  assert.equal(
    routeWith(routesOfOpenApi({ basePath: '/api', paths: { '/x/{y}': {} } }), '/api/x/1'),
    '/api/x/[y]',
  );
});

test('a document without paths is refused', () => {
  for (const document of [undefined, null, 7, {}, { paths: {} }, { paths: [] }])
    assert.throws(() => routesOfOpenApi(document), { code: 'routes-invalid' });
});

test('given routes that fit nothing are named with their lines, and such that an earlier one leaves nothing', () => {
  const routes = parseRoutes(
    '/books/[id]\n\n/admin/[id]\n/books/[name]\ndrop /health\ndrop /ping\nregex ^/zzz = /z\n',
    'api.routes',
  );
  const targets = ['/books/1', '/books/2', '/ping', '/search'];
  const table = tableOf(targets.map((target, index) => ({ at: 1_796_000_000 + index, target })));
  const said = (given: typeof routes): unknown => {
    const found = buildWorkload(table, { window: 'all', routes: given }).warnings.find(
      ({ code }) => code === 'routes-unused',
    );
    return found === undefined ? undefined : [found.severity, found.where, found.message];
  };
  assert.deepEqual(said(routes), [
    'info',
    'api.routes:3',
    '4 of 6 given routes fit no request of the window, or none that an earlier route leaves: /admin/[id] (line 3), /books/[name] (line 4), drop /health (line 5), regex ^\\/zzz (line 7)',
  ]);
  assert.equal(said(routes.slice(0, 1)), undefined);
  const [severity, where, message] = said(
    routesOfOpenApi({ paths: { '/a': {}, '/b/{id}': {} } }, 'api.json'),
  ) as string[];
  assert.deepEqual([severity, where], ['warning', 'api.json']);
  assert.match(message!, /^2 of 2 given routes fit no request .*: \/a, \/b\/\[id\]$/);
});
