import { ShiploadError } from '../errors.ts';
import type { WorkloadModel } from '../model/workload.ts';
import { bySpecificity } from './route-order.ts';
import type { RouteRule } from './route-overrides.ts';
import { UNMATCHED } from './routes.ts';

const HEADER = `# Routes, one a line; the first that fits a path wins, what fits none is learned from the log.
#   /books/[id]             [id], [uuid], [hash], [date] … fit what their names say, [name] and [slug] what
#                           has no extension, other names any text
#   /files/[...path]        one segment or more
#   /index.php?action=edit  with these query parameters
#   drop /internal/[...x]   leave such requests out
#   regex ^/p(?<page>\\d+)$ = /p[page]
`;

/**
 * Reads a routes file: a pattern, `drop` with a pattern, or `regex` with an expression and a route a line;
 * blank lines and what follows ` #` or begins with `#` are left out.
 * Throws `routes-invalid` at file:line:column for anything else.
 */
export function parseRoutes(text: string, file = 'routes'): RouteRule[] {
  return text.split(/\r?\n/).flatMap((whole, index) => {
    const line = whole.replace(/(?:^|\s)#.*$/, '').trimEnd();
    if (line.trim() === '') return [];
    const fail = (column: number, message: string): never => {
      throw new ShiploadError('routes-invalid', message, {
        where: `${file}:${index + 1}:${column}`,
        hint: 'A line is a path such as /books/[id], drop and a path, or regex EXPRESSION = ROUTE.',
      });
    };
    return [{ ...parseLine(line, fail), where: `${file}:${index + 1}` }];
  });
}

type Fail = (column: number, message: string) => never;

function parseLine(line: string, fail: Fail): RouteRule {
  const lead = line.length - line.trimStart().length;
  const [word = '', ...more] = line.trim().split(/\s+/);
  if (word === 'regex') return parseRegex(line, lead, fail);
  const isDrop = word === 'drop';
  const start = isDrop ? line.indexOf(more[0] ?? '', lead + word.length) : lead;
  if (isDrop && more.length === 0) fail(line.length + 1, 'drop needs a path');
  const route = isDrop ? more[0]! : word;
  if (more.length > (isDrop ? 1 : 0))
    fail(line.indexOf(more.at(-1)!, start + route.length) + 1, `"${more.at(-1)}" is one word too many`);
  checkRoute(route, start, fail);
  return { kind: isDrop ? 'drop' : 'route', route };
}

function parseRegex(line: string, lead: number, fail: Fail): RouteRule {
  const found = /^\s*regex\s+(.*\S)\s+=\s+(\/\S*)$/.exec(line);
  if (found === null) return fail(lead + 1, 'regex needs an expression, " = " and a route');
  const [, source, route] = found as unknown as [string, string, string];
  try {
    return { kind: 'regex', regex: new RegExp(source), route };
  } catch (cause) {
    return fail(line.indexOf(source) + 1, (cause as Error).message);
  }
}

function checkRoute(route: string, start: number, fail: Fail): void {
  if (route !== '*' && !route.startsWith('/')) fail(start + 1, `"${route}" does not begin with a slash`);
  const path = route.split('?', 1)[0]!;
  let at = start;
  const segments = path.split('/');
  segments.forEach((segment, index) => {
    const rest = segment.indexOf('[...');
    if (rest >= 0 && (index < segments.length - 1 || !/^\[\.\.\.[\w-]+\]$/.test(segment)))
      fail(at + rest + 1, '[...name] stands alone at the end of a route');
    const odd = segment.replace(/\[(?:\.\.\.)?[\w-]+\]/g, (name) => '_'.repeat(name.length)).search(/[[\]]/);
    if (odd >= 0) fail(at + odd + 1, 'a parameter is a name in brackets: [id]');
    at += segment.length + 1;
  });
}

/** The routes of a model as rules, most special first. */
export const routeRulesOf = (model: WorkloadModel): RouteRule[] =>
  [...requestsByRoute(model).keys()].sort(bySpecificity).map((route) => ({ kind: 'route', route }));

/** The routes of a model as a file to edit and give back: most special first, the requests of each beside it. */
export function renderRoutes(model: WorkloadModel): string {
  const counts = requestsByRoute(model);
  const routes = routeRulesOf(model).map(({ route }) => [route, counts.get(route)!] as const);
  const width = routes.reduce((most, [route]) => Math.max(most, route.length), 0);
  const lines = routes.map(([route, count]) => `${route.padEnd(width)}  # ${count}`);
  return `${HEADER}${lines.join('\n')}\n`;
}

function requestsByRoute({ requestClasses }: WorkloadModel): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { route, requestCount } of requestClasses)
    if (route !== UNMATCHED) counts.set(route, (counts.get(route) ?? 0) + requestCount);
  return counts;
}
