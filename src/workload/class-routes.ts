import type { LogTable } from '../model/log-table.ts';
import { queryPairs, type QueryPair } from './query-parameters.ts';
import { compileOverrides, type RouteRule } from './route-overrides.ts';
import { RouteLearner, UNMATCHED, type RouteMatch } from './routes.ts';
import { findSelectors } from './selectors.ts';
import type { TargetCounts } from './target-counts.ts';
import { cutTarget } from './target-path.ts';

/** A target with its route and the values of its parameters. */
export interface RoutedTarget {
  readonly target: string;
  readonly route: string;
  readonly pathValues: RouteMatch['values'];
  readonly queryValues: readonly QueryPair[];
}

/** The route of a counted target, by its id; made when asked for, so that millions need not be kept. */
export type TargetRouter = (targetId: number) => RoutedTarget;

const NO_PAIRS: readonly QueryPair[] = [];

/**
 * Gives every counted target its route. Overrides come first; the rest is learned from what the service has
 * (statuses 400, 404 and 410 teach nothing). What was only ever not found and fits no learned route is
 * `[unmatched]`. Query parameters that select what is done become part of the route.
 */
export function routeTargets(
  table: LogTable,
  counts: TargetCounts,
  overrides: readonly RouteRule[],
  used?: Set<RouteRule>,
): TargetRouter {
  const fixed = fixedRoutes(table, counts, overrides, used);
  const found = new Uint32Array(table.targets.length);
  for (let pair = 0; pair < counts.length; pair += 1)
    found[counts.targetId[pair]!]! += counts.foundCount[pair]!;
  // A log of failures alone has nothing to tell them from.
  const isAnyFound = found.some((count) => count > 0);
  const learner = new RouteLearner();
  const texts: string[] = [];
  const shapes = new Uint32Array(table.targets.length);
  for (const id of counts.targetId) {
    if (texts[id] !== undefined) continue;
    texts[id] = table.targets.at(id)!;
    if (!fixed.has(id)) shapes[id] = learner.see(texts[id], found[id]!);
  }
  const matchOf = learner.learn();
  const routed = (id: number): RoutedTarget => {
    const target = texts[id]!;
    const match = fixed.get(id) ?? matchOf(shapes[id]!, target);
    return !match.isKnown && found[id] === 0 && isAnyFound
      ? unmatched(target)
      : matched(target, match, fixed.has(id));
  };
  // A given route is what it says.
  const selectors = findSelectors(routed, texts, counts, (id) => !fixed.has(id));
  return selectors.size === 0
    ? routed
    : (id) => (fixed.has(id) ? routed(id) : withSelected(routed(id), selectors));
}

function fixedRoutes(
  table: LogTable,
  counts: TargetCounts,
  overrides: readonly RouteRule[],
  used: Set<RouteRule> | undefined,
): ReadonlyMap<number, RouteMatch> {
  const fixed = new Map<number, RouteMatch>();
  if (overrides.length === 0) return fixed;
  const overrideOf = compileOverrides(overrides, used);
  for (const id of new Set(counts.targetId)) {
    const match = overrideOf(cutTarget(table.targets.at(id)!));
    if (match !== undefined && match !== 'drop') fixed.set(id, match);
  }
  return fixed;
}

const unmatched = (target: string): RoutedTarget => ({
  target,
  route: UNMATCHED,
  pathValues: [],
  queryValues: NO_PAIRS,
});

function matched(target: string, { route, values }: RouteMatch, isFixed: boolean): RoutedTarget {
  const pairs = target.includes('?') ? queryPairs(cutTarget(target).query ?? '') : NO_PAIRS;
  const said = isFixed && route.includes('?') ? queryPairs(route.slice(route.indexOf('?') + 1)) : NO_PAIRS;
  const queryValues =
    said.length === 0 ? pairs : pairs.filter(({ name }) => said.every((one) => one.name !== name));
  return { target, route, pathValues: values, queryValues };
}

function withSelected(
  target: RoutedTarget,
  selectors: ReadonlyMap<string, ReadonlySet<string>>,
): RoutedTarget {
  const names = selectors.get(target.route);
  if (names === undefined) return target;
  const chosen = target.queryValues.filter(({ name }) => names.has(name));
  if (chosen.length === 0) return target;
  const suffix = chosen
    .map(({ name, value }) => `${encodeURIComponent(name.replace(/\p{Cs}/gu, ''))}=${value}`)
    .sort();
  return {
    ...target,
    route: `${target.route}?${suffix.join('&')}`,
    queryValues: target.queryValues.filter(({ name }) => !names.has(name)),
  };
}
