import type { LogTable } from '../model/log-table.ts';
import { isSelector, queryPairs, type QueryPair } from './query-parameters.ts';
import { UNMATCHED, learnRoutes, type RouteMatch } from './routes.ts';
import { cutTarget } from './target-path.ts';

/** A distinct target with its route and the values of its parameters. */
export interface RoutedTarget {
  readonly target: string;
  readonly route: string;
  readonly pathValues: RouteMatch['values'];
  readonly queryValues: readonly QueryPair[];
}

/** Answers from which no route is learned: scanners ask for what does not exist. */
const NOT_LEARNED_FROM = new Set([400, 404, 410]);

/**
 * Gives every target of the rows its route. Routes are learned from what the service has (statuses 400, 404
 * and 410 teach nothing); what was only ever not found and fits no learned route is `[unmatched]`.
 */
export function routeTargets(table: LogTable, rows: Uint32Array): Map<number, RoutedTarget> {
  const { all, found } = countTargets(table, rows);
  const routeOf = learnRoutes([...found].map(([id, count]) => ({ target: table.targets.at(id)!, count })));
  const routed = [...all.keys()].map((id) => {
    const target = table.targets.at(id)!;
    const match = routeOf(target);
    const isUnmatched = !match.isKnown && !found.has(id);
    const queryValues = isUnmatched ? [] : queryPairs(cutTarget(target).query ?? '');
    return {
      id,
      target,
      route: isUnmatched ? UNMATCHED : match.route,
      pathValues: isUnmatched ? [] : match.values,
      queryValues,
    };
  });
  const selectors = selectorsByRoute(routed, all);
  return new Map(
    routed.map(({ id, ...target }) => [id, withSelectors(target, selectors.get(target.route) ?? new Set())]),
  );
}

function countTargets(
  table: LogTable,
  rows: Uint32Array,
): { all: Map<number, number>; found: Map<number, number> } {
  const all = new Map<number, number>();
  const found = new Map<number, number>();
  for (const row of rows) {
    const id = table.targetIds[row]!;
    all.set(id, (all.get(id) ?? 0) + 1);
    if (!NOT_LEARNED_FROM.has(table.status[row]!)) found.set(id, (found.get(id) ?? 0) + 1);
  }
  return { all, found };
}

function selectorsByRoute(
  targets: readonly (RoutedTarget & { readonly id: number })[],
  counts: ReadonlyMap<number, number>,
): Map<string, Set<string>> {
  const byRoute = new Map<string, Map<string, Map<string, number>>>();
  for (const { id, route, queryValues } of targets)
    for (const { name, value } of queryValues) {
      const byName = byRoute.get(route) ?? new Map<string, Map<string, number>>();
      byRoute.set(route, byName);
      const byValue = byName.get(name) ?? new Map<string, number>();
      byName.set(name, byValue);
      byValue.set(value, (byValue.get(value) ?? 0) + counts.get(id)!);
    }
  return new Map(
    [...byRoute].map(([route, byName]) => [
      route,
      new Set([...byName].filter(([name, byValue]) => isSelector(name, byValue)).map(([name]) => name)),
    ]),
  );
}

function withSelectors(target: RoutedTarget, selectors: ReadonlySet<string>): RoutedTarget {
  const chosen = target.queryValues.filter(({ name }) => selectors.has(name));
  if (chosen.length === 0) return target;
  const suffix = chosen.map(({ name, value }) => `${name}=${value}`).sort();
  return {
    ...target,
    route: `${target.route}?${suffix.join('&')}`,
    queryValues: target.queryValues.filter(({ name }) => !selectors.has(name)),
  };
}
