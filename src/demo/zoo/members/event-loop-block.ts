import type { ZooMember } from '../member.ts';
import { LIGHT } from '../probes.ts';
import { burnCpu, later } from '../waiting.ts';

const WORK_SECONDS = 0.02;

/** A fifth of the requests holds the event loop for 20 ms; the twin takes as long without holding anything. */
export const eventLoopBlock: ZooMember = {
  name: 'event-loop-block',
  fault: 'a route works for 20 ms on the event loop, and all others wait behind it',
  twin: 'a route that takes 20 ms asynchronously',
  expected: { on: 'one-lane-bridge' },
  probe: LIGHT,
  open: (variant) => ({
    routes: [
      (reply) => {
        if (variant === 'on') burnCpu(WORK_SECONDS);
        if (variant === 'twin') later(WORK_SECONDS, reply);
        else reply();
      },
      (reply) => reply(),
    ],
  }),
};
