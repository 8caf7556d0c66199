import { createSlotPool } from '../../pool/slot-pool.ts';
import type { ZooMember } from '../member.ts';
import { SWEEP } from '../probes.ts';
import { later } from '../waiting.ts';

const HOLD_SECONDS = 0.01;
/** From so many in line on the service works off what nobody waits for any more. */
const OVERLOADED_COUNT = 40;
const SLOW_HOLD_SECONDS = 0.04;

/** Once overloaded, each request costs four times as much until the line is gone; the twin only has the line. */
export const slowRecovery: ZooMember = {
  name: 'slow-recovery',
  fault: 'once overloaded the service stays slow until its queue is empty',
  twin: 'a queue that drains as fast as its size allows',
  expected: { on: 'slow-recovery' },
  probe: {
    ...SWEEP,
    shape: 'spike',
    loadKind: 'arrivalRatePerSecond',
    loads: [15, 125],
    stepSeconds: 4,
    warmupSeconds: 0.5,
    shareOfFirst: 0.9,
  },
  open: (variant) => {
    const turn = createSlotPool(variant === 'off' ? Infinity : 1);
    let waitingCount = 0;
    let overloaded = false;
    const holdSeconds = (): number => {
      overloaded = variant === 'on' && (waitingCount > OVERLOADED_COUNT || (overloaded && waitingCount > 1));
      return overloaded ? SLOW_HOLD_SECONDS : HOLD_SECONDS;
    };
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
