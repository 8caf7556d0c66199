import type { ZooMember } from '../member.ts';
import { SWEEP } from '../probes.ts';
import { burnCpu, later } from '../waiting.ts';

const BACKLOG = 1;
/** The loop is busy for so long each time, so that connections come faster than they are taken. */
const BUSY_SECONDS = 0.015;
/** Twin: one request in so many takes as long as a repeated SYN, over a range of times. */
const TWIN_EVERY = 30;

/** A queue of one for new connections, each request on its own; the twin has slow answers from 0.6 to 1.4 s. */
export const acceptBacklog: ZooMember = {
  name: 'accept-backlog',
  fault: 'a listen backlog of one while every request makes a connection',
  twin: 'a long backlog, and one answer in thirty takes 0.6 to 1.4 s',
  expected: { on: 'accept-backlog' },
  probe: { ...SWEEP, loads: [4, 8, 12, 16], thinkSeconds: 0.15, stepSeconds: 3.5, warmupSeconds: 0.5 },
  open: (variant) => {
    let count = 0;
    const handle = (reply: () => void): void => {
      count += 1;
      if (variant === 'on') burnCpu(BUSY_SECONDS / 2);
      if (variant === 'twin' && count % TWIN_EVERY === 0) later(0.6 + 0.8 * ((count * 0.618) % 1), reply);
      else reply();
    };
    return {
      routes: [handle, handle],
      connections: { closeAfterAnswer: true, ...(variant === 'on' && { backlog: BACKLOG }) },
    };
  },
};
