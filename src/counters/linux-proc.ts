import type { CounterReading, CounterSource } from './counter-source.ts';
import { readKernelUnits } from './kernel-units.ts';
import { listProc, readProc, requireProcess } from './proc-files.ts';
import { parseDescriptorLimit } from './proc-text.ts';
import { createProcessFamily, type ProcessFamily } from './process-family.ts';
import { usableCores } from './usable-cores.ts';

/**
 * Counters of a process and its descendants, the new ones too; docs/counters.md lists them with their files.
 *
 * - `cpuSeconds`: cumulative, capacity m. Σ own CPU time of the living + what the ended used: the larger of what
 *   was last seen of them and what their parents were charged with when they waited for them. It never falls.
 * - `busiestThreadCpuSeconds`: cumulative, of the one thread that used most since the source was made; capacity 1.
 * - `rssBytes`: Σ resident set sizes; pages that processes share count in each.
 * - `descriptorCount`: of the process with most, since limits hold per process; capacity is the soft limit.
 *   Missing where descriptors may not be looked at.
 *
 * `gone` once the process has ended, also when its pid names another one by then; `goneReason` says which.
 * Throws `process-not-found`, and `option-invalid` on a system without /proc. Source: proc(5).
 * @param cores m where the caller knows it; else affinity and quota say.
 */
export function createProcessSource(pid: number, cores?: number): CounterSource {
  const rootStartTicks = requireProcess(pid).startTicks;
  const coreCount = cores ?? usableCores(pid).cores;
  const descriptorLimit = parseDescriptorLimit(readProc(`/proc/${pid}/limits`) ?? '');
  const showsDescriptors = listProc(`/proc/${pid}/fd`).length > 0;
  const family = createProcessFamily(pid, readKernelUnits());
  let gone = false;
  let goneReason: string | undefined;
  const close = (reason?: string): void => {
    if (!gone) family.close();
    gone = true;
    goneReason ??= reason;
  };
  family.update();
  return {
    name: 'process',
    get gone() {
      return gone;
    },
    get goneReason() {
      return goneReason;
    },
    read() {
      if (gone) return [];
      family.update();
      const end = endOf(pid, rootStartTicks, family);
      if (end !== undefined) {
        close(end);
        return [];
      }
      return [
        ...cpuReadings(family, coreCount),
        ...memoryReadings(family),
        ...storageReadings(family),
        ...(showsDescriptors
          ? [reading('descriptorCount', 'count', 'gauge', family.descriptorCount(), descriptorLimit)]
          : []),
      ];
    },
    close: () => close(),
  };
}

/** How the root process ended; undefined while it lives. */
function endOf(pid: number, startTicks: number, { processes }: ProcessFamily): string | undefined {
  const root = processes.get(pid);
  if (root?.startTicks === startTicks) return root.stat.state === 'Z' ? `process ${pid} ended` : undefined;
  const other = readProc(`/proc/${pid}/comm`)?.trim();
  return other === undefined
    ? `process ${pid} ended`
    : `process ${pid} ended, and its number now names another process (${other})`;
}

function cpuReadings(family: ProcessFamily, coreCount: number): readonly CounterReading[] {
  const { seconds, label } = family.busiestThread();
  const wait = family.runQueueWaitSeconds();
  const { voluntary, involuntary } = family.switchCounts();
  return [
    reading('cpuSeconds', 'seconds', 'cumulative', family.cpuSeconds(), coreCount),
    {
      ...reading('busiestThreadCpuSeconds', 'seconds', 'cumulative', seconds, 1),
      ...(label !== undefined && { label }),
    },
    ...(wait === undefined ? [] : [reading('runQueueWaitSeconds', 'seconds', 'cumulative', wait)]),
    reading('voluntarySwitchCount', 'count', 'cumulative', voluntary),
    reading('involuntarySwitchCount', 'count', 'cumulative', involuntary),
    reading('blockedThreadCount', 'count', 'gauge', family.blockedThreadCount()),
    reading('threadCount', 'count', 'gauge', family.threadCount()),
    reading('processCount', 'count', 'gauge', family.processes.size),
    reading('endedProcessCount', 'count', 'cumulative', family.endedProcessCount()),
  ];
}

const memoryReadings = (family: ProcessFamily): readonly CounterReading[] => [
  reading('rssBytes', 'bytes', 'gauge', family.residentBytes()),
  reading('swapBytes', 'bytes', 'gauge', family.swapBytes()),
  reading('majorFaultCount', 'count', 'cumulative', family.majorFaultCount()),
];

function storageReadings(family: ProcessFamily): readonly CounterReading[] {
  const bytes = family.storageBytes();
  if (bytes === undefined) return [];
  return [
    reading('readBytes', 'bytes', 'cumulative', bytes.read),
    reading('writtenBytes', 'bytes', 'cumulative', bytes.written),
  ];
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
