import type { CounterReading, CounterSource } from './counter-source.ts';
import { readKernelUnits } from './kernel-units.ts';
import { hasProc, listProc, readProc, requireProc } from './proc-files.ts';
import { parseDiskBusySeconds, parseMachineStat } from './proc-text.ts';

/**
 * Counters of the whole machine.
 *
 * - `cpuBusySeconds`: cumulative over all cores, stolen time included; capacity is the number of cores.
 * - `loadPerCore`: the one-minute load average over the cores; it lags a change by about a minute.
 * - `runQueuePerCore`: threads that run or wait for a core at this moment, without the reader, over the cores.
 * - `diskBusySeconds`: cumulative, of the disk that was busiest since the source was made; capacity 1. Missing
 *   on a machine without disks of its own.
 *
 * Throws `option-invalid` on a system without /proc. Source: proc_stat(5), proc_loadavg(5), the kernel's iostats.
 */
export function createMachineSource(): CounterSource {
  requireProc('counters of the machine');
  const { ticksPerSecond } = readKernelUnits();
  const disks = createDiskTimes();
  return {
    name: 'machine',
    get gone() {
      return !hasProc();
    },
    read() {
      const stat = parseMachineStat(readProc('/proc/stat') ?? '');
      const load = Number((readProc('/proc/loadavg') ?? '').split(' ')[0]);
      if (stat === undefined) return [];
      const { busyTicks, coreCount, runnableCount } = stat;
      const others = Math.max(0, runnableCount - 1);
      const readings: CounterReading[] = [
        { ...CPU, capacity: coreCount, value: busyTicks / ticksPerSecond },
        { ...gauge('loadPerCore'), value: load / coreCount },
        { ...gauge('runQueuePerCore'), value: others / coreCount },
      ];
      const diskBusySeconds = disks();
      if (diskBusySeconds !== undefined) readings.push({ ...DISK, value: diskBusySeconds });
      return readings;
    },
    close() {},
  };
}

const MACHINE = { source: 'machine', unit: 'seconds', kind: 'cumulative' } as const;
const CPU = { ...MACHINE, quantity: 'cpuBusySeconds' } as const;
const DISK = { ...MACHINE, quantity: 'diskBusySeconds', capacity: 1 } as const;
const gauge = (quantity: string) => ({ source: 'machine', quantity, unit: 'ratio', kind: 'gauge' }) as const;

/** Reads how long the busiest real disk was busy since the first reading; undefined without one. */
function createDiskTimes(): () => number | undefined {
  const readBusy = () => parseDiskBusySeconds(readProc('/proc/diskstats') ?? '');
  const atStart = readBusy();
  // Loop devices, RAM disks and mapped volumes have no device behind them.
  const names = [...atStart.keys()].filter((name) => listProc(`/sys/block/${name}/device`).length > 0);
  let highest = 0;
  return () => {
    if (names.length === 0) return undefined;
    const busy = readBusy();
    for (const name of names) {
      highest = Math.max(highest, (busy.get(name) ?? 0) - (atStart.get(name) ?? 0));
    }
    return highest;
  };
}
