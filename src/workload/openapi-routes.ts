import { ShiploadError } from '../errors.ts';
import type { RouteRule } from './route-overrides.ts';
import { bySpecificity } from './route-order.ts';
import { isRecord } from '../stats/is-record.ts';

/**
 * The paths of an API description (OpenAPI 3 or Swagger 2, as parsed JSON) as routes: exact, nothing is
 * guessed. Each stands below the path of every server (`servers[].url`, or `basePath`); concrete paths come
 * before templated ones, as OpenAPI 3.1 §4.8.8.2 matches them.
 * Throws `routes-invalid` when there are no paths.
 */
export function routesOfOpenApi(document: unknown, file = 'openapi.json'): RouteRule[] {
  const paths = fieldOf(document, 'paths');
  if (!isRecord(paths) || Object.keys(paths).length === 0)
    throw new ShiploadError('routes-invalid', 'the API description has no paths', {
      where: file,
      hint: 'Give an OpenAPI 3 or Swagger 2 document, with its "paths".',
    });
  const routes = basePathsOf(document).flatMap((base) =>
    Object.keys(paths)
      .filter((path) => path.startsWith('/'))
      .map((path) => routeOf(`${base}${path}`)),
  );
  return [...new Set(routes)]
    .sort(bySpecificity)
    .map((route) => ({ kind: 'route', route, anyText: true, where: file }));
}

const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

/** `{book id}` → `[book_id]`. */
const routeOf = (path: string): string =>
  path.replace(/\{([^{}]*)\}/g, (_, name: string) => `[${name.replace(/[^\w-]/g, '_')}]`);

function basePathsOf(document: unknown): string[] {
  const basePath = fieldOf(document, 'basePath');
  if (typeof basePath === 'string') return [trimmed(basePath)];
  const servers = fieldOf(document, 'servers');
  const urls = Array.isArray(servers) ? servers.map((server: unknown) => fieldOf(server, 'url')) : [];
  const bases = urls
    .filter((url) => typeof url === 'string')
    .map((url) => trimmed(url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/, '')));
  return bases.length === 0 ? [''] : [...new Set(bases)];
}

/** A path without its last slashes; a relative server (`v1`) is taken from the root. */
const trimmed = (path: string): string => {
  const withoutEnd = path.replace(/\/+$/, '');
  return withoutEnd === '' || withoutEnd.startsWith('/') ? withoutEnd : `/${withoutEnd}`;
};
