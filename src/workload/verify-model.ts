import type { CheckedQuantity, ModelCheck } from '../model/model-check.ts';
import type { ParameterPopularity, RequestClass, WorkloadModel } from '../model/workload.ts';
import { requestClassesOf } from './request-classes.ts';
import { routeRulesOf } from './routes-file.ts';
import { createRandom } from '../stats/random.ts';
import { sentSessions } from './sent-sessions.ts';
import {
  tableOfRequests,
  type SentByArrivals,
  type SentByUsers,
  type SentRequests,
} from './sent-requests.ts';

/** Standard errors beyond which a difference is none of chance: 0.3 % of true values lie outside. */
const STANDARD_ERRORS = 3;

/** A bin of a day's rhythm is as long; fewer than three tell no dispersion. */
const BIN_SECONDS = 60;
const FEWEST_BINS = 3;

/** The spread of fewer sessions is not known. */
const FEWEST_SESSIONS = 10;

/**
 * Sets what runs of the model sent beside the log: X, Z, the mix, steps and length of a session and the popularity of
 * every parameter, and of open arrivals their rate and dispersion. The requests are classed anew by the
 * model's own routes, so that the check does not repeat what the generator believes. Shares are judged by the
 * binomial law, X and Z by the spread of the pauses, arrivals by the Poisson law.
 */
export function verifyModel(
  model: WorkloadModel,
  { closed, arrivals }: { readonly closed?: SentByUsers; readonly arrivals: SentByArrivals },
): ModelCheck {
  const sent = closed ?? arrivals;
  const quantities = [
    ...(closed === undefined ? [] : rates(model, closed)),
    ...arrivalFigures(model, arrivals),
    ...requestFigures(model, sent),
  ];
  return {
    ...(closed === undefined ? {} : { users: closed.users }),
    requestCount: sent.atSeconds.length,
    seconds: sent.seconds,
    quantities,
    ...leftOut(model, sent.classIds),
    holds: quantities.every(({ holds }) => holds !== false),
  };
}

function leftOut({ requestClasses }: WorkloadModel, sentIds: readonly string[]): Pick<ModelCheck, 'leftOut'> {
  const missing = requestClasses.filter(({ id }) => !sentIds.includes(id));
  if (missing.length === 0) return {};
  const shareRatio = missing.reduce((sum, one) => sum + one.shareRatio, 0);
  return { leftOut: { classIds: missing.map(({ id }) => id), shareRatio } };
}

function requestFigures(model: WorkloadModel, sent: SentRequests): CheckedQuantity[] {
  const table = tableOfRequests(sent);
  const rows = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
  const routes = routeRulesOf(model);
  const { classes } = requestClassesOf(table, rows, { routes, keepValues: true });
  const sendable = model.requestClasses.filter(({ id }) => sent.classIds.includes(id));
  const again = (one: RequestClass): RequestClass | undefined => classes.find(({ id }) => id === one.id);
  return [...mix(sendable, classes, rows.length), ...sendable.flatMap((one) => popularity(one, again(one)))];
}

/**
 * The rate of n Poisson arrivals is known to √n ⁄ t, and the index of dispersion of their counts, variance ⁄
 * mean over k bins, to a factor e^√(2 ⁄ (k − 1)) about 1 (Cox & Lewis 1966, §6.3). Whether the log's own index is near
 * says whether arrivals at random are what the log shows; that is the log's nature, and no fault of the model.
 */
function arrivalFigures(model: WorkloadModel, sent: SentByArrivals): CheckedQuantity[] {
  const n = sent.atSeconds.length;
  const rate = judged(
    'open arrivals: rate',
    'perSecond',
    sent.ratePerSecond,
    n / sent.seconds,
    Math.sqrt(n) / sent.seconds,
  );
  const seen = dispersionOf(wholeBins(model.requestsPerMinute, model.spanSeconds));
  const made = dispersionOf(binned(sent.atSeconds, sent.seconds));
  if (seen === undefined || made === undefined) return [rate];
  const dispersion = {
    name: 'open arrivals: dispersion a minute',
    unit: 'index',
    log: seen.index,
    sent: made.index,
  } as const;
  const isAlike =
    Math.abs(Math.log(seen.index / made.index)) <= STANDARD_ERRORS * Math.hypot(seen.error, made.error);
  if (isAlike) return [rate, { ...dispersion, holds: true }];
  const whyNot =
    seen.index > made.index
      ? 'the log comes in bursts or drifts'
      : 'the log is steadier, as of users who wait';
  return [rate, { ...dispersion, whyNot }];
}

/** Variance ⁄ mean of counts, and the standard error of its logarithm for Poisson counts. */
function dispersionOf(counts: readonly number[]): { index: number; error: number } | undefined {
  if (counts.length < FEWEST_BINS) return undefined;
  const [mean, deviation] = momentsOf(counts);
  return { index: deviation ** 2 / mean, error: Math.sqrt(2 / (counts.length - 1)) };
}

const wholeBins = (counts: readonly number[], seconds: number): readonly number[] =>
  counts.slice(0, Math.floor(seconds / BIN_SECONDS));

function binned(atSeconds: readonly number[], seconds: number): readonly number[] {
  const counts = Array.from({ length: Math.floor(seconds / BIN_SECONDS) }, () => 0);
  for (const at of atSeconds) {
    const bin = Math.floor(at / BIN_SECONDS);
    if (bin < counts.length) counts[bin]! += 1;
  }
  return counts;
}

function judged(
  name: string,
  unit: CheckedQuantity['unit'],
  log: number,
  sent: number,
  standardError: number,
): CheckedQuantity {
  const tolerance = STANDARD_ERRORS * standardError;
  return { name, unit, log, sent, tolerance, holds: Math.abs(sent - log) <= tolerance };
}

/** A renewal process of N users has Var(n) ≈ n·cv² (Cox 1962, §4.2), so X is known to X·cv/√n. */
function rates(model: WorkloadModel, sent: SentByUsers): CheckedQuantity[] {
  const { users, seconds, pauseSeconds } = sent;
  const n = sent.atSeconds.length;
  const [pause, deviation] = momentsOf(pauseSeconds);
  const throughput = n / seconds;
  const cycle = users / throughput;
  // As many users as are whole: the log's M is not.
  const wanted = (model.throughputPerSecond * users) / model.activeUsers!;
  const wantedPause = (model.requestThinkTimeSeconds ?? model.thinkTimeSeconds!.distribution).meanSeconds;
  return [
    judged(
      'throughput X',
      'perSecond',
      wanted,
      throughput,
      (throughput * (deviation / cycle)) / Math.sqrt(n),
    ),
    judged(
      'pause before a request',
      'seconds',
      wantedPause,
      pause,
      deviation / Math.sqrt(pauseSeconds.length),
    ),
    ...sessionFigures(model, sent),
  ];
}

/**
 * Requests and length of the sessions that the users' requests make, beside the log's. Where users also send what
 * programs sent, or the parts of a step one by one, their pauses are others than those of the log's sessions.
 */
function sessionFigures(model: WorkloadModel, sent: SentByUsers): CheckedQuantity[] {
  const { sizes, stepsPerSession, meanLengthSeconds } = model.sessions ?? {};
  if (sizes === undefined || stepsPerSession === undefined || meanLengthSeconds === undefined) return [];
  const { requestCounts, lengthSeconds } = sentSessions(sent, sizes, createRandom(sent.seed));
  if (requestCounts.length < FEWEST_SESSIONS) return [];
  const [requests, requestDeviation] = momentsOf(requestCounts);
  const [length, lengthDeviation] = momentsOf(lengthSeconds);
  const root = Math.sqrt(requestCounts.length);
  const isJudged = model.requestThinkTimeSeconds === undefined;
  const seconds = judged('session length', 'seconds', meanLengthSeconds, length, lengthDeviation / root);
  return [
    judged('steps of a session', 'count', stepsPerSession, requests, requestDeviation / root),
    isJudged
      ? seconds
      : {
          name: seconds.name,
          unit: seconds.unit,
          log: seconds.log,
          sent: seconds.sent,
          whyNot: 'users also send what programs sent, or the parts of a step one by one',
        },
  ];
}

function momentsOf(values: readonly number[]): readonly [mean: number, deviation: number] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return [mean, Math.sqrt(squares / Math.max(1, values.length - 1))];
}

const shareError = (share: number, n: number): number => Math.sqrt((share * (1 - share)) / n);

/** Shares among what can be sent; half a request is what rounding to whole ones makes. */
function mix(log: readonly RequestClass[], sent: readonly RequestClass[], n: number): CheckedQuantity[] {
  const total = log.reduce((sum, { shareRatio }) => sum + shareRatio, 0);
  return log.map(({ id, shareRatio }) => {
    const share = shareRatio / total;
    const count = sent.find((one) => one.id === id)?.requestCount ?? 0;
    return judged(`share of ${id}`, 'ratio', share, count / n, shareError(share, n) + 0.5 / n);
  });
}

/** The share of the most frequent value, among answers that succeeded; equal shares have none to speak of. */
function popularity(log: RequestClass, sent: RequestClass | undefined): CheckedQuantity[] {
  return log.parameters.flatMap((parameter) => {
    const made = sent?.parameters.find(
      ({ name, in: place }) => name === parameter.name && place === parameter.in,
    );
    if (made === undefined || log.targets.draw === 'uniform') return [];
    const [top] = parameter.top;
    const n = made.requestCount;
    const share = top!.count / parameter.requestCount;
    const again = (made.top.find(({ value }) => value === top!.value)?.count ?? 0) / n;
    // The log's own share counts failures too, whose targets are not sent.
    const slack = failureRatio(log, parameter);
    return [
      judged(
        `share of ${parameter.name} = ${top!.value} in ${log.id}`,
        'ratio',
        share,
        again,
        shareError(share, n) + 0.5 / n + slack,
      ),
    ];
  });
}

function failureRatio({ targets }: RequestClass, { requestCount }: ParameterPopularity): number {
  const successes = (targets.counts ?? []).reduce((sum, count) => sum + count, 0);
  return Math.max(0, 1 - successes / requestCount);
}
