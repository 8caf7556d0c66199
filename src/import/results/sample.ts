import type { Outcome } from '../../model/measurement.ts';

/** One request of another tool's run. Times in seconds; `startSeconds` since the epoch, or since the run's start. */
export interface Sample {
  readonly startSeconds: number;
  readonly responseTimeSeconds: number;
  readonly method?: string;
  /** A label, a path or a URL. */
  readonly route: string;
  readonly outcome: Outcome;
  readonly status?: number;
  /** `http-503`, or what the tool says; of failures. */
  readonly errorCode?: string;
  readonly receivedBytes?: number;
  /** Users (threads) that were running when it ended, where the tool says so with every request. */
  readonly users?: number;
}

/** Takes what the lines of a file tell. */
export interface SampleSink {
  /** Returns why the sample cannot be taken; undefined: it was. */
  sample(sample: Sample): string | undefined;
  /** So many users were running at a time, where the tool says so apart from its requests. */
  users(atSeconds: number, count: number): void;
  /** Something counted that is no request: `dropped_iterations` … */
  count(name: string, amount: number): void;
}

/** A time of the year 5138 is none. */
const LATEST_SECONDS = 1e11;
const LONGEST_SECONDS = 86_400;
/** A run is not longer; a time that lies further off is a broken line. */
export const LONGEST_RUN_SECONDS = 14 * 86_400;

/** Why a sample is not to be believed; undefined: it may be. */
export function sampleFault({ startSeconds, responseTimeSeconds }: Sample): string | undefined {
  if (!Number.isFinite(startSeconds) || Math.abs(startSeconds) > LATEST_SECONDS)
    return 'no time at which the request was made';
  if (!Number.isFinite(responseTimeSeconds)) return 'no response time';
  if (responseTimeSeconds < 0) return `a negative response time, ${responseTimeSeconds} s`;
  if (responseTimeSeconds > LONGEST_SECONDS)
    return `a response time of more than a day, ${responseTimeSeconds} s`;
  return undefined;
}

/** A status as an outcome: 200–399 are successes, as they are in a run of our own. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 400;

/** The path of a URL without its query; any other text as it is. */
export function routeOf(text: string): string {
  const match = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(text);
  if (match !== null) return match[1] === '' ? '/' : match[1]!;
  return text.startsWith('/') ? text.replace(/[?#].*$/s, '') : text;
}

/** The one route of tools that do not name any. */
export const ALL_REQUESTS = 'all requests';

/** An answer of a tool that tells its status and no route, as a sample; a reason where the status is none. */
export function answerSample(
  startSeconds: number,
  responseTimeSeconds: number,
  status: number,
  receivedBytes = NaN,
): Sample | string {
  if (!(status >= 0)) return 'no status code';
  const isOk = isSuccess(status);
  return {
    startSeconds,
    responseTimeSeconds,
    route: ALL_REQUESTS,
    outcome: isOk ? 'ok' : 'error',
    status,
    ...(!isOk && { errorCode: `http-${status}` }),
    ...(receivedBytes >= 0 && { receivedBytes }),
  };
}
