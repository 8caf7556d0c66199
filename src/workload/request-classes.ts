import type { LogTable } from '../model/log-table.ts';
import type { Notice } from '../model/notice.ts';
import type { ParameterPopularity, ReplacedValues, RequestClass, TargetSet } from '../model/workload.ts';
import { routeTargets, type RoutedTarget } from './class-routes.ts';
import { countsInFallingOrder, parameterPopularity, popularityOf } from './popularity.ts';
import { hashText, KEEP_VALUES, replaceValues } from './privacy.ts';
import type { RouteRule } from './route-overrides.ts';
import { timeSummaryOf } from './summary.ts';
import { countTargets, type TargetCount } from './target-counts.ts';

/** Distinct targets kept per class; more would make the model larger than the log is worth. */
export const MOST_TARGETS = 200_000;

export interface ClassOptions {
  /** Routes that come before what is learned. */
  readonly routes?: readonly RouteRule[];
  /** Keep the values of parameters that look like secrets or personal data. */
  readonly keepValues?: boolean;
}

/** What is gathered for one class while its targets go by. */
interface Gathering {
  readonly method: string;
  readonly route: string;
  requestCount: number;
  timedCount: number;
  /** By target text: two spellings in the log may be one target. */
  readonly successes: Map<string, number>;
  readonly parameters: Map<string, Map<string, number>>;
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
} {
  const { counts, countOfRow } = countTargets(table, rows);
  const routed = routeTargets(table, counts, options.routes ?? []);
  const privacy = options.keepValues === true ? KEEP_VALUES : replaceValues(() => saltOf(routed, counts));
  const gatherings = new Map<string, Gathering>();
  const ofCount = counts.map((count) => {
    const target = privacy.clean(routed.get(count.targetId)!);
    const gathering = gatheringOf(gatherings, table.methods.at(count.methodId)!, target.route);
    addTarget(gathering, target, count);
    return gathering;
  });
  const durations = durationsByClass(table, rows, (place) => ofCount[countOfRow[place]!]!);
  const notices: Notice[] = [];
  const classes = [...gatherings.values()]
    .map((gathering) => classOf(gathering, durations.get(gathering)!, rows.length, notices))
    .sort((a, b) => b.requestCount - a.requestCount || (a.id < b.id ? -1 : 1));
  return { classes, notices, replaced: privacy.replaced() };
}

/** The same for the same requests in any order. */
const saltOf = (routed: ReadonlyMap<number, RoutedTarget>, counts: readonly TargetCount[]): number =>
  counts.reduce(
    (sum, { targetId, requestCount }) =>
      (sum + Math.imul(hashText(routed.get(targetId)!.target, 0), requestCount)) | 0,
    0,
  );

function gatheringOf(gatherings: Map<string, Gathering>, method: string, route: string): Gathering {
  const id = `${method} ${route}`;
  const known = gatherings.get(id);
  if (known !== undefined) return known;
  const gathering: Gathering = {
    method,
    route,
    requestCount: 0,
    timedCount: 0,
    successes: new Map(),
    parameters: new Map(),
  };
  gatherings.set(id, gathering);
  return gathering;
}

const add = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count);
};

function addTarget(gathering: Gathering, target: RoutedTarget, count: TargetCount): void {
  const { requestCount, successCount, timedCount } = count;
  gathering.requestCount += requestCount;
  gathering.timedCount += timedCount;
  if (successCount > 0) add(gathering.successes, target.target, successCount);
  for (const { name, value } of target.pathValues)
    add(valuesOf(gathering, `path ${name}`), value, requestCount);
  for (const { name, value } of target.queryValues)
    add(valuesOf(gathering, `query ${name}`), value, requestCount);
}

function valuesOf(gathering: Gathering, key: string): Map<string, number> {
  const known = gathering.parameters.get(key);
  if (known !== undefined) return known;
  const values = new Map<string, number>();
  gathering.parameters.set(key, values);
  return values;
}

function durationsByClass(
  table: LogTable,
  rows: Uint32Array,
  classOfRow: (place: number) => Gathering,
): ReadonlyMap<Gathering, Float64Array> {
  const filled = new Map<Gathering, { readonly values: Float64Array; count: number }>();
  rows.forEach((row, place) => {
    const gathering = classOfRow(place);
    let durations = filled.get(gathering);
    if (durations === undefined)
      filled.set(gathering, (durations = { values: new Float64Array(gathering.timedCount), count: 0 }));
    const seconds = table.responseTimeSeconds[row]!;
    if (!Number.isNaN(seconds)) durations.values[durations.count++] = seconds;
  });
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
function parametersOf({ parameters, route }: Gathering): ParameterPopularity[] {
  const placeOf = (key: string): number =>
    key.startsWith('path ') ? route.indexOf(`${key.slice(5)}]`) : Infinity;
  return [...parameters]
    .sort(([a], [b]) => {
      const [placeA, placeB] = [placeOf(a), placeOf(b)];
      return placeA === placeB ? (a < b ? -1 : 1) : placeA - placeB;
    })
    .map(([key, values]) => {
      const place = key.startsWith('path ') ? 'path' : 'query';
      return parameterPopularity(key.slice(place.length + 1), place, values);
    });
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
