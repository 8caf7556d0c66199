import type { CounterReading, CounterSource } from './counter-source.ts';
import { readKernelUnits } from './kernel-units.ts';
import { parseNetworkFigure, parseNetworkTotals } from './net-text.ts';
import { readPressure } from './pressure.ts';
import { hasProc, listProc, readProc, requireProc } from './proc-files.ts';
import {
  type DiskTimes,
  parseDiskTimes,
  parseKilobytes,
  parseMachineStat,
  parseNamedNumber,
} from './proc-text.ts';

/**
 * Counters of the whole machine; docs/counters.md lists them with their files.
 *
 * - `cpuBusySeconds`: cumulative over all cores, stolen time included; capacity is the number of cores.
 * - `loadPerCore`: the one-minute load average over the cores; it lags a change by about a minute.
 * - `runQueuePerCore`: threads that run or wait for a core at this moment, without the reader, over the cores.
 * - `diskBusySeconds`, `diskQueueSeconds`: cumulative, of the disk that was busiest since the source was made.
 *   Missing on a machine without disks of its own.
 *
 * Throws `option-invalid` on a system without /proc. Source: proc_stat(5), proc_loadavg(5), the kernel's iostats and PSI.
 */
export function createMachineSource(): CounterSource {
  requireProc('counters of the machine');
  const { ticksPerSecond, pageBytes } = readKernelUnits();
  const disks = createDiskTimes();
  return {
    name: 'machine',
    get gone() {
      return !hasProc();
    },
    read: () => [
      ...cpuReadings(ticksPerSecond),
      ...disks(),
      ...readPressure('machine', (resource) => `/proc/pressure/${resource}`),
      ...memoryReadings(pageBytes),
      ...networkReadings(),
    ],
    close() {},
  };
}

const MACHINE = { source: 'machine' } as const;
const gauge = (quantity: string) => ({ ...MACHINE, quantity, unit: 'ratio', kind: 'gauge' }) as const;
const growing = (
  quantity: string,
  unit: CounterReading['unit'],
  value: number | undefined,
): CounterReading[] =>
  value === undefined ? [] : [{ ...MACHINE, quantity, unit, kind: 'cumulative', value }];

function cpuReadings(ticksPerSecond: number): readonly CounterReading[] {
  const stat = parseMachineStat(readProc('/proc/stat') ?? '');
  const load = Number((readProc('/proc/loadavg') ?? '').split(' ')[0]);
  if (stat === undefined) return [];
  const { busyTicks, coreCount, runnableCount } = stat;
  const others = Math.max(0, runnableCount - 1);
  const busy = growing('cpuBusySeconds', 'seconds', busyTicks / ticksPerSecond);
  return [
    ...busy.map((reading) => ({ ...reading, capacity: coreCount })),
    { ...gauge('loadPerCore'), value: load / coreCount },
    { ...gauge('runQueuePerCore'), value: others / coreCount },
  ];
}

function memoryReadings(pageBytes: number): readonly CounterReading[] {
  const meminfo = readProc('/proc/meminfo') ?? '';
  const available = parseKilobytes(meminfo, 'MemAvailable');
  const capacity = parseKilobytes(meminfo, 'MemTotal');
  const vmstat = readProc('/proc/vmstat') ?? '';
  const pages = (name: string): number | undefined => {
    const count = parseNamedNumber(vmstat, name);
    return count === undefined ? undefined : count * pageBytes;
  };
  return [
    ...(available === undefined || capacity === undefined ? [] : [memoryGauge(available, capacity)]),
    ...growing('swappedInBytes', 'bytes', pages('pswpin')),
    ...growing('swappedOutBytes', 'bytes', pages('pswpout')),
  ];
}

const memoryGauge = (value: number, capacity: number): CounterReading => ({
  ...MACHINE,
  quantity: 'memoryAvailableBytes',
  unit: 'bytes',
  kind: 'gauge',
  capacity,
  value,
});

function networkReadings(): readonly CounterReading[] {
  const text = readProc('/proc/net/dev');
  if (text === undefined) return [];
  const { receivedBytes, sentBytes, errorCount } = parseNetworkTotals(text);
  const retransmits = parseNetworkFigure(readProc('/proc/net/snmp') ?? '', 'Tcp', 'RetransSegs');
  return [
    ...growing('networkReceivedBytes', 'bytes', receivedBytes),
    ...growing('networkSentBytes', 'bytes', sentBytes),
    ...growing('networkErrorCount', 'count', errorCount),
    ...growing('retransmitCount', 'count', retransmits),
  ];
}

const BUSY = { ...MACHINE, quantity: 'diskBusySeconds', unit: 'seconds', kind: 'cumulative' } as const;
const QUEUE = { ...MACHINE, quantity: 'diskQueueSeconds', unit: 'seconds', kind: 'cumulative' } as const;

/** Reads how long the disk that was busiest since the first reading was busy, and its queue; nothing without one. */
function createDiskTimes(): () => readonly CounterReading[] {
  const readAll = () => parseDiskTimes(readProc('/proc/diskstats') ?? '');
  const atStart = readAll();
  // Loop devices, RAM disks and mapped volumes have no device behind them.
  const names = [...atStart.keys()].filter((name) => listProc(`/sys/block/${name}/device`).length > 0);
  let highest: { name: string; times: DiskTimes } | undefined;
  const since = (name: string, now: DiskTimes): DiskTimes => ({
    busySeconds: now.busySeconds - atStart.get(name)!.busySeconds,
    queueSeconds: now.queueSeconds - atStart.get(name)!.queueSeconds,
  });
  return () => {
    const disks = readAll();
    for (const name of names) {
      const now = disks.get(name);
      if (now === undefined) continue;
      const times = since(name, now);
      if (highest === undefined || times.busySeconds >= highest.times.busySeconds) highest = { name, times };
    }
    if (highest === undefined) return [];
    const { name, times } = highest;
    return [
      { ...BUSY, capacity: 1, label: name, value: times.busySeconds },
      { ...QUEUE, label: name, value: times.queueSeconds },
    ];
  };
}
