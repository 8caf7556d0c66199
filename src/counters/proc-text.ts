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
  /** Pages that had to be read from a disk. */
  readonly majorFaultCount: number;
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
    majorFaultCount: field(12),
  };
}

/**
 * Seconds a thread was on a processor and waited for one, from its schedstat (`run-nanoseconds wait-nanoseconds
 * slices`). Undefined where the kernel keeps no such statistics (`0 0 0`).
 */
export function parseRunTimes(
  text: string,
): { readonly runSeconds: number; readonly waitSeconds: number } | undefined {
  const [run, wait, slices] = text.split(' ');
  if (slices === undefined || Number(slices) === 0) return undefined;
  return { runSeconds: Number(run) / 1e9, waitSeconds: Number(wait) / 1e9 };
}

/** What /proc/PID/task/TID/status says of one thread. */
export interface ThreadStatus {
  /** `R` running or ready, `S` asleep, `D` asleep in the kernel until a disk or the like has answered. */
  readonly state: string;
  readonly voluntarySwitchCount: number;
  readonly involuntarySwitchCount: number;
}

/** Parses the status of a thread (proc_pid_status(5)); undefined when the text is cut short. */
export function parseThreadStatus(text: string): ThreadStatus | undefined {
  const state = /^State:\s+(\S)/m.exec(text)?.[1];
  const voluntary = /^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1];
  const involuntary = /^nonvoluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1];
  if (state === undefined || voluntary === undefined || involuntary === undefined) return undefined;
  return {
    state,
    voluntarySwitchCount: Number(voluntary),
    involuntarySwitchCount: Number(involuntary),
  };
}

/** A line `Name: 12 kB` of /proc/PID/status or /proc/meminfo in bytes; undefined when it is missing. */
export function parseKilobytes(text: string, name: string): number | undefined {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** A line `name 12` or `name: 12` of /proc/vmstat, /proc/PID/io, cpu.stat and the like; undefined when it is missing. */
export function parseNamedNumber(text: string, name: string): number | undefined {
  const value = new RegExp(`^${name}:? (\\d+)`, 'm').exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
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

/** Of one block device since boot, from /proc/diskstats. */
export interface DiskTimes {
  /** Something was under way (`io_ticks`, field 13). */
  readonly busySeconds: number;
  /** Σ over its requests of the time they took (field 14); over a stretch of time the mean number under way. */
  readonly queueSeconds: number;
}

/** Parses /proc/diskstats; its times are milliseconds. Source: the kernel's iostats. */
export function parseDiskTimes(text: string): ReadonlyMap<string, DiskTimes> {
  const disks = new Map<string, DiskTimes>();
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/\s+/);
    const name = fields[2];
    if (name === undefined || fields.length < 14) continue;
    disks.set(name, { busySeconds: Number(fields[12]) / 1000, queueSeconds: Number(fields[13]) / 1000 });
  }
  return disks;
}
