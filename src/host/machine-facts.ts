import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, freemem, totalmem } from 'node:os';
import { parseDescriptorLimit } from '../counters/proc-text.ts';
import { hasProc, readProc } from '../counters/proc-files.ts';
import { usableCores } from '../counters/usable-cores.ts';

/** What a machine says of itself; what it does not say is missing. */
export interface MachineFacts {
  readonly nodeVersion: string;
  readonly machineCoreCount: number;
  readonly usableCores: number;
  readonly usableCoresSource?: string;
  readonly governor?: string;
  readonly clockSource?: string;
  readonly descriptorLimit?: number;
  readonly portRange?: readonly [first: number, last: number];
  readonly listenBacklog?: number;
  readonly memoryBytes: number;
  readonly freeMemoryBytes: number;
  /** The container's limit, where there is one below the machine's memory. */
  readonly memoryLimitBytes?: number;
}

/** Reads what the machine and the container say, on Linux from /proc and /sys. */
export function readMachineFacts(): MachineFacts {
  const cores = hasProc() ? usableCores(process.pid) : undefined;
  const descriptorLimit = parseDescriptorLimit(readProc('/proc/self/limits') ?? '');
  const governor = word('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor');
  const clockSource = word('/sys/devices/system/clocksource/clocksource0/current_clocksource');
  const ports = numbers('/proc/sys/net/ipv4/ip_local_port_range');
  const [listenBacklog] = numbers('/proc/sys/net/core/somaxconn');
  const limit = memoryLimit();
  return {
    nodeVersion: process.version,
    machineCoreCount: cpus().length,
    usableCores: cores?.cores ?? availableParallelism(),
    ...(cores !== undefined && { usableCoresSource: cores.source }),
    ...(governor !== undefined && { governor }),
    ...(clockSource !== undefined && { clockSource }),
    ...(descriptorLimit !== undefined && { descriptorLimit }),
    ...(ports.length === 2 && { portRange: [ports[0]!, ports[1]!] as const }),
    ...(listenBacklog !== undefined && { listenBacklog }),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    ...(limit !== undefined && limit < totalmem() && { memoryLimitBytes: limit }),
  };
}

function word(path: string): string | undefined {
  const text = readProc(path)?.trim();
  return text === '' ? undefined : text;
}

const numbers = (path: string): readonly number[] =>
  (word(path) ?? '')
    .split(/\s+/)
    .map(Number)
    .filter((value) => value > 0);

/** Memory limit of the container's own cgroup, as seen from inside it (version 2, else 1). */
function memoryLimit(): number | undefined {
  for (const path of ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']) {
    try {
      const bytes = Number(readFileSync(path, 'utf8'));
      if (Number.isFinite(bytes)) return bytes;
    } catch {
      // Not this version, or no cgroup at all.
    }
  }
  return undefined;
}

/** What a thread that wants the CPU the whole time does not get of it. */
export interface NoiseReading {
  /** Share of the time in which the thread did not run. */
  readonly lostRatio: number;
  /** The longest single pause. */
  readonly longestPauseSeconds: number;
}

/** Between two readings of the clock lie well under a microsecond; a gap beyond this was somebody else's. */
const GAP_MILLISECONDS = 0.1;

/** Reads the clock without a pause and adds up the gaps: other processes, or another machine on the same cores. */
export function listenForNoise(seconds: number): NoiseReading {
  const start = performance.now();
  const end = start + seconds * 1000;
  let last = start;
  let lost = 0;
  let longest = 0;
  while (last < end) {
    const now = performance.now();
    const gap = now - last;
    if (gap > GAP_MILLISECONDS) {
      lost += gap;
      longest = Math.max(longest, gap);
    }
    last = now;
  }
  return { lostRatio: lost / (last - start), longestPauseSeconds: longest / 1000 };
}
