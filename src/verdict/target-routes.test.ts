import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShiploadError } from '../errors.ts';
import { parseTarget } from './parse-target.ts';
import { checkTargetRoutes, resolveRoute } from './target-routes.ts';

const ROUTES = ['/books/[id]', '/search'];

test('known routes, with or without a method, and targets over all routes are accepted', () => {
  const texts = ['p95 of /search <= 1 s', 'p95 of GET /search <= 1 s', 'cpu <= 70 %'];
  checkTargetRoutes(texts.map(parseTarget), ROUTES);
  assert.equal(resolveRoute('/search', ['GET /search']), 'GET /search');
  assert.equal(resolveRoute('POST /search', ['GET /search']), undefined);
});

const HINTS: readonly (readonly [string, RegExp])[] = [
  ['/serach', /did you mean \/search\?/],
  ['/books/:id', /did you mean \/books\/\[id\]\?/],
  ['/quite/other/things', /^routes: \/books\/\[id\], \/search$/],
];

for (const [route, hint] of HINTS) {
  test(`an unknown route ${route} is refused with help`, () => {
    assert.throws(
      () => checkTargetRoutes([parseTarget(`p95 of ${route} <= 1 s`)], ROUTES),
      (error: unknown) => {
        assert.ok(error instanceof ShiploadError);
        assert.equal(error.code, 'target-unknown-route');
        assert.match(error.hint!, hint);
        return true;
      },
    );
  });
}
