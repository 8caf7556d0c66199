import { isSuccess, routeOf, type Sample } from '../sample.ts';

export const K6_MISSING = ['bytes per request', 'the times requests were meant to be sent'];

export const K6_MEANING = [
  'k6 counts a response time (http_req_duration) from sending the request to the last byte; connecting and waiting for a connection are not in it.',
];

/** k6's own number of "request timeout". */
const TIMEOUT_CODE = '1050';

/**
 * One `http_req_duration` (milliseconds, told when the request ended) with its tags. A failure is what k6 counts in
 * `http_req_failed`: an answer that was not expected, or, without that tag, a status outside 200–399.
 */
export function k6Sample(
  endedAtSeconds: number,
  milliseconds: number,
  tag: (name: string) => string,
): Sample {
  const responseTimeSeconds = milliseconds / 1000;
  const status = Number(tag('status')) || 0;
  const expected = tag('expected_response');
  const isOk = expected === '' ? isSuccess(status) : expected === 'true';
  const errorCode = tag('error_code');
  const failure = status > 0 ? `http-${status}` : tag('error') || `k6-${errorCode || 'error'}`;
  const method = tag('method');
  return {
    startSeconds: endedAtSeconds - responseTimeSeconds,
    responseTimeSeconds,
    ...(method !== '' && { method }),
    route: routeOf(tag('name') || tag('url')),
    outcome: isOk ? 'ok' : errorCode === TIMEOUT_CODE ? 'timeout' : 'error',
    ...(status > 0 && { status }),
    ...(!isOk && { errorCode: failure }),
  };
}
