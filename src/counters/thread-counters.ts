import { closeSync, openSync, readSync } from 'node:fs';
import { listProc, readProc } from './proc-files.ts';
import { parseProcessStat, parseRunTimes, parseThreadStatus, type ThreadStatus } from './proc-text.ts';

/**
 * What is read of threads in one sample at most; beyond that they take turns, and a thread whose turn it is not
 * counts as it was last seen. A run time costs some 6 µs, a status some 18 µs: 500 threads then cost well below
 * 1 % of a core at one sample a second.
 */
const RUN_TIMES_A_SAMPLE = 512;
const STATUSES_A_SAMPLE = 64;

/** Σ over the threads of one process. */
export interface ThreadTotals {
  /** Run time of the living threads, from their start. */
  readonly runSeconds: number;
  /** Since the counters were made, ended threads too, as they were last seen. Missing where the kernel does not tell. */
  readonly waitSeconds?: number;
  readonly voluntarySwitchCount: number;
  readonly involuntarySwitchCount: number;
  /** Living threads in state D. */
  readonly blockedCount: number;
  /** The thread that used most CPU since the counters were made. */
  readonly busiestSeconds: number;
  readonly busiestThreadId?: string;
}

export interface ThreadCounters {
  /** Threads of the first reading count from there, later ones from their start. */
  read(): ThreadTotals;
  close(): void;
}

interface Thread {
  /** Kept open: reading again costs a third, and an open file never tells of another thread of the same number. */
  readonly file: number | undefined;
  run: Since;
  wait: Since | undefined;
  status: ThreadStatus | undefined;
  voluntary: Since;
  involuntary: Since;
}

/** A figure that only grows, and where its counting began. */
interface Since {
  readonly from: number;
  readonly now: number;
}

const amount = (since: Since | undefined): number => (since === undefined ? 0 : since.now - since.from);
const grown = (since: Since | undefined, now: number, isNew: boolean): Since => ({
  from: since?.from ?? (isNew ? 0 : now),
  now,
});

/**
 * Reads the threads of `pid` from /proc/PID/task: run and wait times in nanoseconds (clock ticks, and no waits, where
 * the kernel keeps none), context switches and states. /proc/PID/schedstat and the switches of /proc/PID/status
 * would tell of the main thread alone. Source: proc_pid_task(5), the kernel's sched-stats.
 * @param countFromStart threads of the first reading count whole: for a process that started under watch.
 */
export function createThreadCounters(
  pid: number,
  ticksPerSecond: number,
  countFromStart: boolean,
): ThreadCounters {
  const threads = new Map<string, Thread>();
  const ended = { wait: 0, voluntary: 0, involuntary: 0 };
  let turn = 0;
  let isFirst = true;
  let busiestSeconds = 0;
  let busiestThreadId: string | undefined;

  const end = (tid: string, thread: Thread): void => {
    if (thread.file !== undefined) closeSync(thread.file);
    ended.wait += amount(thread.wait);
    ended.voluntary += amount(thread.voluntary);
    ended.involuntary += amount(thread.involuntary);
    threads.delete(tid);
  };
  const refresh = (tid: string, isNew: boolean, withStatus: boolean): void => {
    const folder = `/proc/${pid}/task/${tid}`;
    const known = threads.get(tid);
    const file = known === undefined ? openIfThere(`${folder}/schedstat`) : known.file;
    const times = readTimes(folder, file, ticksPerSecond);
    if (times === undefined) {
      if (known !== undefined) end(tid, known);
      else if (file !== undefined) closeSync(file);
      return;
    }
    const fresh = withStatus ? parseThreadStatus(readProc(`${folder}/status`) ?? '') : undefined;
    const status = fresh ?? known?.status;
    const thread: Thread = {
      file,
      run: grown(known?.run, times.runSeconds, isNew),
      wait: times.waitSeconds === undefined ? undefined : grown(known?.wait, times.waitSeconds, isNew),
      status,
      voluntary: grown(known?.voluntary, status?.voluntarySwitchCount ?? 0, isNew),
      involuntary: grown(known?.involuntary, status?.involuntarySwitchCount ?? 0, isNew),
    };
    threads.set(tid, thread);
    if (amount(thread.run) <= busiestSeconds) return;
    busiestSeconds = amount(thread.run);
    busiestThreadId = tid;
  };
  const update = (): void => {
    const tids = listProc(`/proc/${pid}/task`);
    const living = new Set(tids);
    for (const [tid, thread] of threads) if (!living.has(tid)) end(tid, thread);
    const isDue = (i: number, most: number): boolean =>
      (i - turn + tids.length) % tids.length < most || isFirst;
    for (const [i, tid] of tids.entries()) {
      const isKnown = threads.has(tid);
      if (isKnown && !isDue(i, RUN_TIMES_A_SAMPLE)) continue;
      refresh(tid, !isKnown && (!isFirst || countFromStart), !isKnown || isDue(i, STATUSES_A_SAMPLE));
    }
    turn = tids.length === 0 ? 0 : (turn + STATUSES_A_SAMPLE) % tids.length;
    isFirst = false;
  };
  return {
    read() {
      update();
      const all = [...threads.values()];
      const sum = (of: (thread: Thread) => number): number =>
        all.reduce((total, thread) => total + of(thread), 0);
      return {
        runSeconds: sum(({ run }) => run.now),
        ...(all.some(({ wait }) => wait !== undefined) && {
          waitSeconds: ended.wait + sum(({ wait }) => amount(wait)),
        }),
        voluntarySwitchCount: ended.voluntary + sum(({ voluntary }) => amount(voluntary)),
        involuntarySwitchCount: ended.involuntary + sum(({ involuntary }) => amount(involuntary)),
        blockedCount: all.filter(({ status }) => status?.state === 'D').length,
        busiestSeconds,
        ...(busiestThreadId !== undefined && { busiestThreadId }),
      };
    },
    close() {
      for (const { file } of threads.values()) if (file !== undefined) closeSync(file);
      threads.clear();
    },
  };
}

interface Times {
  readonly runSeconds: number;
  readonly waitSeconds?: number;
}

function readTimes(folder: string, file: number | undefined, ticksPerSecond: number): Times | undefined {
  const times = parseRunTimes((file === undefined ? undefined : readAgain(file)) ?? '');
  if (times !== undefined) return times;
  const stat = parseProcessStat(readProc(`${folder}/stat`) ?? '');
  return stat === undefined ? undefined : { runSeconds: stat.cpuTicks / ticksPerSecond };
}

const LINE = Buffer.allocUnsafe(128);

/** The line of an open file of /proc as it is now; undefined once its thread has ended. */
function readAgain(file: number): string | undefined {
  try {
    return LINE.toString('latin1', 0, readSync(file, LINE, 0, LINE.length, 0));
  } catch {
    return undefined;
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}
