import type { ZooMember } from '../member.ts';
import { SWEEP } from '../probes.ts';

const AT_MOST = 10;
const TWIN_EVERY = 25;
const BROKEN_ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{';

/** The eleventh connection is closed as it comes; the twin breaks off an answer now and then at any load. */
export const connectionLimit: ZooMember = {
  name: 'connection-limit',
  fault: 'no more than ten connections, the others are closed as they come',
  twin: 'every twenty-fifth answer is broken off, whatever the load',
  expected: { on: 'connection-limit', twin: 'failing-at-any-load' },
  probe: SWEEP,
  open: (variant) => {
    let count = 0;
    return {
      routes: [
        (reply, request) => {
          count += 1;
          if (variant === 'twin' && count % TWIN_EVERY === 0) request.socket.end(BROKEN_ANSWER);
          else reply();
        },
        (reply) => reply(),
      ],
      ...(variant === 'on' && { connections: { atMost: AT_MOST } }),
    };
  },
};
