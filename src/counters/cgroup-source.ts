import { type CgroupFolder, findCgroupFolders, readCpuQuota } from './cgroup.ts';
import type { CounterReading, CounterSource } from './counter-source.ts';
import { readPressure } from './pressure.ts';
import { readProc } from './proc-files.ts';
import { parseNamedNumber } from './proc-text.ts';

type Read = (path: string) => string | undefined;

/** A memory limit of version 1 beyond this is none: the kernel's own largest number, rounded to pages. */
const NO_LIMIT_BYTES = 2 ** 60;

/**
 * Counters of the process's cgroup, version 1 or 2, where it has one of its own: CPU time, quota and throttling,
 * memory and its limit, out-of-memory kills, pressure (version 2). CPU figures are those of the group that holds
 * the tightest quota, since that is where the throttling is counted. Undefined for a process in no group of its own, whose
 * figures would be those of the machine. Source: the kernel's cgroup-v2 and cgroup-v1 documents.
 * @param read for tests; answers undefined for a file that is not there.
 */
export function createCgroupSource(pid: number, read: Read = readProc): CounterSource | undefined {
  const cgroups = read(`/proc/${pid}/cgroup`) ?? '';
  const mounts = read('/proc/self/mountinfo') ?? '';
  const foldersOf = (controller: string): readonly CgroupFolder[] =>
    findCgroupFolders(cgroups, mounts, controller);
  const cpu = cpuGroup(foldersOf('cpu'), foldersOf('cpuacct'), read);
  const memory = foldersOf('memory').find((folder) => hasMemory(folder, read));
  if (cpu === undefined && memory === undefined) return undefined;
  const pressure = [cpu, memory].find((group) => group?.version === 2);
  return {
    name: 'cgroup',
    gone: false,
    read: () => [
      ...(cpu === undefined ? [] : cpuReadings(cpu, read)),
      ...(memory === undefined ? [] : memoryReadings(memory, read)),
      ...(pressure === undefined
        ? []
        : readPressure('cgroup', (resource) => `${pathOf(pressure)}/${resource}.pressure`, read)),
    ],
    close() {},
  };
}

interface CpuGroup extends CgroupFolder {
  readonly quotaCores?: number;
  /** Version 1 counts CPU time in a hierarchy of its own. */
  readonly accounting: string;
}

const pathOf = ({ mountPoint, below }: CgroupFolder): string => mountPoint + below;

function cpuGroup(
  folders: readonly CgroupFolder[],
  accounting: readonly CgroupFolder[],
  read: Read,
): CpuGroup | undefined {
  for (const folder of folders) {
    const quota = readCpuQuota([folder], read);
    const isOwn =
      folder.below !== '' || (folder.version === 2 && read(`${pathOf(folder)}/cpu.max`) !== undefined);
    if (quota === undefined && !isOwn) continue;
    const holder = quota === undefined ? pathOf(folder) : quota.file.slice(0, quota.file.lastIndexOf('/'));
    const below = holder.slice(folder.mountPoint.length);
    const counted = accounting.find(({ version }) => version === folder.version);
    return {
      ...folder,
      below,
      accounting: (counted?.mountPoint ?? folder.mountPoint) + below,
      ...(quota !== undefined && { quotaCores: quota.cores }),
    };
  }
  return undefined;
}

function hasMemory(folder: CgroupFolder, read: Read): boolean {
  if (folder.version === 2) return read(`${pathOf(folder)}/memory.current`) !== undefined;
  return folder.below !== '' || memoryLimit(folder, read) !== undefined;
}

function memoryLimit(folder: CgroupFolder, read: Read): number | undefined {
  const file = folder.version === 2 ? 'memory.max' : 'memory.limit_in_bytes';
  const limit = Number(read(`${pathOf(folder)}/${file}`) ?? NaN);
  return limit > 0 && limit < NO_LIMIT_BYTES ? limit : undefined;
}

/** Version 2 counts in microseconds, version 1 in nanoseconds. */
function cpuReadings(group: CpuGroup, read: Read): readonly CounterReading[] {
  const stat = read(`${pathOf(group)}/cpu.stat`) ?? '';
  const isSecond = group.version === 2;
  const used = isSecond
    ? parseNamedNumber(stat, 'usage_usec')
    : numberIn(read(`${group.accounting}/cpuacct.usage`));
  const throttled = parseNamedNumber(stat, isSecond ? 'throttled_usec' : 'throttled_time');
  const perSecond = isSecond ? 1e6 : 1e9;
  return [
    ...growing('cpuSeconds', 'seconds', used, perSecond, group.quotaCores),
    ...growing('throttledSeconds', 'seconds', throttled, perSecond),
    ...growing('throttledPeriodCount', 'count', parseNamedNumber(stat, 'nr_throttled')),
    ...growing('periodCount', 'count', parseNamedNumber(stat, 'nr_periods')),
  ];
}

function memoryReadings(folder: CgroupFolder, read: Read): readonly CounterReading[] {
  const path = pathOf(folder);
  const [use, events] =
    folder.version === 2
      ? ['memory.current', 'memory.events']
      : ['memory.usage_in_bytes', 'memory.oom_control'];
  const value = numberIn(read(`${path}/${use}`));
  const capacity = memoryLimit(folder, read);
  const kills = parseNamedNumber(read(`${path}/${events}`) ?? '', 'oom_kill');
  return [
    ...(value === undefined
      ? []
      : [
          {
            source: 'cgroup',
            quantity: 'memoryBytes',
            unit: 'bytes',
            kind: 'gauge',
            value,
            ...(capacity !== undefined && { capacity }),
          } as const,
        ]),
    ...growing('outOfMemoryKillCount', 'count', kills),
  ];
}

function growing(
  quantity: string,
  unit: CounterReading['unit'],
  amount: number | undefined,
  perUnit = 1,
  capacity?: number,
): readonly CounterReading[] {
  if (amount === undefined) return [];
  const value = amount / perUnit;
  return [
    {
      source: 'cgroup',
      quantity,
      unit,
      kind: 'cumulative',
      value,
      ...(capacity !== undefined && { capacity }),
    },
  ];
}

function numberIn(text: string | undefined): number | undefined {
  const value = Number(text?.trim() ?? '');
  return text === undefined || text.trim() === '' || Number.isNaN(value) ? undefined : value;
}
