import type { LogTable } from '../model/log-table.ts';
import type { Notice } from '../model/notice.ts';
import type { TimeSummary } from '../model/workload.ts';
import type { SessionFindings } from './sessions.ts';

interface Doubts {
  readonly table: LogTable;
  readonly rows: Uint32Array;
  readonly spanSeconds: number;
  readonly sessions: SessionFindings;
  readonly responseTime: TimeSummary | undefined;
  readonly hasDurations: boolean;
}

const LEAST_SPAN_SECONDS = 60;
const LONGEST_PLAUSIBLE_MEDIAN_SECONDS = 600;
const MUCH_REORDERING_SECONDS = 60;

/** What a reader of the model should doubt, with the figures. */
export function workloadNotices(doubts: Doubts): Notice[] {
  return [
    noDurations(doubts),
    thinkTime(doubts),
    sharedClients(doubts),
    coarseStamps(doubts),
    clockOrder(doubts),
    shortSpan(doubts),
    implausibleDurations(doubts),
  ].filter((notice) => notice !== undefined);
}

const notice = (code: string, severity: Notice['severity'], message: string, advice?: string): Notice => ({
  code,
  severity,
  message,
  ...(advice === undefined ? {} : { advice }),
});

function noDurations({ hasDurations, sessions }: Doubts): Notice | undefined {
  if (hasDurations) return undefined;
  const meaning =
    sessions.notIdentifiable === undefined
      ? 'R is not known, and Z is the whole cycle R + Z from one request of a client to its next; M = X · cycle holds all the same'
      : 'R is not known';
  return notice(
    'no-durations',
    'warning',
    `the log has no durations: ${meaning}`,
    'Log $request_time (nginx) or %D (Apache) to tell the two apart.',
  );
}

function thinkTime({ sessions }: Doubts): Notice | undefined {
  if (sessions.notIdentifiable === undefined) return undefined;
  return notice(
    'think-time-not-identifiable',
    'warning',
    `think time, and so the number of users, cannot be told from this log: ${sessions.notIdentifiable}`,
    'Run at an arrival rate instead of a number of users, or log the forwarded address of the client.',
  );
}

function sharedClients({ sessions }: Doubts): Notice | undefined {
  if (sessions.sharedClientCount === 0 || sessions.notIdentifiable !== undefined) return undefined;
  return notice(
    'shared-clients',
    'info',
    `${sessions.sharedClientCount} of ${sessions.clientKeyCount} clients overlap themselves or are far faster than the others: they stand for several users each, and Z is taken from the rest`,
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
  if (most <= MUCH_REORDERING_SECONDS || table.files.length > 1) return undefined;
  return notice(
    'clock-order',
    'info',
    `the times of the lines step back by up to ${Math.round(most)} s: the log was merged, or the clock was set; requests are put in the order of their times`,
  );
}

function shortSpan({ spanSeconds }: Doubts): Notice | undefined {
  if (spanSeconds >= LEAST_SPAN_SECONDS) return undefined;
  return notice(
    'span-too-short',
    'warning',
    `the requests span only ${spanSeconds} s: rates per second from so short a stretch are uncertain`,
  );
}

function implausibleDurations({ responseTime }: Doubts): Notice | undefined {
  if (responseTime === undefined || responseTime.p50 < LONGEST_PLAUSIBLE_MEDIAN_SECONDS) return undefined;
  return notice(
    'duration-unit-implausible',
    'red-flag',
    `half of the requests take more than ${Math.round(responseTime.p50)} s: the unit of the durations is probably wrong`,
    'Give the server’s format string with --format.',
  );
}
