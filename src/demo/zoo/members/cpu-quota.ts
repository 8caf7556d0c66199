import type { ZooMember } from '../member.ts';
import { joinQuotaGroup, quotaObstacle } from '../quota-group.ts';
import { SWEEP } from '../probes.ts';
import { burnCpu } from '../waiting.ts';

const WORK_SECONDS = 3e-3;
const QUOTA_CORES = 0.3;

/** A cgroup lets the service have 0.3 of a core; the twin uses a core up by itself, and nothing stops it. */
export const cpuQuota: ZooMember = {
  name: 'cpu-quota',
  fault: 'a cgroup quota of 0.3 cores stops the service again and again',
  twin: 'more work for each request, and a whole core for it',
  expected: { on: 'cpu-throttled', twin: 'cpu-bound' },
  probe: SWEEP,
  obstacle: quotaObstacle,
  open: (variant) => {
    const leave = variant === 'on' ? joinQuotaGroup(QUOTA_CORES) : undefined;
    const seconds = { on: WORK_SECONDS, off: WORK_SECONDS / 10, twin: 2 * WORK_SECONDS }[variant];
    const handle = (reply: () => void): void => {
      burnCpu(seconds);
      reply();
    };
    return { routes: [handle, handle], ...(leave !== undefined && { close: leave }) };
  },
};
