import { createSlotPool } from '../../pool/slot-pool.ts';
import type { ZooMember } from '../member.ts';
import { SWEEP } from '../probes.ts';
import { burnCpu, later } from '../waiting.ts';

const SLOT_COUNT = 3;
const HOLD_SECONDS = 0.025;
/** CPU of a request that levels off where the pool does. */
const WORK_SECONDS = 4.3e-3;

/** Three places, each held for 25 ms, and an idle CPU; the twin levels off at the same rate by CPU work. */
export const pool: ZooMember = {
  name: 'pool',
  fault: 'a pool of three places, each held for 25 ms',
  twin: 'the same throughput, set by the CPU',
  expected: { on: 'pool-bound', twin: 'cpu-bound' },
  probe: SWEEP,
  open: (variant) => {
    const slots = createSlotPool(variant === 'on' ? SLOT_COUNT : Infinity);
    const work = (reply: () => void): void => {
      burnCpu(WORK_SECONDS);
      reply();
    };
    if (variant === 'twin') return { routes: [work, work] };
    return {
      routes: [
        (reply) =>
          slots.acquire((release) =>
            later(HOLD_SECONDS, () => {
              reply();
              release();
            }),
          ),
        (reply) => reply(),
      ],
    };
  },
};
