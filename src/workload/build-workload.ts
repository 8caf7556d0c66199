import { ShiploadError } from '../errors.ts';
import type { LogTable } from '../model/log-table.ts';
import type { Notice } from '../model/notice.ts';
import type { WorkloadModel } from '../model/workload.ts';
import { cleanExample } from './sensitive-texts.ts';
import { requestClassesOf, type ClassOptions } from './request-classes.ts';
import { durationsOf } from './durations.ts';
import { loggedOf } from './logged.ts';
import { compileOverrides, type RouteRule } from './route-overrides.ts';
import { cutTarget } from './target-path.ts';
import { requestThinkTime } from './request-think-time.ts';
import { targetKinds } from './target-kinds.ts';
import { findUsers, type UserFindings } from './users.ts';
import { DEFAULT_WINDOW, wholeLogOf, windowOf, type Window } from './window.ts';
import { workloadNotices } from './workload-notices.ts';

export interface WorkloadOptions extends ClassOptions {
  /** `all`, `busiest:15m` (the default) or `FROM..TO`. */
  readonly window?: string;
  /** A longer pause of a client ends its session. */
  readonly sessionTimeoutSeconds?: number;
}

const DEFAULT_SESSION_TIMEOUT_SECONDS = 30 * 60;
const LEAST_SPAN_SECONDS = 1;
const SECONDS_PER_MINUTE = 60;
const MOST_MINUTES = 366 * 24 * 60;

/**
 * The workload of a log: what is asked for (classes, parameters, targets), how much (X, the busiest minute)
 * and by whom (Z, R, M = X(R + Z), the interactive response-time law turned to the users; Lazowska et al.
 * 1984, chapter 3). Without durations the cycle from start to start stands for R + Z. What the log cannot
 * tell is missing, and a warning says why. The order of the log's lines makes no difference.
 * Throws `log-empty` when no line was a request, `option-invalid` and `log-window-empty` for the window.
 */
export function buildWorkload(table: LogTable, options: WorkloadOptions = {}): WorkloadModel {
  if (table.rowCount === 0) throw nothingToModel(table);
  const usedRoutes = new Set<RouteRule>();
  const noting = { ...options, usedRoutes };
  const { starts, window, inWindow, rows } = modelledRows(table, noting);
  const timeoutSeconds = options.sessionTimeoutSeconds ?? DEFAULT_SESSION_TIMEOUT_SECONDS;
  const { classes, notices, replaced, classOfRow } = requestClassesOf(table, rows, noting);
  const durations = durationsOf(table, rows, classOfRow);
  const { responseTime, knownCount } = durations;
  const hasDurations = responseTime !== undefined;
  const spanSeconds = spanOf(table, window);
  const throughputPerSecond = rows.length / spanSeconds;
  const kinds = targetKinds(table);
  const users = findUsers({
    table: durations.table,
    rows,
    kinds,
    hasDurations,
    spanSeconds,
    timeoutSeconds,
  });
  const minutes = perMinute(table, rows, window, spanSeconds);
  const logged = loggedOf(table, rows, window);
  return {
    kind: 'workload',
    schemaVersion: 1,
    files: table.files,
    format: table.format,
    timestampMeaning: table.timestampMeaning,
    lines: table.lines,
    lineExamples: table.lineExamples.map((example) => ({
      ...example,
      text: cleanExample(example.text, options.keepValues === true),
    })),
    window: { rule: window.rule, fromSeconds: window.fromSeconds, toSeconds: window.toSeconds },
    requestCount: rows.length,
    clientCount: distinctClients(table, rows),
    spanSeconds,
    throughputPerSecond,
    busiestMinutePerSecond: minutes.busiestPerSecond,
    requestsPerMinute: minutes.counts,
    ...(logged === undefined ? {} : { logged }),
    ...(window.isCut ? { wholeLog: table.overview ?? wholeLogOf(starts) } : {}),
    ...(responseTime === undefined ? {} : { responseTimeSeconds: responseTime }),
    ...(knownCount > 0 && knownCount < rows.length ? { timedRequestCount: knownCount } : {}),
    ...userFigures(users, throughputPerSecond, responseTime?.mean ?? 0),
    ...(replaced.length === 0 ? {} : { replacedValues: replaced }),
    requestClasses: classes,
    warnings: [
      ...table.notices,
      ...workloadNotices({
        table,
        rows,
        spanSeconds,
        throughputPerSecond,
        users,
        durations,
        replaced,
        droppedCount: inWindow.length - rows.length,
        unusedRoutes: (options.routes ?? []).filter((rule) => !usedRoutes.has(rule)),
        routeCount: options.routes?.length ?? 0,
      }),
      ...notices,
    ] satisfies readonly Notice[],
  };
}

/** The window and the rows of a table that are modelled: in the window, and not dropped by the routes file. */
export function modelledRows(
  table: LogTable,
  options: WorkloadOptions,
): {
  readonly starts: Float64Array;
  readonly window: Window;
  readonly inWindow: Uint32Array;
  readonly rows: Uint32Array;
} {
  const starts = Float64Array.from(table.atSeconds).sort();
  const window = windowOf(options.window ?? DEFAULT_WINDOW, starts);
  const inWindow = rowsIn(table, window);
  return { starts, window, inWindow, rows: withoutDropped(table, inWindow, options) };
}

function userFigures(
  users: UserFindings,
  throughputPerSecond: number,
  responseTimeSeconds: number,
): Partial<WorkloadModel> {
  const { clientKey, automated, shared, steps, sessions, thinkTime, activeUsers } = users;
  const pause = requestThinkTime(users, throughputPerSecond, responseTimeSeconds);
  return {
    clientKey,
    ...(thinkTime === undefined ? {} : { thinkTimeSeconds: thinkTime }),
    ...(activeUsers === undefined ? {} : { activeUsers }),
    ...(pause === undefined ? {} : { requestThinkTimeSeconds: pause }),
    ...(steps === undefined ? {} : { steps }),
    ...(automated.length === 0 ? {} : { automated }),
    ...(shared.clientCount === 0 ? {} : { sharedClients: shared }),
    ...(sessions === undefined ? {} : { sessions }),
  };
}

function nothingToModel(table: LogTable): ShiploadError {
  const { total, badRequest } = table.lines;
  return new ShiploadError(
    'log-empty',
    `none of the ${total} lines holds a request to model (${badRequest} hold one that no server understands)`,
    { where: table.files.join(', '), hint: 'Give a log of a time when the service was used.' },
  );
}

function rowsIn(table: LogTable, window: Window): Uint32Array {
  const rows = new Uint32Array(table.rowCount);
  let count = 0;
  for (let row = 0; row < table.rowCount; row += 1) {
    const at = table.atSeconds[row]!;
    const isInside = !window.isCut || (at >= window.fromSeconds && at < window.toSeconds);
    if (isInside) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

/** Leaves out what the routes file drops. */
function withoutDropped(
  table: LogTable,
  rows: Uint32Array,
  { routes = [], usedRoutes }: WorkloadOptions,
): Uint32Array {
  if (!routes.some(({ kind }) => kind === 'drop')) return rows;
  const overrideOf = compileOverrides(routes, usedRoutes);
  const dropped = new Map<number, boolean>();
  const kept = rows.filter((row) => {
    const id = table.targetIds[row]!;
    if (!dropped.has(id)) dropped.set(id, overrideOf(cutTarget(table.targets.at(id)!)) === 'drop');
    return dropped.get(id) === false;
  });
  if (kept.length > 0) return kept;
  throw new ShiploadError('log-empty', 'the routes file drops every request of the window', {
    hint: 'Take a "drop" line out of the routes file.',
  });
}

/**
 * First to last start, at least one step of the stamps and a second, which is what rates are given by; the window's own
 * length where it was cut.
 */
function spanOf(table: LogTable, window: Window): number {
  const length = Math.round((window.toSeconds - window.fromSeconds) * 1e6) / 1e6;
  return window.isCut ? length : Math.max(length, table.stampResolutionSeconds, LEAST_SPAN_SECONDS);
}

/** Requests per bin of 60 s, counted from the first request; no list for a log of more than a year. */
function perMinute(
  table: LogTable,
  rows: Uint32Array,
  window: Window,
  spanSeconds: number,
): { readonly counts: number[]; readonly busiestPerSecond: number } {
  const first = rows.reduce((least, row) => Math.min(least, table.atSeconds[row]!), Infinity);
  const counts = minuteCounts(table, rows, first);
  const last = [...counts.keys()].reduce((most, minute) => Math.max(most, minute), 0);
  const length = last < MOST_MINUTES ? last + 1 : 0;
  const zero = window.isCut ? first : 0;
  const ofMinutes = window.isCut ? counts : minuteCounts(table, rows, 0);
  return {
    counts: Array.from({ length }, (_, minute) => counts.get(minute) ?? 0),
    busiestPerSecond: busiestRate(ofMinutes, first - zero, spanSeconds, rows.length),
  };
}

/**
 * The rate of the busiest minute. One that the stretch covers half or more of counts with the part covered, a smaller
 * part as a whole minute, for a burst of a second is none; so the rate is never below that of the whole stretch.
 */
function busiestRate(
  counts: ReadonlyMap<number, number>,
  fromSeconds: number,
  spanSeconds: number,
  requestCount: number,
): number {
  const toSeconds = fromSeconds + spanSeconds;
  let busiest = requestCount / spanSeconds;
  for (const [minute, count] of counts) {
    const begin = Math.max(fromSeconds, minute * SECONDS_PER_MINUTE);
    const covered = Math.min(toSeconds, (minute + 1) * SECONDS_PER_MINUTE) - begin;
    const seconds = covered >= SECONDS_PER_MINUTE / 2 ? covered : SECONDS_PER_MINUTE;
    busiest = Math.max(busiest, count / seconds);
  }
  return busiest;
}

function minuteCounts(table: LogTable, rows: Uint32Array, zeroSeconds: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const since = Math.round((table.atSeconds[row]! - zeroSeconds) * 1e6) / 1e6;
    const minute = Math.floor(since / SECONDS_PER_MINUTE);
    counts.set(minute, (counts.get(minute) ?? 0) + 1);
  }
  return counts;
}

function distinctClients(table: LogTable, rows: Uint32Array): number {
  const seen = new Uint8Array(table.clients.length);
  let count = 0;
  for (const row of rows) {
    const id = table.clientIds[row]!;
    if (seen[id] === 0) count += 1;
    seen[id] = 1;
  }
  return count;
}
