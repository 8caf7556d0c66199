import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCgroupFolders, type CgroupFolder } from '../../counters/cgroup.ts';

const PERIOD_MICROSECONDS = 100_000;

/** Puts this process into a new cgroup with a CPU quota; the result takes it out again and removes the group. */
export function joinQuotaGroup(cores: number): () => void {
  const parent = ownGroup();
  if (parent === undefined) throw new Error('this process is in no cgroup with the cpu controller');
  const group = join(parent.mountPoint + parent.below, `shipload-zoo-${process.pid}`);
  mkdirSync(group);
  const quota = Math.round(cores * PERIOD_MICROSECONDS);
  try {
    if (parent.version === 2) writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD_MICROSECONDS}`);
    else writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota));
    writeFileSync(join(group, 'cgroup.procs'), String(process.pid));
  } catch (error) {
    rmdirSync(group);
    throw error;
  }
  return () => {
    writeFileSync(join(parent.mountPoint + parent.below, 'cgroup.procs'), String(process.pid));
    rmdirSync(group);
  };
}

/** Why no quota can be set here; undefined: it can. */
export function quotaObstacle(): string | undefined {
  const parent = ownGroup();
  if (parent === undefined) return 'it has no cgroup with the cpu controller';
  const group = join(parent.mountPoint + parent.below, `shipload-zoo-probe-${process.pid}`);
  try {
    mkdirSync(group);
    const file = join(group, parent.version === 2 ? 'cpu.max' : 'cpu.cfs_quota_us');
    const has = existsSync(file);
    rmdirSync(group);
    return has ? undefined : 'its cgroup does not hand on the cpu controller';
  } catch {
    return 'its cgroups may not be written (that takes root, or a group handed over)';
  }
}

function ownGroup(): CgroupFolder | undefined {
  try {
    const folders = findCgroupFolders(
      readFileSync('/proc/self/cgroup', 'utf8'),
      readFileSync('/proc/self/mountinfo', 'utf8'),
      'cpu',
    );
    return folders.find(({ version }) => version === 1) ?? folders[0];
  } catch {
    return undefined;
  }
}
