import { startDownstream } from '../downstream.ts';
import type { ZooMember } from '../member.ts';
import { SWEEP } from '../probes.ts';
import { later } from '../waiting.ts';

const SLOW_SECONDS = 0.06;
const FAST_SECONDS = 0.001;

/** Another service takes 60 ms to answer; the twin waits as long by itself. */
export const downstream: ZooMember = {
  name: 'downstream',
  fault: 'a route calls another service, which takes 60 ms',
  twin: 'a route that takes 60 ms by itself, asynchronously',
  expected: { on: 'downstream-delay' },
  probe: SWEEP,
  open: (variant) => {
    const other = variant === 'twin' ? undefined : startDownstream();
    const seconds = variant === 'off' ? FAST_SECONDS : SLOW_SECONDS;
    return {
      routes: [
        (reply) => (other === undefined ? later(seconds, reply) : other.call(seconds, reply)),
        (reply) => reply(),
      ],
      ...(other !== undefined && { close: other.close }),
    };
  },
};
