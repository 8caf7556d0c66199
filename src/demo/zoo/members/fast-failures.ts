import type { ZooMember } from '../member.ts';
import { SWEEP } from '../probes.ts';
import { later } from '../waiting.ts';

const IN_FLIGHT_LIMIT = 4;
const WAIT_SECONDS = 0.03;
const INTERNAL_ERROR = 500;
const TWIN_EVERY = 20;

/** More than four at once and the rest fails at once with 500; the twin fails every twentieth at any load. */
export const fastFailures: ZooMember = {
  name: 'fast-failures',
  fault: 'above four requests at once the others fail at once with 500',
  twin: 'every twentieth request fails, whatever the load',
  expected: { on: 'error-bound', twin: 'failing-at-any-load' },
  probe: SWEEP,
  open: (variant) => {
    let inFlight = 0;
    let count = 0;
    const fails = (): boolean => {
      count += 1;
      if (variant === 'on') return inFlight >= IN_FLIGHT_LIMIT;
      return variant === 'twin' && count % TWIN_EVERY === 0;
    };
    return {
      routes: [
        (reply) => {
          if (fails()) {
            reply(INTERNAL_ERROR);
            return;
          }
          inFlight += 1;
          later(WAIT_SECONDS, () => {
            inFlight -= 1;
            reply();
          });
        },
        (reply) => reply(),
      ],
    };
  },
};
