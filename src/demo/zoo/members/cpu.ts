import type { ZooMember } from '../member.ts';
import { SWEEP } from '../probes.ts';
import { burnCpu, later } from '../waiting.ts';

const WORK_SECONDS = 5e-3;
/** Twin: as long a wait that uses no CPU. */
const WAIT_SECONDS = 5e-3;

/** Every request is 5 ms of work, so that one thread is full at 200/s; the twin waits as long and uses nothing. */
export const cpu: ZooMember = {
  name: 'cpu',
  fault: 'every request takes 5 ms of CPU, on one thread',
  twin: 'every request waits for 5 ms and uses no CPU',
  expected: { on: 'cpu-bound' },
  probe: SWEEP,
  open: (variant) => {
    const handle = (reply: () => void): void => {
      if (variant === 'on') burnCpu(WORK_SECONDS);
      if (variant === 'twin') later(WAIT_SECONDS, reply);
      else reply();
    };
    return { routes: [handle, handle] };
  },
};
