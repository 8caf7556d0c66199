import { listProc, readProc } from './proc-files.ts';
import { parseProcessStat, parseRunSeconds } from './proc-text.ts';

/** CPU seconds of a process's threads, one by one. */
export interface ThreadTimes {
  /** Reads all living threads. Threads of the first reading count from there, later ones from their start. */
  read(): { readonly sumSeconds: number; readonly busiestSeconds: number };
}

/**
 * Reads the threads of `pid` from /proc/PID/task: the run time in nanoseconds, or clock ticks where the kernel
 * keeps no run times. (/proc/PID/schedstat would tell of the main thread alone.)
 * @param countFromStart threads of the first reading count whole: for a process that started under watch.
 */
export function createThreadTimes(pid: number, ticksPerSecond: number, countFromStart: boolean): ThreadTimes {
  let baselines: Map<string, number> | undefined = countFromStart ? new Map() : undefined;
  let busiestSeconds = 0;
  return {
    read() {
      const next = new Map<string, number>();
      let sumSeconds = 0;
      for (const tid of listProc(`/proc/${pid}/task`)) {
        const seconds = readThreadSeconds(`/proc/${pid}/task/${tid}`, ticksPerSecond);
        if (seconds === undefined) continue;
        const known = baselines === undefined ? seconds : (baselines.get(tid) ?? 0);
        // Less than before: another thread under the same number.
        const baseline = seconds < known ? 0 : known;
        next.set(tid, baseline);
        sumSeconds += seconds;
        busiestSeconds = Math.max(busiestSeconds, seconds - baseline);
      }
      baselines = next;
      return { sumSeconds, busiestSeconds };
    },
  };
}

function readThreadSeconds(folder: string, ticksPerSecond: number): number | undefined {
  const run = parseRunSeconds(readProc(`${folder}/schedstat`) ?? '');
  if (run !== undefined) return run;
  const stat = parseProcessStat(readProc(`${folder}/stat`) ?? '');
  return stat === undefined ? undefined : stat.cpuTicks / ticksPerSecond;
}
