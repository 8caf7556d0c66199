import { readProc } from './proc-files.ts';
import { parseRunTimes } from './proc-text.ts';

/**
 * CPU seconds of the calling thread alone: its run time in /proc (nanoseconds), or, on systems without, the time
 * its event loop was not idle, which is the most it can have used.
 */
export function ownThreadCpuSeconds(): number {
  const run = parseRunTimes(readProc('/proc/thread-self/schedstat') ?? '');
  return run?.runSeconds ?? performance.eventLoopUtilization().active / 1e3;
}
