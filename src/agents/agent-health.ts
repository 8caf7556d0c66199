import { readProc } from '../counters/proc-files.ts';
import { parseRunTimes } from '../counters/proc-text.ts';
import type { AgentHealth } from './messages.ts';

/**
 * What the thread that makes the load got of a core, and what it wanted and did not get (the run queue's delay of
 * /proc/thread-self/schedstat, which also counts the time in which a CPU quota was used up). Where there is no
 * such file, the process's CPU time, and no waiting.
 */
export function watchHealth(): () => AgentHealth {
  let before = readTimes();
  return () => {
    const now = readTimes();
    const health = {
      cpuSeconds: Math.max(0, now.cpuSeconds - before.cpuSeconds),
      waitedSeconds: Math.max(0, now.waitedSeconds - before.waitedSeconds),
    };
    before = now;
    return health;
  };
}

function readTimes(): AgentHealth {
  const times = parseRunTimes(readProc('/proc/thread-self/schedstat') ?? '');
  if (times !== undefined) return { cpuSeconds: times.runSeconds, waitedSeconds: times.waitSeconds };
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, waitedSeconds: 0 };
}
