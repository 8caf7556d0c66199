import { createSlotPool } from '../../pool/slot-pool.ts';
import type { ZooMember } from '../member.ts';
import { SWEEP } from '../probes.ts';
import { later } from '../waiting.ts';

/** Alone a request holds the lock so long; each one that waits makes it longer by a fiftieth. */
const HOLD_SECONDS = 6e-3;
const COHERENCY = 0.02;

/** Whoever waits makes the work of the one in turn longer, so that throughput falls; the twin only waits. */
export const retrograde: ZooMember = {
  name: 'retrograde',
  fault: 'each waiting request makes the one in turn slower by a fiftieth',
  twin: 'the same queue at a constant speed: throughput stays',
  expected: { on: 'more-is-less', twin: 'serial-lock' },
  // Steps long beside the response times at the end, a third of a second.
  probe: { ...SWEEP, loads: [4, 8, 16, 24, 36, 48, 64], stepSeconds: 2.5, warmupSeconds: 1 },
  open: (variant) => {
    const turn = createSlotPool(variant === 'off' ? Infinity : 1);
    let waitingCount = 0;
    const holdSeconds = (): number =>
      variant === 'on' ? HOLD_SECONDS * (1 + COHERENCY * waitingCount) : HOLD_SECONDS;
    return {
      routes: [
        (reply) => {
          waitingCount += 1;
          turn.acquire((release) =>
            later(holdSeconds(), () => {
              waitingCount -= 1;
              reply();
              release();
            }),
          );
        },
        (reply) => reply(),
      ],
    };
  },
};
