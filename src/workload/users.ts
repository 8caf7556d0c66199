import type { LogTable } from '../model/log-table.ts';
import type { AutomatedTraffic, TimeoutPoint, WorkloadModel } from '../model/workload.ts';
import { countText, percentText } from '../stats/wording.ts';
import { automatedClients, automatedTraffic } from './automated.ts';
import { rowsByClient } from './clients.ts';
import type { UserNames } from './user-names.ts';
import { learnEmbedded } from './embedded-targets.ts';
import { sessionSizes, sessionTotals, sortedGaps, type Edges, type SessionTotals } from './sessions.ts';
import { splitShared, type SharedSplit } from './shared-clients.ts';
import { MICROSECONDS, stepRules, stepsOf, type Steps } from './steps.ts';
import { empiricalDistribution, timeSummaryOf } from './summary.ts';

/** Fewer gaps give a mean that is known to no better than a fifth or so. */
const FEWEST_GAPS = 30;
/** A mean gap below this share of a step of the stamps is a burst that the stamps cannot show. */
const LEAST_MEAN_GAP_STEPS = 0.1;
/** A person hardly ever sends two steps within one step of the stamps; where most gaps are that short, nobody is one person. */
const MOST_UNRESOLVED = 0.5;
/** The conventions for web sessions, to show how much hangs on the choice (no timeout is right: Meiss et al. 2010). */
const CURVE_TIMEOUTS_SECONDS = [600, 1800, 3600];

type Sessions = NonNullable<WorkloadModel['sessions']>;

/** What the log says about its users. Undefined parts are what it does not tell. */
export interface UserFindings {
  readonly clientKey: NonNullable<WorkloadModel['clientKey']>;
  /** Missing: the log names nobody. */
  readonly names?: UserNames;
  readonly automated: readonly AutomatedTraffic[];
  readonly clientKeyCount: number;
  /** Requests without an extension that pages make by themselves. */
  readonly embeddedCount: number;
  readonly shared: NonNullable<WorkloadModel['sharedClients']>;
  readonly gapCount: number;
  readonly steps?: NonNullable<WorkloadModel['steps']>;
  readonly sessions?: Sessions;
  readonly thinkTime?: NonNullable<WorkloadModel['thinkTimeSeconds']>;
  /** M = X(R + Z) of the steps. */
  readonly activeUsers?: number;
  /** Share of the requests from addresses with several user agents; missing where the log tells what one user does. */
  readonly doubtfulRatio?: number;
  /** Why Z cannot be told; missing when it can. */
  readonly notIdentifiable?: string;
}

export interface UserQuestion {
  readonly table: LogTable;
  readonly rows: Uint32Array;
  readonly kinds: Uint8Array;
  readonly hasDurations: boolean;
  readonly spanSeconds: number;
  readonly timeoutSeconds: number;
}

/**
 * Users, steps, sessions and think time of the rows. Programs are set apart; what is left is put together to
 * steps; addresses of several users count in X, while Z comes from the others, so that M = X(R + Z) holds for
 * all (the interactive response-time law; Lazowska et al. 1984, chapter 3). `rows` in any order; equal rows
 * give equal findings.
 */
export function findUsers(question: UserQuestion): UserFindings {
  const { table, rows, hasDurations, timeoutSeconds } = question;
  const known = rowsByClient(table, rows, question.kinds);
  const { kinds, requestCount: embeddedCount } = learnEmbedded(table, known.clients, question.kinds);
  // What a page loads comes behind the page where both have the same stamp.
  const { key, clients, names } = kinds === question.kinds ? known : rowsByClient(table, rows, kinds);
  const automation = automatedClients(table, clients, kinds, hasDurations);
  const people = clients.filter((_, index) => automation[index] === undefined);
  const zeroSeconds = rows.reduce((least, row) => Math.min(least, table.atSeconds[row]!), Infinity);
  const rules = stepRules(table, people, kinds, { hasDurations, zeroSeconds });
  const steps = stepsOf(table, people, kinds, rules);
  const split = splitShared(steps, timeoutSeconds, table.stampResolutionSeconds);
  const gapSeconds = sortedGaps(split.clean, timeoutSeconds);
  const why =
    whyNotIdentifiable(steps.length, clients.length, gapSeconds, split) ??
    whyTooCoarse(gapSeconds, table.stampResolutionSeconds);
  const base = {
    clientKey: key,
    ...(names !== undefined && { names }),
    embeddedCount,
    automated: automatedTraffic(clients, automation, rows.length),
    clientKeyCount: steps.length,
    shared: {
      clientCount: split.shared.length,
      requestCount: split.shared.reduce((sum, { requestCount }) => sum + requestCount, 0),
    },
    gapCount: split.gapCount,
    ...(split.doubtfulRatio === undefined ? {} : { doubtfulRatio: split.doubtfulRatio }),
    ...(why === undefined ? {} : { notIdentifiable: why }),
  };
  if (steps.length === 0) return base;
  return { ...base, ...figuresOf(steps, split, gapSeconds, question, why === undefined) };
}

function figuresOf(
  clients: readonly Steps[],
  split: SharedSplit,
  gapSeconds: Float64Array,
  { table, spanSeconds, timeoutSeconds }: UserQuestion,
  isIdentified: boolean,
): Pick<UserFindings, 'steps' | 'sessions' | 'thinkTime' | 'activeUsers'> {
  const edges = edgesOf(clients);
  const steps = stepFigures(clients, spanSeconds);
  const activeUsersWith = (thinkTime: number): number =>
    steps.perSecond * (steps.responseTimeSeconds + thinkTime);
  const all = sessionTotals(clients, timeoutSeconds, edges);
  if (!isIdentified) return { steps, sessions: observedSessions(all, timeoutSeconds) };
  const thinkTime = thinkTimeOf(gapSeconds, split.marginSeconds, table.stampResolutionSeconds);
  const curve = CURVE_TIMEOUTS_SECONDS.map((timeout): TimeoutPoint => {
    const { gapCount, gapSum } = sessionTotals(split.clean, timeout, edges);
    const mean = Math.max(0, gapSum / gapCount / MICROSECONDS);
    return {
      timeoutSeconds: timeout,
      sessionCount: sessionTotals(clients, timeout, edges).count,
      thinkTimeSeconds: mean,
      activeUsers: activeUsersWith(mean),
    };
  });
  const clean = sessionTotals(split.clean, timeoutSeconds, edges);
  return {
    steps,
    sessions: {
      ...observedSessions(all, timeoutSeconds),
      ...sessionFigures(clean, steps.count / clean.stepCount, spanSeconds),
      sizes: sessionSizes(split.clean, timeoutSeconds),
      timeoutCurve: curve,
    },
    thinkTime,
    activeUsers: activeUsersWith(thinkTime.mean),
  };
}

/** The sessions of all clients as they are seen; those of an address of several users run into each other. */
const observedSessions = (all: SessionTotals, timeoutSeconds: number): Sessions => ({
  timeoutSeconds,
  count: all.count,
  requestsPerSession: all.requestCount / all.count,
  stepsPerSession: all.stepCount / all.count,
  singleStepCount: all.singleStepCount,
  atEdgeCount: all.atEdgeCount,
});

/** Shape of the clean clients' sessions; their rate scaled up to all steps. The open ones are rate times length (Little's law). */
function sessionFigures(
  clean: SessionTotals,
  scale: number,
  spanSeconds: number,
): Pick<
  Sessions,
  'requestsPerSession' | 'stepsPerSession' | 'perSecond' | 'meanLengthSeconds' | 'activeMean'
> {
  const perSecond = (clean.count * scale) / spanSeconds;
  const meanLengthSeconds = clean.length / clean.count / MICROSECONDS;
  return {
    requestsPerSession: clean.requestCount / clean.count,
    stepsPerSession: clean.stepCount / clean.count,
    perSecond,
    meanLengthSeconds,
    activeMean: perSecond * meanLengthSeconds,
  };
}

function stepFigures(clients: readonly Steps[], spanSeconds: number): NonNullable<WorkloadModel['steps']> {
  let [count, requestCount, busy] = [0, 0, 0];
  for (const { starts, ends, requestCount: requests } of clients) {
    count += starts.length;
    requestCount += requests;
    for (let index = 0; index < starts.length; index += 1) busy += ends[index]! - starts[index]!;
  }
  return {
    count,
    perSecond: count / spanSeconds,
    requestsPerStep: requestCount / count,
    responseTimeSeconds: busy / count / MICROSECONDS,
  };
}

function edgesOf(clients: readonly Steps[]): Edges {
  let [first, last] = [Infinity, -Infinity];
  for (const { starts, ends } of clients) {
    first = Math.min(first, starts[0]!);
    last = Math.max(last, ends.at(-1)!);
  }
  return { first, last };
}

function thinkTimeOf(
  gapSeconds: Float64Array,
  marginSeconds: number | undefined,
  stepSeconds: number,
): NonNullable<WorkloadModel['thinkTimeSeconds']> {
  const distribution = empiricalDistribution(gapSeconds);
  return {
    mean: distribution.meanSeconds,
    p50: Math.max(0, timeSummaryOf(gapSeconds)!.p50),
    count: gapSeconds.length,
    unresolvedCount: gapSeconds.filter((gap) => Math.abs(gap) < stepSeconds).length,
    negativeCount: gapSeconds.filter((gap) => gap <= -stepSeconds).length,
    distribution,
    ...(marginSeconds === undefined ? {} : { marginSeconds }),
  };
}

function whyNotIdentifiable(
  userClients: number,
  allClients: number,
  gapSeconds: Float64Array,
  { clean, shared, withGaps }: SharedSplit,
): string | undefined {
  if (userClients === 0)
    return allClients === 1
      ? 'its only client is a program: a bot, a health check or a scanner'
      : `all ${allClients} clients are programs: bots, health checks or scanners`;
  if (clean.length === 0 && shared.every(({ isUnknown }) => isUnknown))
    return 'it does not say which client sent a request';
  if (userClients === 1) return 'all requests come from one client, which may be a proxy or a load generator';
  if (shared.length > 0 && shared.length * 2 > withGaps)
    return `${shared.length} of ${withGaps} clients with more than one request overlap themselves: they stand for several users each`;
  if (clean.length < 2)
    return `of ${userClients} clients ${shared.length} stand for several users each or have no name, and one is too few to learn from`;
  if (gapSeconds.length < FEWEST_GAPS)
    return gapSeconds.length === 0
      ? 'no client has a second step within a session'
      : `only ${countText(gapSeconds.length, 'gap')} between steps of one client ${gapSeconds.length === 1 ? 'was' : 'were'} seen`;
  return undefined;
}

function whyTooCoarse(gapSeconds: Float64Array, stampResolutionSeconds: number): string | undefined {
  const meanSeconds = gapSeconds.reduce((sum, gap) => sum + gap, 0) / gapSeconds.length;
  if (meanSeconds < stampResolutionSeconds * LEAST_MEAN_GAP_STEPS)
    return `the mean gap of a client is ${meanSeconds.toPrecision(2)} s, while times are stamped in steps of ${stampResolutionSeconds} s`;
  const unresolved = gapSeconds.filter((gap) => Math.abs(gap) < stampResolutionSeconds).length;
  if (unresolved > gapSeconds.length * MOST_UNRESOLVED)
    return `${percentText(unresolved / gapSeconds.length)} of the gaps of a client are shorter than the ${stampResolutionSeconds} s in which times are stamped: one fast program, or several people behind an address, and nothing tells which`;
  return undefined;
}
