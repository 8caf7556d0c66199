import { routeOf, type Sample } from '../sample.ts';
import { decimal } from '../csv-line.ts';

export const JTL_MISSING = ['the times requests were meant to be sent'];

export const JTL_MEANING = [
  'JMeter counts a response time (elapsed) from just before the request to the last byte; connecting is in it.',
];

/** Text of one field of a sample; empty where it is not there. */
export type JtlField = (
  name: 'time' | 'elapsed' | 'label' | 'code' | 'message' | 'success' | 'bytes' | 'threads',
) => string;

const TIMEOUT = /SocketTimeoutException|timed? ?out/i;

/**
 * One JMeter sample. `timeIsEnd`: its time stamp is that of the end (`sampleresult.timestamp.start=false`).
 * Returns a reason where it cannot be one.
 */
export function jtlSample(field: JtlField, atSeconds: number): Sample | string {
  const elapsed = decimal(field('elapsed'));
  if (Number.isNaN(elapsed)) return `elapsed is "${field('elapsed').slice(0, 20)}", not milliseconds`;
  const success = field('success').trim().toLowerCase();
  if (success !== 'true' && success !== 'false')
    return `success is "${success.slice(0, 20)}", neither true nor false`;
  const code = field('code');
  const status = /^\d{3}$/.test(code) ? Number(code) : 0;
  const isOk = success === 'true';
  const bytes = decimal(field('bytes'));
  const users = decimal(field('threads'));
  return {
    startSeconds: atSeconds,
    responseTimeSeconds: elapsed / 1000,
    route: routeOf(field('label')),
    outcome: outcomeOf(isOk, status, `${code} ${field('message')}`),
    ...(status > 0 && { status }),
    ...(!isOk && { errorCode: errorCodeOf(status, code) }),
    ...(bytes >= 0 && { receivedBytes: bytes }),
    ...(users >= 0 && { users }),
  };
}

function outcomeOf(isOk: boolean, status: number, message: string): Sample['outcome'] {
  if (isOk) return 'ok';
  return status === 0 && TIMEOUT.test(message) ? 'timeout' : 'error';
}

/** `http-503`; an assertion that failed on a good answer; or the exception behind "Non HTTP response code: …". */
function errorCodeOf(status: number, code: string): string {
  if (status >= 400) return `http-${status}`;
  if (status > 0) return 'assertion-failed';
  return code.replace(/^Non HTTP response code: /, '').slice(0, 80) || 'failed';
}
