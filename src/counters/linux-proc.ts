import { statSync } from 'node:fs';
import type { CounterReading, CounterSource } from './counter-source.ts';
import { createCpuRefinement, type CpuRefinement } from './cpu-refinement.ts';
import { readKernelUnits, type KernelUnits } from './kernel-units.ts';
import { listProc, readProc, readProcessStat, requireProcess } from './proc-files.ts';
import { parseDescriptorLimit, type ProcessStat } from './proc-text.ts';
import { createProcessTree } from './process-tree.ts';
import { createThreadTimes, type ThreadTimes } from './thread-times.ts';
import { usableCores } from './usable-cores.ts';

/** A process under watch and what was last read of it. */
interface WatchedProcess {
  readonly startTicks: number;
  readonly refinement: CpuRefinement;
  readonly threads: ThreadTimes;
  stat: ProcessStat;
  ownCpuSeconds: number;
}

/**
 * Counters of a process and its descendants, the new ones too.
 *
 * - `cpuSeconds`: cumulative, capacity m. Σ own CPU time of the living + what the ended used: the larger of what
 *   was last seen of them and what their parents were charged with when they waited for them. It never falls.
 * - `rssBytes`: Σ resident set sizes; pages that processes share count in each.
 * - `threadCount`.
 * - `busiestThreadCpuSeconds`: cumulative, of the one thread that used most since the source was made; capacity 1.
 * - `descriptorCount`: of the process with most, since limits hold per process; capacity is the soft limit.
 *   Missing where descriptors may not be looked at.
 *
 * `gone` once the process has ended, also when its pid names another one by then.
 * Throws `process-not-found`, and `option-invalid` on a system without /proc. Source: proc(5).
 * @param cores m where the caller knows it; else affinity and quota say.
 */
export function createProcessSource(pid: number, cores?: number): CounterSource {
  const rootStartTicks = requireProcess(pid).startTicks;
  const coreCount = cores ?? usableCores(pid).cores;
  const descriptorLimit = parseDescriptorLimit(readProc(`/proc/${pid}/limits`) ?? '');
  const showsDescriptors = listProc(`/proc/${pid}/fd`).length > 0;
  const family = createFamily(pid, readKernelUnits());
  let gone = false;
  family.update();
  return {
    name: 'process',
    get gone() {
      return gone;
    },
    read() {
      if (!gone) family.update();
      const root = family.processes.get(pid);
      gone ||= root === undefined || root.startTicks !== rootStartTicks || root.stat.state === 'Z';
      if (gone) return [];
      const readings: CounterReading[] = [
        reading('cpuSeconds', 'seconds', 'cumulative', family.cpuSeconds(), coreCount),
        reading('rssBytes', 'bytes', 'gauge', family.residentBytes()),
        reading('threadCount', 'count', 'gauge', family.threadCount()),
        reading('busiestThreadCpuSeconds', 'seconds', 'cumulative', family.busiestThreadCpuSeconds(), 1),
      ];
      if (showsDescriptors) {
        const count = Math.max(...Array.from(family.processes.keys(), countDescriptors));
        readings.push(reading('descriptorCount', 'count', 'gauge', count, descriptorLimit));
      }
      return readings;
    },
    close() {
      gone = true;
    },
  };
}

function reading(
  quantity: string,
  unit: CounterReading['unit'],
  kind: CounterReading['kind'],
  value: number,
  capacity?: number,
): CounterReading {
  return { source: 'process', quantity, unit, kind, value, ...(capacity === undefined ? {} : { capacity }) };
}

interface Family {
  readonly processes: ReadonlyMap<number, WatchedProcess>;
  update(): void;
  cpuSeconds(): number;
  residentBytes(): number;
  threadCount(): number;
  busiestThreadCpuSeconds(): number;
}

function createFamily(rootPid: number, units: KernelUnits): Family {
  const tree = createProcessTree(rootPid);
  const processes = new Map<number, WatchedProcess>();
  const sum = (value: (process: WatchedProcess) => number): number => {
    let total = 0;
    for (const process of processes.values()) total += value(process);
    return total;
  };
  let isFirstUpdate = true;
  let endedCpuSeconds = 0;
  let reapedBaselineTicks = 0;
  let cpuSeconds = 0;
  let busiestThreadCpuSeconds = 0;

  const add = (pid: number, stat: ProcessStat): WatchedProcess => {
    if (isFirstUpdate) reapedBaselineTicks += stat.reapedCpuTicks;
    const process = {
      startTicks: stat.startTicks,
      refinement: createCpuRefinement(1 / units.ticksPerSecond),
      threads: createThreadTimes(pid, units.ticksPerSecond, !isFirstUpdate),
      stat,
      ownCpuSeconds: 0,
    };
    processes.set(pid, process);
    return process;
  };
  const end = (pid: number): void => {
    endedCpuSeconds += processes.get(pid)?.ownCpuSeconds ?? 0;
    processes.delete(pid);
    tree.remove(pid);
  };
  const refresh = (pid: number): void => {
    const stat = readProcessStat(pid);
    const known = processes.get(pid);
    if (stat === undefined || (known !== undefined && known.startTicks !== stat.startTicks)) return end(pid);
    const process = known ?? add(pid, stat);
    const { sumSeconds, busiestSeconds } = process.threads.read();
    process.stat = stat;
    process.ownCpuSeconds = process.refinement.estimate(stat.cpuTicks / units.ticksPerSecond, sumSeconds);
    busiestThreadCpuSeconds = Math.max(busiestThreadCpuSeconds, busiestSeconds);
  };
  return {
    processes,
    update() {
      for (const pid of tree.update()) refresh(pid);
      isFirstUpdate = false;
      const reapedTicks = sum((process) => process.stat.reapedCpuTicks) - reapedBaselineTicks;
      const ended = Math.max(endedCpuSeconds, reapedTicks / units.ticksPerSecond);
      cpuSeconds = Math.max(cpuSeconds, sum((process) => process.ownCpuSeconds) + ended);
    },
    cpuSeconds: () => cpuSeconds,
    residentBytes: () => sum((process) => process.stat.residentPages) * units.pageBytes,
    threadCount: () => sum((process) => process.stat.threadCount),
    busiestThreadCpuSeconds: () => busiestThreadCpuSeconds,
  };
}

/** Open descriptors of a process: since Linux 6.2 the size of its folder, before that its entries. */
function countDescriptors(pid: number): number {
  try {
    return statSync(`/proc/${pid}/fd`).size || listProc(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
