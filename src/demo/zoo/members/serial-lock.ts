import { createSlotPool } from '../../pool/slot-pool.ts';
import type { ZooMember } from '../member.ts';
import { SWEEP } from '../probes.ts';
import { later } from '../waiting.ts';

const HOLD_SECONDS = 9e-3;
const TWIN_SLOTS = 4;

/** One lock, held for 9 ms without any CPU; the twin lets four in, each for four times as long. */
export const serialLock: ZooMember = {
  name: 'serial-lock',
  fault: 'a lock held for 9 ms by one request at a time',
  twin: 'four at a time, each for 36 ms: a pool with the same throughput',
  expected: { on: 'serial-lock', twin: 'pool-bound' },
  probe: SWEEP,
  open: (variant) => {
    const slotCount = { on: 1, off: Infinity, twin: TWIN_SLOTS }[variant];
    const lock = createSlotPool(slotCount);
    const holdSeconds = variant === 'twin' ? TWIN_SLOTS * HOLD_SECONDS : HOLD_SECONDS;
    return {
      routes: [
        (reply) =>
          lock.acquire((release) =>
            later(holdSeconds, () => {
              reply();
              release();
            }),
          ),
        (reply) => reply(),
      ],
    };
  },
};
