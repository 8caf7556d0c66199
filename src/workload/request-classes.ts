import type { LogTable } from '../model/log-table.ts';
import type { Notice } from '../model/notice.ts';
import type { ParameterPopularity, ReplacedValues, RequestClass, TargetSet } from '../model/workload.ts';
import { routeTargets, type RoutedTarget, type TargetRouter } from './class-routes.ts';
import { countsInFallingOrder, parameterPopularity, popularityOf } from './popularity.ts';
import { KEEP_VALUES, replaceValues } from './privacy.ts';
import type { RouteRule } from './route-overrides.ts';
import { timeSummaryOf } from './summary.ts';
import { hashText } from './synthetic-value.ts';
import { countTargets, type TargetCounts } from './target-counts.ts';

/** Distinct targets kept per class; more would make the model larger than the log is worth. */
export const MOST_TARGETS = 200_000;

/** Query parameters kept per class: more names than any service has, and a log of made-up ones must not fill the memory. */
export const MOST_PARAMETERS = 1000;

const NO_DURATIONS = new Float64Array(0);

export interface ClassOptions {
  /** Routes that come before what is learned. */
  readonly routes?: readonly RouteRule[];
  /** Keep the values of parameters that look like secrets or personal data. */
  readonly keepValues?: boolean;
  /** Gathers the routes of `routes` that a request was matched by. */
  readonly usedRoutes?: Set<RouteRule>;
}

interface GatheredParameter {
  readonly name: string;
  readonly in: ParameterPopularity['in'];
  readonly values: Map<string, number>;
}

/** What is gathered for one class while its targets go by. */
interface Gathering {
  readonly method: string;
  readonly route: string;
  requestCount: number;
  timedCount: number;
  /** By target text: two spellings in the log may be one target. */
  readonly successes: Map<string, number>;
  readonly path: Map<string, GatheredParameter>;
  readonly query: Map<string, GatheredParameter>;
  /** Whether there were more names of query parameters than are kept. */
  hasMoreParameters: boolean;
}

/**
 * The classes of the rows: one per method and route, most frequent first. Targets to send again come from
 * answers below 400 only.
 */
export function requestClassesOf(
  table: LogTable,
  rows: Uint32Array,
  options: ClassOptions = {},
): {
  readonly classes: RequestClass[];
  readonly notices: Notice[];
  readonly replaced: readonly ReplacedValues[];
  /** The class of a row, by its place in `rows`. */
  readonly classOfRow: (place: number) => RequestClass;
} {
  const { counts, targetOf, replaced } = routePairs(table, rows, options);
  const gatherings = new Map<string, Map<string, Gathering>>();
  const ofPair: Gathering[] = [];
  for (let pair = 0; pair < counts.length; pair += 1) {
    const target = targetOf(pair);
    const gathering = gatheringOf(gatherings, table.methods.at(counts.methodId[pair]!)!, target.route);
    addTarget(gathering, target, counts, pair);
    ofPair.push(gathering);
  }
  const durations = durationsByClass(table, rows, (place) => ofPair[counts.ofRow[place]!]!);
  const notices: Notice[] = [];
  const made = new Map<Gathering, RequestClass>();
  for (const ofRoute of gatherings.values())
    for (const gathering of ofRoute.values())
      made.set(gathering, classOf(gathering, durations.get(gathering) ?? NO_DURATIONS, rows.length, notices));
  const classes = [...made.values()].sort(
    (a, b) => b.requestCount - a.requestCount || (a.id < b.id ? -1 : 1),
  );
  const classOfRow = (place: number): RequestClass => made.get(ofPair[counts.ofRow[place]!]!)!;
  return { classes, notices, replaced: replaced(), classOfRow };
}

/** The pairs of target and method of the rows, each with its route, its secrets replaced unless they are to be kept. */
export function routePairs(
  table: LogTable,
  rows: Uint32Array,
  options: ClassOptions,
): {
  readonly counts: TargetCounts;
  readonly targetOf: (pair: number) => RoutedTarget;
  /** What was replaced in targets asked for so far. */
  readonly replaced: () => readonly ReplacedValues[];
} {
  const counts = countTargets(table, rows);
  const routed = routeTargets(table, counts, options.routes ?? [], options.usedRoutes);
  const privacy = options.keepValues === true ? KEEP_VALUES : replaceValues(() => saltOf(routed, counts));
  return {
    counts,
    targetOf: (pair) => privacy.clean(routed(counts.targetId[pair]!)),
    replaced: () => privacy.replaced(),
  };
}

/** The same for the same requests in any order. */
function saltOf(routed: TargetRouter, counts: TargetCounts): number {
  let sum = 0;
  for (let pair = 0; pair < counts.length; pair += 1) {
    const hash = hashText(routed(counts.targetId[pair]!).target, 0);
    sum = (sum + Math.imul(hash, counts.requestCount[pair]!)) | 0;
  }
  return sum;
}

function gatheringOf(
  gatherings: Map<string, Map<string, Gathering>>,
  method: string,
  route: string,
): Gathering {
  let ofRoute = gatherings.get(route);
  if (ofRoute === undefined) gatherings.set(route, (ofRoute = new Map<string, Gathering>()));
  let gathering = ofRoute.get(method);
  if (gathering === undefined) {
    const counts = { requestCount: 0, timedCount: 0, successes: new Map<string, number>() };
    const parameters = { path: new Map(), query: new Map(), hasMoreParameters: false };
    ofRoute.set(method, (gathering = { method, route, ...counts, ...parameters }));
  }
  return gathering;
}

const add = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count);
};

function addTarget(gathering: Gathering, target: RoutedTarget, counts: TargetCounts, pair: number): void {
  const requestCount = counts.requestCount[pair]!;
  const successCount = counts.successCount[pair]!;
  gathering.requestCount += requestCount;
  gathering.timedCount += counts.timedCount[pair]!;
  if (successCount > 0) add(gathering.successes, target.target, successCount);
  for (const place of ['path', 'query'] as const)
    for (const { name, value } of target[`${place}Values`]) {
      const values = valuesOf(gathering, place, name);
      if (values !== undefined) add(values, value, requestCount);
    }
}

/** The values of a parameter; undefined beyond the most that are kept. */
function valuesOf(
  gathering: Gathering,
  place: ParameterPopularity['in'],
  name: string,
): Map<string, number> | undefined {
  const parameters = gathering[place];
  const known = parameters.get(name);
  if (known !== undefined) return known.values;
  if (place === 'query' && parameters.size >= MOST_PARAMETERS) {
    gathering.hasMoreParameters = true;
    return undefined;
  }
  const values = new Map<string, number>();
  parameters.set(name, { name, in: place, values });
  return values;
}

function durationsByClass(
  table: LogTable,
  rows: Uint32Array,
  classOfRow: (place: number) => Gathering,
): ReadonlyMap<Gathering, Float64Array> {
  const filled = new Map<Gathering, { readonly values: Float64Array; count: number }>();
  for (let place = 0; place < rows.length; place += 1) {
    const seconds = table.responseTimeSeconds[rows[place]!]!;
    if (Number.isNaN(seconds)) continue;
    const gathering = classOfRow(place);
    let durations = filled.get(gathering);
    if (durations === undefined) {
      durations = { values: new Float64Array(gathering.timedCount), count: 0 };
      filled.set(gathering, durations);
    }
    durations.values[durations.count++] = seconds;
  }
  return new Map([...filled].map(([gathering, { values }]) => [gathering, values]));
}

function classOf(
  gathering: Gathering,
  durations: Float64Array,
  allCount: number,
  notices: Notice[],
): RequestClass {
  const id = `${gathering.method} ${gathering.route}`;
  const responseTime = timeSummaryOf(durations);
  if (gathering.hasMoreParameters)
    notices.push({
      code: 'parameters-capped',
      severity: 'warning',
      message: `${id} has more than ${MOST_PARAMETERS} names of query parameters; the model describes the first ${MOST_PARAMETERS}, its targets hold all`,
      where: id,
      advice: 'names made anew for each request are a scanner’s, or values that are written as names',
    });
  return {
    id,
    method: gathering.method,
    route: gathering.route,
    requestCount: gathering.requestCount,
    shareRatio: gathering.requestCount / allCount,
    ...(responseTime === undefined ? {} : { responseTimeSeconds: responseTime }),
    parameters: parametersOf(gathering),
    targets: targetSetOf(id, gathering.successes, notices),
  };
}

/** Path parameters in the order of the route, then query parameters by name. */
function parametersOf({ path, query, route }: Gathering): ParameterPopularity[] {
  const placeOf = (one: GatheredParameter): number =>
    one.in === 'path' ? route.indexOf(`${one.name}]`) : Infinity;
  return [...path.values(), ...query.values()]
    .sort((a, b) => {
      const [placeA, placeB] = [placeOf(a), placeOf(b)];
      return placeA === placeB ? (a.name < b.name ? -1 : 1) : placeA - placeB;
    })
    .map(({ name, in: place, values }) => parameterPopularity(name, place, values));
}

/**
 * The targets of a class, most frequent first. Where none is more popular than chance makes it, or the log is
 * too short to tell, every observed target is drawn alike; else in proportion to its count.
 */
function targetSetOf(id: string, successes: ReadonlyMap<string, number>, notices: Notice[]): TargetSet {
  const { kind } = popularityOf(countsInFallingOrder(successes));
  const targets = keysByCount(successes).slice(0, MOST_TARGETS);
  if (targets.length < successes.size)
    notices.push({
      code: 'targets-capped',
      severity: 'warning',
      message: `${id} has ${successes.size} distinct targets; the model keeps the ${MOST_TARGETS} most frequent`,
      where: id,
    });
  const base = { targets, distinctCount: successes.size };
  return kind === 'zipf'
    ? { draw: 'counted', ...base, counts: targets.map((target) => successes.get(target)!) }
    : { draw: 'uniform', ...base };
}

/** Keys by falling count, ties in order of the key: sorted count by count, since most counts are shared by many. */
function keysByCount(counts: ReadonlyMap<string, number>): string[] {
  const byCount = new Map<number, string[]>();
  for (const [key, count] of counts) {
    const keys = byCount.get(count);
    if (keys === undefined) byCount.set(count, [key]);
    else keys.push(key);
  }
  return [...byCount].sort(([a], [b]) => b - a).flatMap(([, keys]) => keys.sort());
}
