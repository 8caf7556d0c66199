import type { ZooMember } from '../member.ts';
import { SOAK } from '../probes.ts';

const ENTRY_BYTES = 64_000;
/** Twin: a cache of so many entries, full after a quarter of the run. */
const CACHE_ENTRIES = 400;

/** Each request leaves 64 kB behind for good; the twin keeps the last 400 of them, as a cache does. */
export const memoryLeak: ZooMember = {
  name: 'memory-leak',
  fault: 'every request to one route leaves 64 kB behind',
  twin: 'a cache that keeps 400 such entries and then replaces them',
  expected: { on: 'memory-leak', twin: 'cache-fill' },
  probe: SOAK,
  open: (variant) => {
    const kept: Buffer[] = [];
    let next = 0;
    const keep = (): void => {
      if (variant === 'off') return;
      if (variant === 'on' || kept.length < CACHE_ENTRIES) {
        kept.push(Buffer.alloc(ENTRY_BYTES, 1));
        return;
      }
      // Overwritten in place: a replaced buffer would show as the collector's saw-tooth.
      kept[next % CACHE_ENTRIES]!.fill(next);
      next += 1;
    };
    return {
      routes: [
        (reply) => {
          keep();
          reply();
        },
        (reply) => reply(),
      ],
    };
  },
};
