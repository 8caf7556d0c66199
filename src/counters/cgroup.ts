import { readProc } from './proc-files.ts';

/** Where a process's cgroup may be seen: its folder, and the mount above which not to look. */
export interface CgroupFolder {
  readonly version: 1 | 2;
  readonly mountPoint: string;
  /** Path below the mount point, `''` at the mount itself. */
  readonly below: string;
}

/** A CPU quota in cores, and the file it stands in. */
export interface CpuQuota {
  readonly cores: number;
  readonly file: string;
}

interface CgroupMount {
  readonly version: 1 | 2;
  /** The part of the hierarchy that is mounted: `/`, or in a container often the container's own cgroup. */
  readonly root: string;
  readonly mountPoint: string;
}

/**
 * The folders that may hold the figures of a controller, from /proc/PID/cgroup and /proc/self/mountinfo: of
 * version 1 the one with the controller, of version 2 the unified one. Both may be there, one of them without it.
 * Where the path of the process is not under what is mounted here, the mount itself stands for it.
 */
export function findCgroupFolders(
  cgroupText: string,
  mountinfoText: string,
  controller = 'cpu',
): readonly CgroupFolder[] {
  const folders: CgroupFolder[] = [];
  for (const mount of parseCgroupMounts(mountinfoText, controller)) {
    const path = cgroupPath(cgroupText, mount.version, controller);
    if (path !== undefined) {
      folders.push({
        version: mount.version,
        mountPoint: mount.mountPoint,
        below: pathBelow(path, mount.root),
      });
    }
  }
  return folders;
}

function parseCgroupMounts(text: string, controller: string): readonly CgroupMount[] {
  const mounts: CgroupMount[] = [];
  for (const line of text.split('\n')) {
    const [before, after] = line.split(' - ');
    if (before === undefined || after === undefined) continue;
    const [, , , root, mountPoint] = before.split(' ');
    const [type, , superOptions = ''] = after.split(' ');
    if (root === undefined || mountPoint === undefined) continue;
    if (type === 'cgroup2') mounts.push({ version: 2, root, mountPoint });
    if (type === 'cgroup' && superOptions.split(',').includes(controller))
      mounts.push({ version: 1, root, mountPoint });
  }
  return mounts;
}

function cgroupPath(text: string, version: 1 | 2, controller: string): string | undefined {
  for (const line of text.split('\n')) {
    const match = /^\d+:([^:]*):(.*)$/.exec(line);
    const controllers = match?.[1]?.split(',') ?? [];
    if (match !== null && (version === 2 ? match[1] === '' : controllers.includes(controller)))
      return match[2]!;
  }
  return undefined;
}

function pathBelow(path: string, root: string): string {
  if (path.includes('/..')) return '';
  if (root === '/') return path === '/' ? '' : path;
  return path === root || !path.startsWith(`${root}/`) ? '' : path.slice(root.length);
}

/** Cores of `cpu.max` (`quota period` in microseconds); undefined for `max` or another text. */
export function parseCpuMax(text: string): number | undefined {
  const [quota, period] = text.trim().split(' ').map(Number);
  return positiveRatio(quota, period);
}

/** Cores of `cpu.cfs_quota_us` and `cpu.cfs_period_us`; undefined for −1, no quota. */
export function parseCfsQuota(quota: string, period: string): number | undefined {
  return positiveRatio(Number(quota), Number(period));
}

function positiveRatio(quota: number | undefined, period: number | undefined): number | undefined {
  return quota !== undefined && period !== undefined && quota > 0 && period > 0 ? quota / period : undefined;
}

/**
 * The tightest CPU quota of a process: quotas hold for all below them, so that every folder from its own up to
 * the mount is looked at. Undefined when there is none. `read` answers undefined for a file that is not there.
 */
export function readCpuQuota(
  folders: readonly CgroupFolder[],
  read: (path: string) => string | undefined = readProc,
): CpuQuota | undefined {
  let tightest: CpuQuota | undefined;
  for (const { version, mountPoint, below } of folders) {
    for (let rest = below; ; rest = rest.slice(0, rest.lastIndexOf('/'))) {
      const found = readQuotaOf(version, mountPoint + rest, read);
      if (found !== undefined && found.cores < (tightest?.cores ?? Infinity)) tightest = found;
      if (rest === '') break;
    }
  }
  return tightest;
}

function readQuotaOf(
  version: 1 | 2,
  folder: string,
  read: (path: string) => string | undefined,
): CpuQuota | undefined {
  const file = `${folder}/${version === 2 ? 'cpu.max' : 'cpu.cfs_quota_us'}`;
  const text = read(file) ?? '';
  const cores =
    version === 2 ? parseCpuMax(text) : parseCfsQuota(text, read(`${folder}/cpu.cfs_period_us`) ?? '');
  return cores === undefined ? undefined : { cores, file };
}
