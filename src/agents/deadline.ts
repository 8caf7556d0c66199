import { ShiploadError, type ErrorCode } from '../errors.ts';
import type { Clock } from '../host/host.ts';

/** Resolves after so many seconds of the clock. */
export const sleep = (clock: Clock, seconds: number): Promise<void> =>
  new Promise((resolve) => clock.schedule(clock.nowSeconds() + seconds, { onTime: resolve }));

/** What a wait was for, for the message when it has lasted too long. */
export interface Deadline {
  readonly seconds: number;
  readonly code: ErrorCode;
  /** `agent a2 was not ready`: `within 30 s` is added. */
  readonly message: string;
  readonly hint?: string;
}

/** What the work gives, or the deadline's error, whichever is first. The work itself goes on unheard. */
export function within<Result>(clock: Clock, deadline: Deadline, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    clock.schedule(clock.nowSeconds() + deadline.seconds, {
      onTime: () =>
        reject(
          new ShiploadError(deadline.code, `${deadline.message} within ${deadline.seconds} s`, {
            ...(deadline.hint !== undefined && { hint: deadline.hint }),
          }),
        ),
    });
    work.then(resolve, reject);
  });
}

/** Calls `task` every so many seconds of the clock until it is stopped. */
export function every(clock: Clock, seconds: number, task: () => void): { stop(): void } {
  let isStopped = false;
  const onTime = (): void => {
    if (isStopped) return;
    task();
    if (!isStopped) clock.schedule(clock.nowSeconds() + seconds, { onTime });
  };
  clock.schedule(clock.nowSeconds() + seconds, { onTime });
  return { stop: () => void (isStopped = true) };
}
