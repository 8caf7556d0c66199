import { statSync } from 'node:fs';
import { createCpuRefinement, type CpuRefinement } from './cpu-refinement.ts';
import type { KernelUnits } from './kernel-units.ts';
import { listProc, readProc, readProcessStat } from './proc-files.ts';
import { parseKilobytes, parseNamedNumber, type ProcessStat } from './proc-text.ts';
import { createProcessTree } from './process-tree.ts';
import { createThreadCounters, type ThreadCounters, type ThreadTotals } from './thread-counters.ts';

/** A process under watch and what was last read of it. */
export interface WatchedProcess {
  readonly startTicks: number;
  readonly refinement: CpuRefinement;
  readonly counters: ThreadCounters;
  /** Figures before the watch began. */
  readonly from: Since;
  stat: ProcessStat;
  threads: ThreadTotals;
  io: StorageBytes | undefined;
  ownCpuSeconds: number;
}

/** What a process counts from its start. */
interface Since {
  readonly majorFaultCount: number;
  readonly io: StorageBytes | undefined;
}

interface StorageBytes {
  readonly read: number;
  readonly written: number;
}

/** Σ over a process and its descendants, the ended ones too where the figure only grows. */
export interface ProcessFamily {
  readonly processes: ReadonlyMap<number, WatchedProcess>;
  update(): void;
  cpuSeconds(): number;
  busiestThread(): { readonly seconds: number; readonly label?: string };
  /** Missing where the kernel keeps no waits. */
  runQueueWaitSeconds(): number | undefined;
  switchCounts(): { readonly voluntary: number; readonly involuntary: number };
  blockedThreadCount(): number;
  threadCount(): number;
  endedProcessCount(): number;
  residentBytes(): number;
  swapBytes(): number;
  majorFaultCount(): number;
  /** Missing where /proc/PID/io may not be read. */
  storageBytes(): StorageBytes | undefined;
  /** Of the process with most: limits hold per process. */
  descriptorCount(): number;
  close(): void;
}

/** Totals that ended processes leave behind. */
interface Left {
  cpuSeconds: number;
  waitSeconds: number;
  voluntary: number;
  involuntary: number;
  majorFaultCount: number;
  read: number;
  written: number;
  processCount: number;
}

/** Watches `rootPid` and its descendants, the new ones too. */
export function createProcessFamily(rootPid: number, units: KernelUnits): ProcessFamily {
  const tree = createProcessTree(rootPid);
  const processes = new Map<number, WatchedProcess>();
  const left: Left = {
    cpuSeconds: 0,
    waitSeconds: 0,
    voluntary: 0,
    involuntary: 0,
    majorFaultCount: 0,
    read: 0,
    written: 0,
    processCount: 0,
  };
  let isFirstUpdate = true;
  let reapedBaselineTicks = 0;
  let cpuSeconds = 0;
  let busiest: { seconds: number; label?: string } = { seconds: 0 };
  const sum = (value: (process: WatchedProcess) => number): number => {
    let total = 0;
    for (const process of processes.values()) total += value(process);
    return total;
  };

  const add = (pid: number, stat: ProcessStat): WatchedProcess => {
    if (isFirstUpdate) reapedBaselineTicks += stat.reapedCpuTicks;
    const counters = createThreadCounters(pid, units.ticksPerSecond, !isFirstUpdate);
    const io = readStorageBytes(pid);
    const process: WatchedProcess = {
      startTicks: stat.startTicks,
      refinement: createCpuRefinement(1 / units.ticksPerSecond),
      counters,
      from: isFirstUpdate ? { majorFaultCount: stat.majorFaultCount, io } : { majorFaultCount: 0, io: NONE },
      stat,
      threads: counters.read(),
      io,
      ownCpuSeconds: 0,
    };
    processes.set(pid, process);
    return process;
  };
  const end = (pid: number): void => {
    const process = processes.get(pid);
    if (process !== undefined) leave(left, process);
    process?.counters.close();
    processes.delete(pid);
    tree.remove(pid);
  };
  const refresh = (pid: number): void => {
    const stat = readProcessStat(pid);
    const known = processes.get(pid);
    if (stat === undefined || (known !== undefined && known.startTicks !== stat.startTicks)) return end(pid);
    const process = known ?? add(pid, stat);
    process.stat = stat;
    if (known !== undefined) process.threads = process.counters.read();
    process.io = readStorageBytes(pid) ?? process.io;
    const { runSeconds, busiestSeconds, busiestThreadId } = process.threads;
    process.ownCpuSeconds = process.refinement.estimate(stat.cpuTicks / units.ticksPerSecond, runSeconds);
    if (busiestSeconds > busiest.seconds) {
      busiest = { seconds: busiestSeconds, ...labelOf(pid, busiestThreadId) };
    }
  };
  return {
    processes,
    update() {
      for (const pid of tree.update()) refresh(pid);
      isFirstUpdate = false;
      const reapedTicks = sum((process) => process.stat.reapedCpuTicks) - reapedBaselineTicks;
      const ended = Math.max(left.cpuSeconds, reapedTicks / units.ticksPerSecond);
      cpuSeconds = Math.max(cpuSeconds, sum((process) => process.ownCpuSeconds) + ended);
    },
    cpuSeconds: () => cpuSeconds,
    busiestThread: () => busiest,
    runQueueWaitSeconds() {
      const isTold = [...processes.values()].some(({ threads }) => threads.waitSeconds !== undefined);
      return isTold ? left.waitSeconds + sum(({ threads }) => threads.waitSeconds ?? 0) : undefined;
    },
    switchCounts: () => ({
      voluntary: left.voluntary + sum(({ threads }) => threads.voluntarySwitchCount),
      involuntary: left.involuntary + sum(({ threads }) => threads.involuntarySwitchCount),
    }),
    blockedThreadCount: () => sum(({ threads }) => threads.blockedCount),
    threadCount: () => sum((process) => process.stat.threadCount),
    endedProcessCount: () => left.processCount,
    residentBytes: () => sum((process) => process.stat.residentPages) * units.pageBytes,
    swapBytes() {
      let bytes = 0;
      for (const pid of processes.keys())
        bytes += parseKilobytes(readProc(`/proc/${pid}/status`) ?? '', 'VmSwap') ?? 0;
      return bytes;
    },
    majorFaultCount: () => left.majorFaultCount + sum(majorFaultsOf),
    storageBytes() {
      if ([...processes.values()].every(({ io }) => io === undefined)) return undefined;
      return {
        read: left.read + sum((process) => storageOf(process, 'read')),
        written: left.written + sum((process) => storageOf(process, 'written')),
      };
    },
    descriptorCount: () => Math.max(...Array.from(processes.keys(), countDescriptors)),
    close() {
      for (const { counters } of processes.values()) counters.close();
    },
  };
}

const NONE: StorageBytes = { read: 0, written: 0 };

const majorFaultsOf = ({ stat, from }: WatchedProcess): number => stat.majorFaultCount - from.majorFaultCount;

const storageOf = ({ io, from }: WatchedProcess, way: keyof StorageBytes): number =>
  (io?.[way] ?? 0) - (from.io?.[way] ?? 0);

function leave(left: Left, process: WatchedProcess): void {
  const { threads, ownCpuSeconds } = process;
  left.cpuSeconds += ownCpuSeconds;
  left.waitSeconds += threads.waitSeconds ?? 0;
  left.voluntary += threads.voluntarySwitchCount;
  left.involuntary += threads.involuntarySwitchCount;
  left.majorFaultCount += majorFaultsOf(process);
  left.read += storageOf(process, 'read');
  left.written += storageOf(process, 'written');
  left.processCount += 1;
}

/** `node (thread 4711)`. */
function labelOf(pid: number, tid: string | undefined): { readonly label?: string } {
  const name = tid === undefined ? undefined : readProc(`/proc/${pid}/task/${tid}/comm`)?.trim();
  return name === undefined ? {} : { label: `${name} (thread ${tid})` };
}

function readStorageBytes(pid: number): StorageBytes | undefined {
  const text = readProc(`/proc/${pid}/io`) ?? '';
  const read = parseNamedNumber(text, 'read_bytes');
  const written = parseNamedNumber(text, 'write_bytes');
  return read === undefined || written === undefined ? undefined : { read, written };
}

/** Open descriptors of a process: since Linux 6.2 the size of its folder, before that its entries. */
function countDescriptors(pid: number): number {
  try {
    return statSync(`/proc/${pid}/fd`).size || listProc(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
