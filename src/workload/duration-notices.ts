import type { Notice } from '../model/notice.ts';
import { countText, percentText } from '../stats/wording.ts';
import type { Durations } from './durations.ts';
import { notice } from './make-notice.ts';
import type { UserFindings } from './users.ts';

const LONGEST_PLAUSIBLE_MEDIAN_SECONDS = 600;
const LOG_DURATIONS = 'Log $request_time (nginx) or %D (Apache) with every request to tell the two apart.';

/** What the durations of a log do not tell, and how many of its requests have one. */
export const durationNotices = (
  durations: Durations,
  users: UserFindings,
  requestCount: number,
): readonly (Notice | undefined)[] => [
  noDurations(durations, users),
  fewDurations(durations, users, requestCount),
  someDurations(durations, requestCount),
  implausibleDurations(durations),
];

/** What is told of users without R. */
const withoutR = ({ notIdentifiable }: UserFindings): string =>
  notIdentifiable === undefined
    ? 'R is not known, and Z is the whole cycle R + Z from one request of a client to its next; M = X · cycle holds all the same'
    : 'R is not known';

function noDurations({ knownCount }: Durations, users: UserFindings): Notice | undefined {
  if (knownCount > 0) return undefined;
  return notice('no-durations', 'warning', `the log has no durations: ${withoutR(users)}`, LOG_DURATIONS);
}

const shareText = (count: number, all: number): string =>
  `${count} of ${countText(all, 'request')} (${percentText(count / all)})`;

function fewDurations(
  { knownCount, coverageRatio, responseTime }: Durations,
  users: UserFindings,
  requestCount: number,
): Notice | undefined {
  if (knownCount === 0 || responseTime !== undefined) return undefined;
  return notice(
    'few-durations',
    'warning',
    `only ${shareText(knownCount, requestCount)} have a duration, and these with others of their kind make up ${percentText(coverageRatio)} of the requests: too few to speak for all. ${withoutR(users)}`,
    LOG_DURATIONS,
  );
}

/** A few requests without one (aborted ones, say) change nothing. */
const NEARLY_ALL = 0.95;

function someDurations({ knownCount, responseTime }: Durations, requestCount: number): Notice | undefined {
  if (responseTime === undefined || knownCount >= requestCount * NEARLY_ALL) return undefined;
  return notice(
    'some-durations',
    knownCount * 2 < requestCount ? 'warning' : 'info',
    `${shareText(knownCount, requestCount)} have a duration: R is theirs, each kind of request weighted by its share of all, and the others are taken to last as long as those of their kind`,
    LOG_DURATIONS,
  );
}

function implausibleDurations({ responseTime }: Durations): Notice | undefined {
  if (responseTime === undefined || responseTime.p50 < LONGEST_PLAUSIBLE_MEDIAN_SECONDS) return undefined;
  return notice(
    'duration-unit-implausible',
    'red-flag',
    `half of the requests take more than ${Math.round(responseTime.p50)} s: the unit of the durations is probably wrong`,
    'Give the server’s format string with --format.',
  );
}
