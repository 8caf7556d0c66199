import type { Channel } from '../protocols/protocol.ts';
import type { Answer } from '../scenario/answer.ts';
import { type CheckListener, failedCheck } from '../scenario/checks.ts';
import type { Checks } from '../scenario/request-options.ts';
import type { FinishedRequest } from './recorder.ts';

/**
 * How a request ended, by its checks: an answer that was read to its end is judged by them, and by its status too
 * where none of them is on the status. Checks on an answer that never came whole have failed.
 */
export function judgedAnswer(
  channel: Channel,
  answer: Answer,
  checks: Checks,
  listener: CheckListener,
): FinishedRequest {
  const { outcome, errorCode } = channel;
  const isWhole = outcome === 'ok' || errorCode.startsWith('http-');
  const failed = failedCheck(
    checks,
    answer,
    isWhole ? listener : { checked: (name) => listener.checked(name, false) },
  );
  if (!isWhole || (outcome === 'error' && checks.status === undefined)) return channel;
  if (failed === undefined && outcome === 'ok') return channel;
  const { status, receivedBytes, sentAtSeconds, endedAtSeconds, retried } = channel;
  const ending = { status, receivedBytes, sentAtSeconds, endedAtSeconds, retried };
  if (failed === undefined) return { ...ending, outcome: 'ok', errorCode: '' };
  return { ...ending, outcome: 'error', errorCode: `check-${failed.replaceAll(/\s+/g, '-')}` };
}
