import type { LogTable } from '../model/log-table.ts';
import { queryPairs, type QueryPair } from './query-parameters.ts';
import { compileOverrides, type RouteRule } from './route-overrides.ts';
import { UNMATCHED, learnRoutes, type PathCount, type RouteMatch } from './routes.ts';
import { findSelectors } from './selectors.ts';
import type { TargetCount } from './target-counts.ts';
import { cutTarget } from './target-path.ts';

/** A distinct target with its route and the values of its parameters. */
export interface RoutedTarget {
  readonly target: string;
  readonly route: string;
  readonly pathValues: RouteMatch['values'];
  readonly queryValues: readonly QueryPair[];
}

const NO_PAIRS: readonly QueryPair[] = [];

/**
 * Gives every counted target its route, by target id. Overrides come first; the rest is learned from what the
 * service has (statuses 400, 404 and 410 teach nothing). What was only ever not found and fits no learned
 * route is `[unmatched]`. Query parameters that select what is done become part of the route.
 */
export function routeTargets(
  table: LogTable,
  counts: readonly TargetCount[],
  overrides: readonly RouteRule[],
): ReadonlyMap<number, RoutedTarget> {
  const overrideOf = compileOverrides(overrides);
  const fixed = new Map<number, RouteMatch>();
  const found = new Map<number, number>();
  for (const { targetId, foundCount } of counts) {
    found.set(targetId, (found.get(targetId) ?? 0) + foundCount);
    if (overrides.length === 0 || fixed.has(targetId)) continue;
    const match = overrideOf(cutTarget(table.targets.at(targetId)!));
    if (match !== undefined && match !== 'drop') fixed.set(targetId, match);
  }
  const routeOf = learnRoutes(learnable(table, found, fixed));
  const routed = new Map<number, RoutedTarget>();
  for (const [id, foundCount] of found) {
    const target = table.targets.at(id)!;
    const match = fixed.get(id) ?? routeOf(target);
    const isUnmatched = !match.isKnown && foundCount === 0;
    routed.set(id, isUnmatched ? unmatched(target) : matched(target, match, fixed.has(id)));
  }
  return withSelectors(routed, counts);
}

function* learnable(
  table: LogTable,
  found: ReadonlyMap<number, number>,
  fixed: ReadonlyMap<number, RouteMatch>,
): Generator<PathCount> {
  for (const [id, count] of found)
    if (count > 0 && !fixed.has(id)) yield { target: table.targets.at(id)!, count };
}

const unmatched = (target: string): RoutedTarget => ({
  target,
  route: UNMATCHED,
  pathValues: [],
  queryValues: NO_PAIRS,
});

function matched(target: string, { route, values }: RouteMatch, isFixed: boolean): RoutedTarget {
  const mark = target.indexOf('?');
  const pairs = mark < 0 ? NO_PAIRS : queryPairs(cutTarget(target).query ?? '');
  const said = isFixed && route.includes('?') ? queryPairs(route.slice(route.indexOf('?') + 1)) : NO_PAIRS;
  const queryValues =
    said.length === 0 ? pairs : pairs.filter(({ name }) => said.every((one) => one.name !== name));
  return { target, route, pathValues: values, queryValues };
}

function withSelectors(
  routed: ReadonlyMap<number, RoutedTarget>,
  counts: readonly TargetCount[],
): ReadonlyMap<number, RoutedTarget> {
  const selectors = findSelectors(routed, counts);
  if (selectors.size === 0) return routed;
  return new Map([...routed].map(([id, target]) => [id, withSelected(target, selectors.get(target.route))]));
}

function withSelected(target: RoutedTarget, selectors: ReadonlySet<string> | undefined): RoutedTarget {
  const chosen = target.queryValues.filter(({ name }) => selectors?.has(name) === true);
  if (chosen.length === 0) return target;
  const suffix = chosen.map(({ name, value }) => `${name}=${value}`).sort();
  return {
    ...target,
    route: `${target.route}?${suffix.join('&')}`,
    queryValues: target.queryValues.filter(({ name }) => selectors?.has(name) !== true),
  };
}
