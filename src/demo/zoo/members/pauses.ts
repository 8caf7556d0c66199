import type { ZooMember } from '../member.ts';
import { SWEEP } from '../probes.ts';
import { burnCpu, later } from '../waiting.ts';

const EVERY_SECONDS = 0.5;
const PAUSE_SECONDS = 0.08;
/** Twin: one request in so many to the first route takes as long as a pause, and holds nothing. */
const TWIN_EVERY = 6;

/** Every half second all stands still for 80 ms, as in a collection; the twin has single slow answers instead. */
export const pauses: ZooMember = {
  name: 'pauses',
  fault: 'every half second the process stands still for 80 ms',
  twin: 'one request in six to a route takes 80 ms and holds nothing up',
  expected: { on: 'pauses' },
  probe: SWEEP,
  open: (variant) => {
    const timer =
      variant === 'on' ? setInterval(() => burnCpu(PAUSE_SECONDS), EVERY_SECONDS * 1e3) : undefined;
    let count = 0;
    return {
      routes: [
        (reply) => {
          count += 1;
          if (variant === 'twin' && count % TWIN_EVERY === 0) later(PAUSE_SECONDS, reply);
          else reply();
        },
        (reply) => reply(),
      ],
      close: () => clearInterval(timer),
    };
  },
};
