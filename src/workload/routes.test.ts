import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { shared, skipWithout } from '../../test/support/paths.ts';
import { compileOverrides } from './route-overrides.ts';
import { learnRoutes, type PathCount } from './routes.ts';
import { parseRoutes } from './routes-file.ts';
import { cutTarget } from './target-path.ts';

const CERTAIN = [
  ['/', '/'],
  ['*', '*'],
  ['//books///42/?x=1', '/books/[id]'],
  ['/books/../shelf/./7', '/shelf/[id]'],
  ['/users/550e8400-e29b-41d4-a716-446655440000', '/users/[uuid]'],
  ['/commit/e83c5163316f89bfbde7d9ab23ca2e25604af290', '/commit/[hash]'],
  ['/deadbeef', '/deadbeef'],
  ['/archive/2026/11/30', '/archive/[year]/[month]/[day]'],
  ['/a/1/b/2', '/a/[id]/b/[id2]'],
  ['/api/v2.1/items', '/api/v2.1/items'],
  ['/p/123-blue-chair', '/p/[id]-[slug]'],
  ['/image/9995.jpg', '/image/[id].jpg'],
  ['/%E0%A4%A', '/%E0%A4%A'],
  ['/p%20q/k', '/p%20q/k'],
  ['/cart;jsessionid=1A2B3C/7;v=2', '/cart/[id]'],
  ['/a%2Fb/7#x?y', '/a%2Fb/[id]'],
] as const;

for (const [target, route] of CERTAIN)
  test(`without any data ${target} is ${route}`, () => assert.equal(learnRoutes([])(target).route, route));

test('the values of parameters come with their names', () => {
  assert.deepEqual(learnRoutes([])('/a/1/p/12-blue-chair/9.jpg').values, [
    { name: 'id', value: '1' },
    { name: 'id2', value: '12' },
    { name: 'slug', value: 'blue-chair' },
    { name: 'id3', value: '9' },
  ]);
});

test('a list of pages stays, names that hardly repeat are a parameter, and the order makes no difference', () => {
  const names = Array.from(
    { length: 40 },
    (_, index) => `/users/u${String.fromCharCode(97 + (index % 26))}${'x'.repeat(index)}y`,
  );
  const paths: PathCount[] = [
    ...['intro', 'install', 'config'].map((page) => ({ target: `/docs/${page}`, count: 50 })),
    ...names.map((target) => ({ target, count: 1 })),
    { target: '/users/me', count: 9 },
  ];
  for (const order of [paths, paths.toReversed()]) {
    const routeOf = learnRoutes(order);
    assert.equal(routeOf('/docs/intro').route, '/docs/intro');
    assert.equal(routeOf(names[3]!).route, '/users/[name]');
    assert.equal(routeOf('/users/never-seen').route, '/users/[name]');
    assert.equal(routeOf('/users/me').route, '/users/me');
    assert.equal(routeOf('/wp-login.php').isKnown, false);
  }
});

test('ids in base 36 are one parameter, not a number between their letters', () => {
  const paths = Array.from({ length: 3000 }, (_, index) => ({
    target: `/post/p-${((index * 48_271) % 1_679_616).toString(36)}-x`,
    count: 1,
  }));
  const routeOf = learnRoutes(paths);
  const routes = new Set(paths.map(({ target }) => routeOf(target).route));
  assert.deepEqual([...routes].filter((route) => route.startsWith('/post/[')).length, 1);
  assert.ok(routes.size <= 3, [...routes].slice(0, 9).join(' '));
});

/** A word of four letters for a number. */
const letters = (index: number): string =>
  [17576, 676, 26, 1].map((unit) => String.fromCharCode(97 + (Math.floor(index / unit) % 26))).join('');

test('a place with more children than are kept is one parameter, whatever the order they came in', () => {
  const paths: PathCount[] = [
    ...Array.from({ length: 5000 }, (_, index) => `/user/n${(index * 7919) % 5000}/posts`),
    ...Array.from({ length: 3000 }, (_, index) => `/tag/${letters(index)}`),
  ].map((target) => ({ target, count: 1 }));
  for (const order of [paths, paths.toReversed()]) {
    const routeOf = learnRoutes(order);
    for (const { target } of [paths[0]!, paths[4999]!])
      assert.equal(routeOf(target).route, '/user/n[id]/posts');
    assert.equal(routeOf('/tag/never').route, '/tag/[name]');
    assert.ok(routeOf('/user/n77777/posts').isKnown);
  }
});

interface RouteCases {
  readonly corpora: Readonly<Record<string, readonly string[]>>;
  readonly cases: readonly { readonly corpus: string; readonly path: string; readonly expect: string }[];
}

const casesPath = shared('truth', 'route_cases.json');
test('the published path-to-route cases come out as listed', { skip: skipWithout(casesPath) }, () => {
  const { corpora, cases } = JSON.parse(readFileSync(casesPath!, 'utf8')) as RouteCases;
  const wrong = cases.flatMap(({ corpus, path, expect }) => {
    const counts = new Map<string, number>();
    for (const target of corpora[corpus] ?? []) counts.set(target, (counts.get(target) ?? 0) + 1);
    const routeOf = learnRoutes([...counts].map(([target, count]) => ({ target, count })));
    // Cases of overrides name one of the two they are for.
    const overrides = corpus.startsWith('override') ? '/u/[user]/[...rest]\n/files/[...path]' : '';
    const override = compileOverrides(parseRoutes(overrides))(cutTarget(path));
    const { route } = override === undefined || override === 'drop' ? routeOf(path) : override;
    return route === expect ? [] : [`${corpus}: ${path} is ${route}, not ${expect}`];
  });
  assert.deepEqual(wrong, []);
});
