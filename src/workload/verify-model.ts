import type { CheckedQuantity, ModelCheck } from '../model/model-check.ts';
import type { ParameterPopularity, RequestClass, WorkloadModel } from '../model/workload.ts';
import { requestClassesOf } from './request-classes.ts';
import { routeRulesOf } from './routes-file.ts';
import { tableOfRequests, type SentRequests } from './sent-requests.ts';

/** Standard errors beyond which a difference is none of chance: 0.3 % of true values lie outside. */
const STANDARD_ERRORS = 3;

/**
 * Sets what a run of the model sent beside the log: X, Z, the mix, requests per session and the popularity of
 * every parameter. The requests are classed anew by the model's own routes, so that the check does not repeat
 * what the generator believes. Shares are judged by the binomial law, X and Z by the spread of the pauses.
 */
export function verifyModel(model: WorkloadModel, sent: SentRequests): ModelCheck {
  const table = tableOfRequests(sent);
  const rows = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
  const routes = routeRulesOf(model);
  const { classes } = requestClassesOf(table, rows, { routes, keepValues: true });
  const sendable = model.requestClasses.filter(({ id }) => sent.classIds.includes(id));
  const quantities = [
    ...rates(model, sent),
    ...mix(sendable, classes, rows.length),
    ...sendable.flatMap((one) =>
      popularity(
        one,
        classes.find(({ id }) => id === one.id),
      ),
    ),
  ];
  return {
    users: sent.users,
    requestCount: rows.length,
    seconds: sent.seconds,
    quantities,
    holds: quantities.every(({ holds }) => holds !== false),
  };
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
function rates(model: WorkloadModel, sent: SentRequests): CheckedQuantity[] {
  const { users, seconds, pauseSeconds } = sent;
  const n = sent.atSeconds.length;
  const [pause, deviation] = momentsOf(pauseSeconds);
  const throughput = n / seconds;
  const cycle = users / throughput;
  // As many users as are whole: the log's M is not.
  const wanted = (model.throughputPerSecond * users) / model.activeUsers!;
  const wantedPause = (model.requestThinkTimeSeconds ?? model.thinkTimeSeconds!.distribution).meanSeconds;
  const perSession = model.sessions?.requestsPerSession;
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
    ...(perSession === undefined
      ? []
      : [{ name: 'requests of a session', unit: 'count', log: perSession, sent: n / users } as const]),
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
