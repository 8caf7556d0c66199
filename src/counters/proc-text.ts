/** What one line of /proc/PID/stat says, in the kernel's own units (clock ticks, pages). */
export interface ProcessStat {
  readonly name: string;
  readonly state: string;
  readonly parentPid: number;
  readonly processGroup: number;
  /** utime + stime of all threads, the ended ones too. */
  readonly cpuTicks: number;
  /** cutime + cstime: children that ended and were waited for, with theirs. */
  readonly reapedCpuTicks: number;
  readonly threadCount: number;
  /** Ticks after boot; with the pid it names one process, however often the pid is used again. */
  readonly startTicks: number;
  readonly residentPages: number;
}

/**
 * Parses /proc/PID/stat (or /proc/PID/task/TID/stat). The name stands in parentheses and may itself hold
 * spaces and parentheses, so that fields are counted from the last `)`. Undefined when the text is cut short.
 * Source: proc_pid_stat(5).
 */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  const fields = text.slice(close + 2).split(' ');
  if (fields.length < 22) return undefined;
  const field = (numberInManual: number): number => Number(fields[numberInManual - 3]);
  return {
    name: text.slice(open + 1, close),
    state: fields[0]!,
    parentPid: field(4),
    processGroup: field(5),
    cpuTicks: field(14) + field(15),
    reapedCpuTicks: field(16) + field(17),
    threadCount: field(20),
    startTicks: field(22),
    residentPages: field(24),
  };
}

/**
 * Seconds on a processor from a thread's schedstat (`run-nanoseconds wait-nanoseconds slices`). Undefined
 * where the kernel keeps no such statistics (`0 0 0`).
 */
export function parseRunSeconds(text: string): number | undefined {
  const [run, , slices] = text.split(' ');
  return slices === undefined || Number(slices) === 0 ? undefined : Number(run) / 1e9;
}

/** Numbers of the processors in a kernel list such as `0-3,8`. */
export function parseCpuList(list: string): readonly number[] {
  return list
    .trim()
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}

/** Processors in a kernel list such as `0-3,8`. */
export const countCpuList = (list: string): number => parseCpuList(list).length;

/** Numbers of the processors that the process of /proc/PID/status may use. */
export function parseAllowedCpus(status: string): readonly number[] | undefined {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1];
  return list === undefined ? undefined : parseCpuList(list);
}

/** How many they are. */
export const parseAllowedCpuCount = (status: string): number | undefined => parseAllowedCpus(status)?.length;

/** Soft limit of open descriptors in /proc/PID/limits; undefined when unlimited or not stated. */
export function parseDescriptorLimit(limits: string): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** The machine's processors as /proc/stat tells it. */
export interface MachineStat {
  /**
   * user + nice + system + irq + softirq + steal. Guest time is already in user; time stolen by the
   * hypervisor counts as busy, because nobody here could use it.
   */
  readonly busyTicks: number;
  readonly coreCount: number;
  /** Threads on a processor or waiting for one, the reader included. */
  readonly runnableCount: number;
}

/** Parses /proc/stat (proc_stat(5)); undefined when it has no `cpu` line. */
export function parseMachineStat(text: string): MachineStat | undefined {
  const total = /^cpu +(.+)$/m.exec(text)?.[1]?.split(' ').map(Number);
  if (total === undefined) return undefined;
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = total;
  return {
    busyTicks: user + nice + system + irq + softirq + steal,
    coreCount: text.match(/^cpu\d/gm)?.length ?? 1,
    runnableCount: Number(/^procs_running (\d+)/m.exec(text)?.[1] ?? 0),
  };
}

/** Seconds each block device was busy since boot (`io_ticks`, field 13 of /proc/diskstats, in milliseconds). */
export function parseDiskBusySeconds(text: string): ReadonlyMap<string, number> {
  const busy = new Map<string, number>();
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/\s+/);
    const name = fields[2];
    if (name !== undefined && fields.length >= 14) busy.set(name, Number(fields[12]) / 1000);
  }
  return busy;
}

const TCP_LISTEN = '0A';

/** Inodes of the sockets that listen on a port, from /proc/net/tcp or tcp6 (addresses and ports in hex). */
export function parseListeningInodes(text: string, port: number): readonly string[] {
  const inodes: string[] = [];
  for (const line of text.split('\n').slice(1)) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    if (state !== TCP_LISTEN || local === undefined || inode === undefined) continue;
    if (Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16) === port) inodes.push(inode);
  }
  return inodes;
}
