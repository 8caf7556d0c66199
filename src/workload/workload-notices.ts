import type { LogTable } from '../model/log-table.ts';
import type { Notice } from '../model/notice.ts';
import { countText, figure, percentText, secondsText } from '../stats/wording.ts';
import type { ReplacedValues } from '../model/workload.ts';
import type { Durations } from './durations.ts';
import { durationNotices } from './duration-notices.ts';
import { notice } from './make-notice.ts';
import { repetitionOf } from './repeated-rows.ts';
import type { RouteRule } from './route-overrides.ts';
import { unusedRoutes } from './unused-routes.ts';
import type { UserFindings } from './users.ts';

interface Doubts {
  readonly table: LogTable;
  readonly rows: Uint32Array;
  readonly spanSeconds: number;
  readonly throughputPerSecond: number;
  readonly users: UserFindings;
  readonly durations: Durations;
  readonly replaced: readonly ReplacedValues[];
  readonly droppedCount: number;
  /** Given routes that no request was matched by, and how many were given. */
  readonly unusedRoutes: readonly RouteRule[];
  readonly routeCount: number;
}

const LEAST_SPAN_SECONDS = 60;
const LONGEST_SPAN_SECONDS = 366 * 86_400;
const MUCH_REORDERING_SECONDS = 60;
const MOST_DOUBTFUL_RATIO = 0.5;

/** What a reader of the model should doubt, with the figures. */
export function workloadNotices(doubts: Doubts): Notice[] {
  return [
    ...durationNotices(doubts.durations, doubts.users, doubts.rows.length),
    clientNames(doubts),
    thinkTime(doubts),
    sharedClients(doubts),
    crowdedAddresses(doubts),
    automated(doubts),
    embeddedRequests(doubts),
    coarseStamps(doubts),
    clockOrder(doubts),
    repeatedRequests(doubts),
    shortSpan(doubts),
    longSpan(doubts),
    requestsOverlap(doubts),
    replacedValues(doubts),
    droppedRequests(doubts),
    unusedRoutes(doubts.unusedRoutes, doubts.routeCount),
  ].filter((notice) => notice !== undefined);
}

/** Which key was chosen, and why, where the log names users. */
function clientNames({ users, rows }: Doubts): Notice | undefined {
  if (users.names === undefined) return undefined;
  const { nameCount, addressCount, sharedCount } = users.names;
  const named = `the log names ${countText(nameCount, 'user')} at ${addressCount === 1 ? 'one address' : `${addressCount} addresses`}`;
  const other = users.clientKey === 'address' ? 'address' : 'address and user agent';
  if (sharedCount === nameCount)
    return notice(
      'client-key',
      'info',
      `${named}: ${nameCount === 1 ? 'a name that several share tells' : 'names that so many share tell'} nobody apart, so clients are told apart by ${other}`,
    );
  const shared =
    sharedCount === 0
      ? 'none is shared by many addresses within an hour'
      : `${countText(sharedCount, 'name')} shared by many addresses within an hour ${sharedCount === 1 ? 'is' : 'are'} set aside`;
  const rest =
    rows.length > 0 && users.clientKey !== 'user' ? '; most requests have no name and go by address' : '';
  return notice('client-key', 'info', `${named}, and clients are told apart by name: ${shared}${rest}`);
}

function thinkTime({ users, throughputPerSecond }: Doubts): Notice | undefined {
  if (users.notIdentifiable === undefined) return undefined;
  return notice(
    'think-time-not-identifiable',
    'warning',
    `think time, and so the number of users, cannot be told from this log: ${users.notIdentifiable}`,
    `Run open arrivals at ${figure(throughputPerSecond)} requests/s instead of a number of users, or log the forwarded address of the client.`,
  );
}

/** Where all addresses have several user agents, nobody shows the pace of one user. */
function crowdedAddresses({ users, throughputPerSecond }: Doubts): Notice | undefined {
  const { doubtfulRatio = 0, notIdentifiable } = users;
  if (doubtfulRatio <= MOST_DOUBTFUL_RATIO || notIdentifiable !== undefined) return undefined;
  return notice(
    'addresses-crowded',
    'warning',
    `${percentText(doubtfulRatio)} of the requests come from addresses with three user agents and more, and too few from others to compare with: several users may have the same agent, and Z and M are then too low`,
    `Run open arrivals at ${figure(throughputPerSecond)} requests/s instead of a number of users, or log a session or user name.`,
  );
}

function sharedClients({ users }: Doubts): Notice | undefined {
  const { clientCount, requestCount } = users.shared;
  if (clientCount === 0 || users.notIdentifiable !== undefined) return undefined;
  return notice(
    'shared-clients',
    'info',
    `${countText(clientCount, 'client')} of ${users.clientKeyCount} (${requestCount} requests) overlap themselves, are far faster than the others or have no name: they stand for several users each, and Z is taken from the rest`,
  );
}

function automated({ users, rows }: Doubts): Notice | undefined {
  if (users.automated.length === 0) return undefined;
  const count = users.automated.reduce((sum, { requestCount }) => sum + requestCount, 0);
  return notice(
    'automated-traffic',
    'info',
    `${percentText(count / rows.length)} of the requests come from bots, health checks or scanners: they count in X and the mix, not in users and think time`,
  );
}

function embeddedRequests({ users, rows }: Doubts): Notice | undefined {
  if (users.embeddedCount === 0) return undefined;
  return notice(
    'embedded-requests',
    'info',
    `${percentText(users.embeddedCount / rows.length)} of the requests have no extension and follow the page that is their referer within a second: they are part of its step, not steps of their own`,
  );
}

function coarseStamps({ table }: Doubts): Notice | undefined {
  if (table.stampResolutionSeconds < 1) return undefined;
  return notice(
    'one-second-stamps',
    'info',
    'times are stamped to the second: means hold, but the median and low quantiles of Z do not',
    'Log $msec (nginx) or %{begin:usec}t (Apache) for finer ones.',
  );
}

/** Lines are written when requests end, so starts may step back by a duration; more than that is another clock. */
function clockOrder({ table }: Doubts): Notice | undefined {
  let latest = -Infinity;
  let most = 0;
  for (let row = 0; row < table.rowCount; row += 1) {
    const at = table.atSeconds[row]!;
    const seconds = table.responseTimeSeconds[row]!;
    latest = Math.max(latest, at);
    most = Math.max(most, latest - at - (seconds > 0 ? seconds : 0));
  }
  // Of a log that comes once, lines of a second format are read a little after their neighbours.
  const isJoined = table.files.length > 1 || table.format.includes(' + ');
  if (most <= MUCH_REORDERING_SECONDS || isJoined) return undefined;
  return notice(
    'clock-order',
    'info',
    `the times of the lines step back by up to ${longText(most)}: the log was merged, or the clock was set; requests are put in the order of their times`,
  );
}

function repeatedRequests({ table, rows }: Doubts): Notice | undefined {
  const times = repetitionOf(table, rows);
  if (times === undefined) return undefined;
  return notice(
    'requests-repeated',
    'warning',
    `nearly every request stands in the log ${figure(times)} times, alike in all that is known of it: X is that many times too high if a file was given or shipped more than once`,
    'Give each file once; if clients do repeat themselves within a step of the time stamps, all is well.',
  );
}

const LONG_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A long time in the largest unit that it has two of. */
function longText(seconds: number): string {
  const unit = LONG_UNITS.find(([, size]) => seconds >= 2 * size);
  return unit === undefined ? `${Math.round(seconds)} s` : countText(Math.round(seconds / unit[1]), unit[0]);
}

function shortSpan({ spanSeconds }: Doubts): Notice | undefined {
  if (spanSeconds >= LEAST_SPAN_SECONDS) return undefined;
  return notice(
    'span-too-short',
    'warning',
    `the requests span only ${secondsText(spanSeconds)}: rates per second from so short a stretch are uncertain`,
  );
}

function longSpan({ spanSeconds }: Doubts): Notice | undefined {
  if (spanSeconds < LONGEST_SPAN_SECONDS) return undefined;
  return notice(
    'span-too-long',
    'warning',
    `the requests span ${Math.round(spanSeconds / 86_400)} days: rates over so long a time are those of no moment in it`,
    'Give a window with --window, or look for lines with a wrong date.',
  );
}

/** Where steps run into each other, M users sending one request after the other cannot make X. */
function requestsOverlap({
  users,
  throughputPerSecond,
  durations: { responseTime },
}: Doubts): Notice | undefined {
  const { activeUsers } = users;
  if (activeUsers === undefined || activeUsers > throughputPerSecond * (responseTime?.mean ?? 0))
    return undefined;
  return notice(
    'requests-overlap',
    'warning',
    `M = ${figure(activeUsers)} users send several requests at once: sent one after the other, they make less than X`,
    `Run open arrivals at ${figure(throughputPerSecond)} requests/s to make the whole of X.`,
  );
}

function replacedValues({ replaced }: Doubts): Notice | undefined {
  if (replaced.length === 0) return undefined;
  const names = replaced.map(
    ({ name, valueCount }) => `${name || 'the bare query'} (${countText(valueCount, 'value')})`,
  );
  return notice(
    'values-replaced',
    'info',
    `values that look like secrets or personal data were replaced by made-up ones of the same shape: ${names.join(', ')}`,
    'Give --keep-values if the service must see the real ones.',
  );
}

function droppedRequests({ droppedCount }: Doubts): Notice | undefined {
  if (droppedCount === 0) return undefined;
  return notice(
    'requests-dropped',
    'info',
    `${countText(droppedCount, 'request')} left out by the routes file`,
  );
}
