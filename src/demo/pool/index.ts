import { serviceCommand } from '../service-command.ts';

export type { PoolStatistics, RouteLatency } from './statistics.ts';

/** The path that tells when the service is ready, and what it sees of itself. */
export const POOL_STATS_PATH = '/stats';

/** Slots of the pool as it is, and with the remedy. */
export const POOL_SLOTS = 8;
export const MORE_POOL_SLOTS = 16;

/** The command line, for a POSIX shell, that runs the pool service; each request waits 5 ms in one of 8 slots unless told. */
export function poolCommand(port: number, waitMilliseconds = 5, slots = POOL_SLOTS): string {
  const words = ['--port', String(port), '--wait-ms', String(waitMilliseconds), '--slots', String(slots)];
  return serviceCommand(new URL('./service.js', import.meta.url), words);
}
