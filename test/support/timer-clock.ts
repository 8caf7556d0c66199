import type { Clock, Task } from '../../src/host/host.ts';

/** Real time over plain timers: for tests and benches that need no timer wheel. */
export const TIMER_CLOCK: Clock = {
  nowSeconds: () => performance.now() / 1000,
  schedule(atSeconds: number, task: Task): void {
    const waitMs = Math.max(0, atSeconds * 1000 - performance.now());
    setTimeout(() => task.onTime(), Math.ceil(waitMs));
  },
  catchUp(): void {},
};
