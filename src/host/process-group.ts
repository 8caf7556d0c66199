import { setTimeout as sleep } from 'node:timers/promises';
import { hasProc, listPids, readProcessStat } from '../counters/proc-files.ts';

const POLL_MILLISECONDS = 20;

/** Whether a process of the group still runs. Ended ones that nobody waits for (zombies) do not count. */
export function groupIsAlive(groupId: number): boolean {
  try {
    process.kill(-groupId, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  if (!hasProc()) return true;
  return listPids().some((pid) => {
    const stat = readProcessStat(pid);
    return stat?.processGroup === groupId && stat.state !== 'Z' && stat.state !== 'X';
  });
}

/** Sends a signal to all of the group; nothing happens when they are gone. */
function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function groupEnds(groupId: number, withinSeconds: number): Promise<boolean> {
  const deadline = performance.now() + withinSeconds * 1000;
  while (groupIsAlive(groupId)) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MILLISECONDS);
  }
  return true;
}

/** Ends all processes of a group: SIGTERM, and SIGKILL for what is left after the grace. Resolves when all are gone. */
export async function endGroup(groupId: number, graceSeconds: number): Promise<void> {
  signalGroup(groupId, 'SIGTERM');
  if (await groupEnds(groupId, graceSeconds)) return;
  signalGroup(groupId, 'SIGKILL');
  // Only a process inside the kernel (a hung disk) outlives SIGKILL; waiting longer would not end it.
  await groupEnds(groupId, 5);
}
