import type { TargetRouter } from './class-routes.ts';
import { isSensitive } from './sensitive-values.ts';
import type { TargetCounts } from './target-counts.ts';

/** Names by which old scripts choose what to do. */
const DISPATCHERS = /^(?:action|do|op|task|option|view|mode|cmd|page|format|type)$/i;
/** More values are data; a dispatcher has a handful of branches. */
const MOST_VALUES = 12;
/** Names looked at per route: a service has fewer, and a log of made-up ones must not fill the memory. */
const MOST_NAMES = 1000;
/** A closed list of branches repeats itself: hardly any value is seen once. */
const MOST_NEW_RATIO = 0.05;
/** Share of the variance of log time (or of failure) that the value explains: a large effect (Cohen 1988: 0.14 is). */
const LEAST_EFFECT = 0.3;
/** Requests per value below which chance alone explains a share: (k − 1)/(n − 1) of it on average. */
const REQUESTS_PER_VALUE = 10;

/** The requests with one value of a parameter. */
interface ValueSums {
  requestCount: number;
  failedCount: number;
  timedCount: number;
  logSum: number;
  logSquareSum: number;
}

/**
 * The query parameters that select what is done (`?action=edit`) rather than being data, by route: at most 12
 * values that are words and repeat, and either the name of a dispatcher or a value that changes how long the
 * request takes or whether it fails, measured by η² = between-group over total sum of squares.
 */
export function findSelectors(
  routed: TargetRouter,
  targets: readonly string[],
  counts: TargetCounts,
  isLearned: (targetId: number) => boolean = () => true,
): ReadonlyMap<string, ReadonlySet<string>> {
  const selectors = new Map<string, Set<string>>();
  for (const [route, byName] of sumsByParameter(routed, targets, counts, isLearned))
    for (const [name, byValue] of byName)
      if (isSelector(name, byValue)) selectors.set(route, (selectors.get(route) ?? new Set()).add(name));
  return selectors;
}

function sumsByParameter(
  routed: TargetRouter,
  targets: readonly string[],
  counts: TargetCounts,
  isLearned: (targetId: number) => boolean,
): ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, ValueSums>>> {
  const byRoute = new Map<string, Map<string, Map<string, ValueSums>>>();
  for (let pair = 0; pair < counts.length; pair += 1) {
    const id = counts.targetId[pair]!;
    if (!targets[id]!.includes('?') || !isLearned(id)) continue;
    const { route, queryValues } = routed(id);
    for (const { name, value } of queryValues) {
      const byName = entryOf(byRoute, route, newMap<Map<string, ValueSums>>);
      if (byName.size >= MOST_NAMES && !byName.has(name)) continue;
      const byValue = entryOf(byName, name, newMap<ValueSums>);
      // Beyond the limit it is data; one value more is kept to show that.
      if (byValue.size > MOST_VALUES && !byValue.has(value)) continue;
      add(entryOf(byValue, value, newSums), counts, pair);
    }
  }
  return byRoute;
}

const newMap = <Value>(): Map<string, Value> => new Map<string, Value>();
const newSums = (): ValueSums => ({
  requestCount: 0,
  failedCount: 0,
  timedCount: 0,
  logSum: 0,
  logSquareSum: 0,
});

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}

function add(sums: ValueSums, counts: TargetCounts, pair: number): void {
  sums.requestCount += counts.requestCount[pair]!;
  sums.failedCount += counts.requestCount[pair]! - counts.successCount[pair]!;
  sums.timedCount += counts.timedCount[pair]!;
  sums.logSum += counts.logSum[pair]!;
  sums.logSquareSum += counts.logSquareSum[pair]!;
}

function isSelector(name: string, byValue: ReadonlyMap<string, ValueSums>): boolean {
  if (name === '' || byValue.size > MOST_VALUES) return false;
  if (![...byValue.keys()].every((value) => /^[a-z][\w.-]*$/i.test(value))) return false;
  // A route is shown to everybody.
  if ([...byValue.keys()].some((value) => isSensitive(name, value, ''))) return false;
  const groups = [...byValue.values()];
  const n = groups.reduce((sum, { requestCount }) => sum + requestCount, 0);
  const once = groups.filter(({ requestCount }) => requestCount === 1).length;
  if (once > n * MOST_NEW_RATIO) return false;
  if (DISPATCHERS.test(name)) return true;
  if (groups.length < 2 || n < REQUESTS_PER_VALUE * groups.length) return false;
  const byTime = groups.map(
    ({ timedCount, logSum, logSquareSum }) => [timedCount, logSum, logSquareSum] as const,
  );
  const byFailure = groups.map(
    ({ requestCount, failedCount }) => [requestCount, failedCount, failedCount] as const,
  );
  return etaSquared(byTime) > LEAST_EFFECT || etaSquared(byFailure) > LEAST_EFFECT;
}

/** η² from n, Σx and Σx² of each group; 0 where nothing varies (Cohen 1988, §8.2). */
export function etaSquared(groups: readonly (readonly [n: number, sum: number, squares: number])[]): number {
  let [n, sum, squares, between] = [0, 0, 0, 0];
  for (const [groupN, groupSum, groupSquares] of groups) {
    n += groupN;
    sum += groupSum;
    squares += groupSquares;
    if (groupN > 0) between += groupSum ** 2 / groupN;
  }
  if (n === 0) return 0;
  const correction = sum ** 2 / n;
  const total = squares - correction;
  return total > 1e-9 * squares ? (between - correction) / total : 0;
}
