import type { LogTable } from '../model/log-table.ts';
import type { Notice } from '../model/notice.ts';
import type { ParameterPopularity, RequestClass, TargetSet } from '../model/workload.ts';
import { routeTargets, type RoutedTarget } from './class-routes.ts';
import { byCountThenValue, parameterPopularity, popularityOf } from './popularity.ts';
import { timeSummaryOf } from './summary.ts';

/** Distinct targets kept per class; more would make the model larger than the log is worth. */
export const MOST_TARGETS = 200_000;

const FIRST_FAILURE_STATUS = 400;

/** What is gathered for one class while its rows go by. */
interface Gathering {
  readonly method: string;
  readonly route: string;
  requestCount: number;
  readonly durations: number[];
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
): { classes: RequestClass[]; notices: Notice[] } {
  const notices: Notice[] = [];
  const classes = gatherClasses(table, rows)
    .map((gathering) => classOf(gathering, rows.length, notices))
    .sort((a, b) => b.requestCount - a.requestCount || (a.id < b.id ? -1 : 1));
  return { classes, notices };
}

function gatherClasses(table: LogTable, rows: Uint32Array): Gathering[] {
  const routed = routeTargets(table, rows);
  const gatherings = new Map<string, Gathering>();
  const byMethodAndTarget = new Map<number, Gathering>();
  const methodCount = table.methods.length;
  for (const row of rows) {
    const key = table.targetIds[row]! * methodCount + table.methodIds[row]!;
    const target = routed.get(table.targetIds[row]!)!;
    let gathering = byMethodAndTarget.get(key);
    if (gathering === undefined) {
      gathering = gatheringOf(gatherings, table.methods.at(table.methodIds[row]!)!, target.route);
      byMethodAndTarget.set(key, gathering);
    }
    addRow(gathering, target, table.status[row]!, table.responseTimeSeconds[row]!);
  }
  return [...gatherings.values()];
}

function gatheringOf(gatherings: Map<string, Gathering>, method: string, route: string): Gathering {
  const id = `${method} ${route}`;
  const known = gatherings.get(id);
  if (known !== undefined) return known;
  const gathering: Gathering = {
    method,
    route,
    requestCount: 0,
    durations: [],
    successes: new Map(),
    parameters: new Map(),
  };
  gatherings.set(id, gathering);
  return gathering;
}

const increment = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

function addRow(gathering: Gathering, target: RoutedTarget, status: number, seconds: number): void {
  gathering.requestCount += 1;
  if (!Number.isNaN(seconds)) gathering.durations.push(seconds);
  if (status > 0 && status < FIRST_FAILURE_STATUS) increment(gathering.successes, target.target);
  for (const { name, value } of target.pathValues) increment(valuesOf(gathering, `path ${name}`), value);
  for (const { name, value } of target.queryValues) increment(valuesOf(gathering, `query ${name}`), value);
}

function valuesOf(gathering: Gathering, key: string): Map<string, number> {
  const known = gathering.parameters.get(key);
  if (known !== undefined) return known;
  const values = new Map<string, number>();
  gathering.parameters.set(key, values);
  return values;
}

function classOf(gathering: Gathering, allCount: number, notices: Notice[]): RequestClass {
  const id = `${gathering.method} ${gathering.route}`;
  const responseTime = timeSummaryOf(Float64Array.from(gathering.durations));
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
    key.startsWith('path ') ? route.indexOf(`[${key.slice(5)}]`) : Infinity;
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
 * The targets of a class. Where none is more popular than chance makes it, or the log is too short to tell,
 * every observed target is drawn alike; else in proportion to its count.
 */
function targetSetOf(id: string, successes: ReadonlyMap<string, number>, notices: Notice[]): TargetSet {
  const ranked = [...successes].map(([value, count]) => ({ value, count })).sort(byCountThenValue);
  const { kind } = popularityOf(ranked.map(({ count }) => count));
  const kept = ranked.slice(0, MOST_TARGETS);
  if (kept.length < ranked.length)
    notices.push({
      code: 'targets-capped',
      severity: 'warning',
      message: `${id} has ${ranked.length} distinct targets; the model keeps the ${MOST_TARGETS} most frequent`,
      where: id,
    });
  const base = { targets: kept.map(({ value }) => value), distinctCount: ranked.length };
  return kind === 'zipf'
    ? { draw: 'counted', ...base, counts: kept.map(({ count }) => count) }
    : { draw: 'uniform', ...base };
}
