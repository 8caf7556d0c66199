import { serviceCommand } from '../service-command.ts';

export type { PoolStatistics, RouteLatency } from './statistics.ts';

/** The path that tells when the service is ready, and what it sees of itself. */
export const POOL_STATS_PATH = '/stats';

/** The command line, for a POSIX shell, that runs the pool service; each request waits 5 ms unless told. */
export function poolCommand(port: number, waitMilliseconds = 5): string {
  const words = ['--port', String(port), '--wait-ms', String(waitMilliseconds)];
  return serviceCommand(new URL('./service.js', import.meta.url), words);
}
