import { findCgroupFolders, readCpuQuota, type CpuQuota } from './cgroup.ts';
import { readProc, requireProcess } from './proc-files.ts';
import { parseAllowedCpuCount, parseMachineStat } from './proc-text.ts';

/** m: the cores a process can use, and how that is known. */
export interface UsableCores {
  /** May be fractional under a quota. */
  readonly cores: number;
  /** `affinity, 2 of 2 cores` or `CPU quota, 1.5 of 8 cores (/sys/fs/cgroup/…/cpu.max)`. */
  readonly source: string;
}

/** The smaller of the allowed processors and the CPU quota. */
export function smallerOf(allowedCount: number, machineCoreCount: number, quota?: CpuQuota): UsableCores {
  if (quota !== undefined && quota.cores < allowedCount) {
    const cores = Number(quota.cores.toFixed(2));
    return {
      cores: quota.cores,
      source: `CPU quota, ${cores} of ${machineCoreCount} cores (${quota.file})`,
    };
  }
  return { cores: allowedCount, source: `affinity, ${allowedCount} of ${machineCoreCount} cores` };
}

/**
 * The cores that `pid` can use: the smaller of its affinity (`Cpus_allowed_list`) and its CPU quota (cgroup
 * version 1 or 2, the tightest on the way up). A process that keeps to one thread uses less; that is for the
 * analysis to see. Throws `process-not-found`, and `option-invalid` on a system without /proc.
 */
export function usableCores(pid: number): UsableCores {
  requireProcess(pid);
  const machineCoreCount = parseMachineStat(readProc('/proc/stat') ?? '')?.coreCount ?? 1;
  const allowedCount = parseAllowedCpuCount(readProc(`/proc/${pid}/status`) ?? '') ?? machineCoreCount;
  const folders = findCgroupFolders(
    readProc(`/proc/${pid}/cgroup`) ?? '',
    readProc('/proc/self/mountinfo') ?? '',
  );
  return smallerOf(allowedCount, machineCoreCount, readCpuQuota(folders));
}
