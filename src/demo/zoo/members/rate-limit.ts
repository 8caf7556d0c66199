import type { ZooMember } from '../member.ts';
import { SWEEP } from '../probes.ts';

const LIMIT_PER_SECOND = 120;
const BURST = 5;
const TOO_MANY_REQUESTS = 429;
/** Twin: so many of a hundred requests are refused, whatever the load. */
const TWIN_PERCENT = 15;

/** A token bucket over both routes lets 120 requests a second through; the twin refuses 15 % at any load. */
export const rateLimit: ZooMember = {
  name: 'rate-limit',
  fault: 'a token bucket lets 120 requests a second through, the rest gets 429',
  twin: 'the same status for 15 % of the requests, whatever the load',
  expected: { on: 'rate-limited', twin: 'failing-at-any-load' },
  probe: SWEEP,
  open: (variant) => {
    let tokens = BURST;
    let filledAt = performance.now();
    let count = 0;
    const admits = (): boolean => {
      count += 1;
      if (variant === 'off') return true;
      if (variant === 'twin') return (count * TWIN_PERCENT) % 100 >= TWIN_PERCENT;
      const now = performance.now();
      tokens = Math.min(BURST, tokens + ((now - filledAt) / 1e3) * LIMIT_PER_SECOND);
      filledAt = now;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    };
    const handle = (reply: (status?: number) => void): void => reply(admits() ? 200 : TOO_MANY_REQUESTS);
    return { routes: [handle, handle] };
  },
};
