import type { LogTable } from '../model/log-table.ts';
import type { Notice } from '../model/notice.ts';
import { countText, figure, percentText, secondsText } from '../stats/wording.ts';
import type { ReplacedValues } from '../model/workload.ts';
import type { Durations } from './durations.ts';
import { repetitionOf } from './repeated-rows.ts';
import type { RouteRule } from './route-overrides.ts';
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
const LONGEST_PLAUSIBLE_MEDIAN_SECONDS = 600;
const MUCH_REORDERING_SECONDS = 60;

/** What a reader of the model should doubt, with the figures. */
export function workloadNotices(doubts: Doubts): Notice[] {
  return [
    noDurations(doubts),
    fewDurations(doubts),
    someDurations(doubts),
    clientNames(doubts),
    thinkTime(doubts),
    sharedClients(doubts),
    automated(doubts),
    embeddedRequests(doubts),
    coarseStamps(doubts),
    clockOrder(doubts),
    repeatedRequests(doubts),
    shortSpan(doubts),
    longSpan(doubts),
    requestsOverlap(doubts),
    implausibleDurations(doubts),
    replacedValues(doubts),
    droppedRequests(doubts),
    unusedRoutes(doubts),
  ].filter((notice) => notice !== undefined);
}

const notice = (code: string, severity: Notice['severity'], message: string, advice?: string): Notice => ({
  code,
  severity,
  message,
  ...(advice === undefined ? {} : { advice }),
});

const LOG_DURATIONS = 'Log $request_time (nginx) or %D (Apache) with every request to tell the two apart.';

/** What is told of users without R. */
const withoutR = ({ notIdentifiable }: UserFindings): string =>
  notIdentifiable === undefined
    ? 'R is not known, and Z is the whole cycle R + Z from one request of a client to its next; M = X · cycle holds all the same'
    : 'R is not known';

function noDurations({ durations, users }: Doubts): Notice | undefined {
  if (durations.knownCount > 0) return undefined;
  return notice('no-durations', 'warning', `the log has no durations: ${withoutR(users)}`, LOG_DURATIONS);
}

const shareText = (count: number, all: number): string =>
  `${count} of ${countText(all, 'request')} (${percentText(count / all)})`;

function fewDurations({ durations, users, rows }: Doubts): Notice | undefined {
  const { knownCount, coverageRatio, responseTime } = durations;
  if (knownCount === 0 || responseTime !== undefined) return undefined;
  return notice(
    'few-durations',
    'warning',
    `only ${shareText(knownCount, rows.length)} have a duration, and these with others of their kind make up ${percentText(coverageRatio)} of the requests: too few to speak for all. ${withoutR(users)}`,
    LOG_DURATIONS,
  );
}

/** A few requests without one (aborted ones, say) change nothing. */
const NEARLY_ALL = 0.95;

function someDurations({ durations, rows }: Doubts): Notice | undefined {
  const { knownCount, responseTime } = durations;
  if (responseTime === undefined || knownCount >= rows.length * NEARLY_ALL) return undefined;
  return notice(
    'some-durations',
    knownCount * 2 < rows.length ? 'warning' : 'info',
    `${shareText(knownCount, rows.length)} have a duration: R is theirs, each kind of request weighted by its share of all, and the others are taken to last as long as those of their kind`,
    LOG_DURATIONS,
  );
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

function implausibleDurations({ durations: { responseTime } }: Doubts): Notice | undefined {
  if (responseTime === undefined || responseTime.p50 < LONGEST_PLAUSIBLE_MEDIAN_SECONDS) return undefined;
  return notice(
    'duration-unit-implausible',
    'red-flag',
    `half of the requests take more than ${Math.round(responseTime.p50)} s: the unit of the durations is probably wrong`,
    'Give the server’s format string with --format.',
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

const MOST_NAMED = 5;

/** Routes that were given and fit nothing are mistyped, out of date, or behind an earlier one that takes all of theirs. */
function unusedRoutes({ unusedRoutes: unused, routeCount }: Doubts): Notice | undefined {
  if (unused.length === 0) return undefined;
  const named = unused.slice(0, MOST_NAMED).map((rule) => {
    const text =
      rule.kind === 'regex'
        ? `regex ${rule.regex.source}`
        : `${rule.kind === 'drop' ? 'drop ' : ''}${rule.route}`;
    const line = /:(\d+)$/.exec(rule.where ?? '')?.[1];
    return line === undefined ? text : `${text} (line ${line})`;
  });
  const more = unused.length > MOST_NAMED ? ` and ${unused.length - MOST_NAMED} more` : '';
  const where = unused[0]!.where;
  return {
    ...notice(
      'routes-unused',
      unused.length === routeCount ? 'warning' : 'info',
      `${unused.length} of ${countText(routeCount, 'given route')} fit no request of the window, or none that an earlier route leaves: ${named.join(', ')}${more}`,
      'Look for a mistyped path or a prefix that the log does not have; [id] fits numbers only, other names any text.',
    ),
    ...(where !== undefined && { where }),
  };
}
