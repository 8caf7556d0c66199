import type { ZooMember } from '../member.ts';
import { SOAK } from '../probes.ts';
import { later } from '../waiting.ts';

const MISS_SECONDS = 0.06;

/** A cache that is empty at the start: 60 ms for each key's first request; the twin never gets better than half. */
export const coldCache: ZooMember = {
  name: 'cold-cache',
  fault: 'an empty cache: the first request of each key takes 60 ms',
  twin: 'a cache too small by half: it never warms up',
  expected: { on: 'cache-fill' },
  probe: { ...SOAK, warmupSeconds: 0.2, stepSeconds: 11.2, keyCount: 400 },
  open: (variant) => {
    const known = new Set<string>();
    const isKnown = (url: string): boolean => {
      if (variant === 'twin') return /[02468]$/.test(url);
      const hit = variant === 'off' || known.has(url);
      known.add(url);
      return hit;
    };
    return {
      routes: [
        (reply, request) => {
          if (isKnown(request.url ?? '')) reply();
          else later(MISS_SECONDS, reply);
        },
        (reply) => reply(),
      ],
    };
  },
};
