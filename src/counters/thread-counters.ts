import { closeSync, openSync, readSync } from 'node:fs';
import { listProc, readProc } from './proc-files.ts';
import { parseProcessStat, parseRunTimes, parseThreadStatus } from './proc-text.ts';

/**
 * What is read of threads in one sample at most; beyond that they take turns, and a thread whose turn it is not
 * counts as it was last seen. Only the busiest is always read. Once a second, with cold caches, a run time costs
 * some 10 µs and a status some 40 µs: however many threads there are, that is well below 1 % of a core.
 */
const RUN_TIMES_A_SAMPLE = 128;
const STATUSES_A_SAMPLE = 32;

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
  readonly run: Growing;
  readonly wait: Growing;
  readonly voluntary: Growing;
  readonly involuntary: Growing;
  isBlocked: boolean;
  /** The last update that saw it in the folder. */
  seenIn: number;
}

/** A figure that only grows, and where its counting began. */
interface Growing {
  from: number;
  now: number;
}

const amount = ({ from, now }: Growing): number => now - from;

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
  let updateCount = 0;
  let turn = 0;
  let tellsWaits = false;
  let busiestSeconds = 0;
  let busiestThreadId: string | undefined;

  const end = (tid: string, thread: Thread): void => {
    if (thread.file !== undefined) closeSync(thread.file);
    ended.wait += amount(thread.wait);
    ended.voluntary += amount(thread.voluntary);
    ended.involuntary += amount(thread.involuntary);
    threads.delete(tid);
  };
  const refreshTimes = (tid: string, thread: Thread): boolean => {
    const times = readTimes(`/proc/${pid}/task/${tid}`, thread.file, ticksPerSecond);
    if (times === undefined) return false;
    thread.run.now = times.runSeconds;
    thread.wait.now = times.waitSeconds ?? 0;
    tellsWaits ||= times.waitSeconds !== undefined;
    return true;
  };
  const refreshStatus = (tid: string, thread: Thread): void => {
    const status = parseThreadStatus(readProc(`/proc/${pid}/task/${tid}/status`) ?? '');
    if (status === undefined) return;
    thread.voluntary.now = status.voluntarySwitchCount;
    thread.involuntary.now = status.involuntarySwitchCount;
    thread.isBlocked = status.state === 'D';
  };
  const add = (tid: string): void => {
    const thread: Thread = {
      file: openIfThere(`/proc/${pid}/task/${tid}/schedstat`),
      run: { from: 0, now: 0 },
      wait: { from: 0, now: 0 },
      voluntary: { from: 0, now: 0 },
      involuntary: { from: 0, now: 0 },
      isBlocked: false,
      seenIn: updateCount,
    };
    threads.set(tid, thread);
    if (!refreshTimes(tid, thread)) return end(tid, thread);
    refreshStatus(tid, thread);
    if (updateCount > 1 || countFromStart) return;
    for (const figure of [thread.run, thread.wait, thread.voluntary, thread.involuntary])
      figure.from = figure.now;
  };
  const update = (): void => {
    const tids = listProc(`/proc/${pid}/task`);
    updateCount += 1;
    for (const [i, tid] of tids.entries()) {
      const thread = threads.get(tid);
      if (thread === undefined) {
        add(tid);
        continue;
      }
      thread.seenIn = updateCount;
      const place = (i - turn + tids.length) % tids.length;
      if (place >= RUN_TIMES_A_SAMPLE && tid !== busiestThreadId) continue;
      if (!refreshTimes(tid, thread)) end(tid, thread);
      else if (place < STATUSES_A_SAMPLE) refreshStatus(tid, thread);
    }
    for (const [tid, thread] of threads) if (thread.seenIn !== updateCount) end(tid, thread);
    if (tids.length > 0) turn = (turn + STATUSES_A_SAMPLE) % tids.length;
  };
  return {
    read() {
      update();
      const totals = {
        runSeconds: 0,
        voluntarySwitchCount: ended.voluntary,
        involuntarySwitchCount: ended.involuntary,
        blockedCount: 0,
      };
      let waitSeconds = ended.wait;
      for (const [tid, thread] of threads) {
        totals.runSeconds += thread.run.now;
        totals.voluntarySwitchCount += amount(thread.voluntary);
        totals.involuntarySwitchCount += amount(thread.involuntary);
        totals.blockedCount += thread.isBlocked ? 1 : 0;
        waitSeconds += amount(thread.wait);
        if (amount(thread.run) <= busiestSeconds) continue;
        busiestSeconds = amount(thread.run);
        busiestThreadId = tid;
      }
      return {
        ...totals,
        ...(tellsWaits && { waitSeconds }),
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
