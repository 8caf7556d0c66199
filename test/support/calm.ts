import { readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';

const ATTEMPTS = 3;
/** Share of the last ten seconds in which something waited for a core, percent. */
const BUSY_PERCENT = 20;

/**
 * A test of real times, made again where it failed while the machine was busy with other work: what it found then is
 * no news about us. On a calm machine the first failure counts.
 */
export async function onCalmMachine(attempt: () => Promise<void>): Promise<void> {
  for (let left = ATTEMPTS - 1; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !isBusy()) throw error;
    }
  }
}

/** By the kernel's pressure figures; without them every machine is called busy. */
export function isBusy(): boolean {
  try {
    const share = /^some avg10=([\d.]+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1];
    return share === undefined || Number(share) >= BUSY_PERCENT;
  } catch {
    return true;
  }
}

/** A test of real times: see `onCalmMachine`. */
export function realTimeTest(title: string, body: (t: TestContext) => Promise<void>): void {
  test(title, (t) => onCalmMachine(() => body(t)));
}
