import type { StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { percentileOf } from '../stats/histogram.ts';

type Counts = Readonly<Record<string, number>>;
type Failing = Pick<
  StepMeasurement,
  'errorCodes' | 'statusCounts' | 'outcomeCounts' | 'retriedCount' | 'transport'
>;

/** What the generator itself ran out of, by the system's code. */
const EXHAUSTIONS = [
  {
    codes: ['EADDRNOTAVAIL'],
    code: 'generator-out-of-ports',
    what: 'the generator had no local port left',
    advice: 'keep connections (--connections reuse), or widen net.ipv4.ip_local_port_range',
  },
  {
    codes: ['EMFILE', 'ENFILE'],
    code: 'generator-out-of-descriptors',
    what: 'the generator had no file descriptor left',
    advice: 'raise the limit (ulimit -n), or ask for fewer users',
  },
] as const;

/** How far a request had come when it was given up. */
const TIMEOUT_PHASES: readonly (readonly [code: string, words: string])[] = [
  ['connect-timeout', 'before the connection stood'],
  ['first-byte-timeout', 'before the first byte of the answer'],
  ['timeout', 'in the middle of the answer'],
];

/** Share of answers from which on a step measured redirects and not the pages behind them. */
const ALL_REDIRECTS_RATIO = 0.99;
/** Share of requests sent again that is still put down to chance. */
const FEW_SENT_AGAIN_RATIO = 0.01;
/** In a short step a single race is more than that. */
const FEW_SENT_AGAIN_COUNT = 2;
/** Requests a connection carries at least where connecting is no part of the story. */
const FEW_REQUESTS_PER_CONNECTION = 20;

const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/**
 * What went wrong with requests in a step, apart by kind, and what happened beneath them: failures of the generator
 * as red flags (they say nothing of the service), a step of nothing but redirects as a warning, the rest to know.
 */
export function failureNotices(step: Failing, followsRedirects = false): Notice[] {
  return [
    ...exhaustions(step),
    ...onlyRedirects(step, followsRedirects),
    ...timeouts(step),
    ...failures(step),
    ...sentAgain(step),
    ...beneath(step),
  ];
}

function exhaustions({ errorCodes }: Failing): Notice[] {
  return EXHAUSTIONS.flatMap(({ codes, code, what, advice }) => {
    const count = codes.reduce((sum, name) => sum + (errorCodes[name] ?? 0), 0);
    if (count === 0) return [];
    return [
      {
        code,
        severity: 'red-flag' as const,
        message: `${what} for ${count} requests (${codes.filter((name) => errorCodes[name]).join(', ')}): the step does not show the service`,
        advice,
      },
    ];
  });
}

function onlyRedirects({ statusCounts }: Failing, followsRedirects: boolean): Notice[] {
  const answers = sumOf(statusCounts);
  const redirects = Object.entries(statusCounts).filter(
    ([status]) => status.startsWith('3') && status !== '304',
  );
  const count = sumOf(Object.fromEntries(redirects));
  if (answers === 0 || count < ALL_REDIRECTS_RATIO * answers) return [];
  return [
    {
      code: 'answers-are-redirects',
      severity: 'warning',
      message: `${count} of ${answers} answers are redirects (3xx): these are not the times of the pages they lead to`,
      advice: followsRedirects
        ? 'load the page itself: these answers have no Location that could be followed'
        : 'load the page itself, or follow with --follow',
    },
  ];
}

function timeouts({ errorCodes, outcomeCounts }: Failing): Notice[] {
  if (outcomeCounts.timeout === 0) return [];
  const parts = TIMEOUT_PHASES.flatMap(([code, words]) => {
    const count = errorCodes[code] ?? 0;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return [
    {
      code: 'timeouts',
      severity: 'info',
      message: `${outcomeCounts.timeout} requests timed out (${parts.join(', ')}): they count among the response times, at the time waited`,
    },
  ];
}

function failures({ errorCodes, outcomeCounts }: Failing): Notice[] {
  if (outcomeCounts.error === 0) return [];
  const phases = new Set(TIMEOUT_PHASES.map(([code]) => code));
  const kinds = Object.entries(errorCodes)
    .filter(([code]) => !phases.has(code))
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${count} ${code}`);
  return [
    {
      code: 'failures',
      severity: 'info',
      message: `${outcomeCounts.error} requests failed (${kinds.join(', ')}): their times are kept apart`,
    },
  ];
}

/**
 * A service closes an idle connection under a request now and then; one that does so often either keeps connections
 * no longer than its users pause, or drops what it has read.
 */
function sentAgain({ retriedCount = 0, outcomeCounts }: Failing): Notice[] {
  if (retriedCount === 0) return [];
  const all = outcomeCounts.ok + outcomeCounts.error + outcomeCounts.timeout;
  const message = `${retriedCount} of ${all} requests were sent again: the service closed their kept connection, or refused their stream, before a byte of an answer`;
  if (retriedCount <= Math.max(FEW_SENT_AGAIN_COUNT, FEW_SENT_AGAIN_RATIO * all))
    return [{ code: 'requests-sent-again', severity: 'info', message }];
  return [
    {
      code: 'requests-sent-again',
      severity: 'red-flag',
      message: `${message}; too many for chance, it may have read them and dropped them`,
      advice:
        "see why it closes connections; let it keep idle ones for longer than its users' pauses, or measure with a connection for each request (--connections fresh)",
    },
  ];
}

function beneath({ transport, statusCounts }: Failing): Notice[] {
  if (transport === undefined) return [];
  const { connectionsOpenedCount: opened, redirectsFollowedCount: followed, connectTime } = transport;
  const notices: Notice[] = [];
  if (followed > 0) {
    notices.push({
      code: 'redirects-followed',
      severity: 'info',
      message: `${followed} redirects were followed: a response time is that of the whole chain, and the service counts ${followed} requests more`,
    });
  }
  const median = percentileOf(connectTime, 50);
  if (median !== undefined && opened * FEW_REQUESTS_PER_CONNECTION > sumOf(statusCounts)) {
    notices.push({
      code: 'connections-opened',
      severity: 'info',
      message: `${opened} connections were opened; to stand, TLS included, took ${(1e3 * median).toPrecision(3)} ms (median), within the response time`,
    });
  }
  return notices;
}
