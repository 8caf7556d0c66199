import { isSuccess, routeOf, type Sample } from '../sample.ts';

export const VEGETA_MISSING = ['the rate that was asked for', 'requests that Vegeta could not start in time'];

export const VEGETA_MEANING = [
  'Vegeta counts a latency from the moment it began to send the request to the last byte; connecting is in it.',
];

const TIMEOUT = /timeout|deadline exceeded/i;

/** One Vegeta result; `nanoseconds` is its latency. A status of 0 is a request that got no answer. */
export function vegetaSample(result: {
  readonly startSeconds: number;
  readonly nanoseconds: number;
  readonly status: number;
  readonly error: string;
  readonly bytes: number;
  readonly method: string;
  readonly url: string;
}): Sample {
  const { startSeconds, nanoseconds, status, error, bytes, method, url } = result;
  const isOk = isSuccess(status);
  return {
    startSeconds,
    responseTimeSeconds: nanoseconds / 1e9,
    ...(method !== '' && { method }),
    route: routeOf(url),
    outcome: isOk ? 'ok' : status === 0 && TIMEOUT.test(error) ? 'timeout' : 'error',
    ...(status > 0 && { status }),
    ...(!isOk && { errorCode: status > 0 ? `http-${status}` : error.slice(0, 80) || 'no-answer' }),
    ...(bytes >= 0 && { receivedBytes: bytes }),
  };
}
