import { listPids, readProcessStat } from './proc-files.ts';

/** A process and its descendants, followed as they come and go. */
export interface ProcessTree {
  /** Looks for new descendants; answers all members, the root first. */
  update(): ReadonlySet<number>;
  /** Takes an ended process out. */
  remove(pid: number): void;
}

/**
 * Follows the descendants of `rootPid`. The parent of a process is read once, when its pid is first seen: a
 * listing of /proc is enough after that. A member stays one when its parent ends and it gets another.
 * Not seen: a process whose parent, also new, has already ended at the first look (a daemon's double fork).
 */
export function createProcessTree(rootPid: number): ProcessTree {
  const members = new Set([rootPid]);
  let strangers = new Set<number>();
  return {
    update() {
      const pids = listPids();
      const parents = new Map<number, number>();
      for (const pid of pids) {
        if (members.has(pid) || strangers.has(pid)) continue;
        const stat = readProcessStat(pid);
        if (stat !== undefined) parents.set(pid, stat.parentPid);
      }
      adopt(parents, members);
      strangers = new Set(pids.filter((pid) => !members.has(pid)));
      return members;
    },
    remove: (pid) => void members.delete(pid),
  };
}

/** Adds to `members` all whose line of parents reaches one. */
function adopt(parents: Map<number, number>, members: Set<number>): void {
  let found = true;
  while (found) {
    found = false;
    for (const [pid, parent] of parents) {
      if (!members.has(parent) || members.has(pid)) continue;
      members.add(pid);
      found = true;
    }
  }
}
