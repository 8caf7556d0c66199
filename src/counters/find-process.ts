import { readlinkSync } from 'node:fs';
import { ShiploadError } from '../errors.ts';
import { listPids, listProc, readProc, readProcessStat, requireProc } from './proc-files.ts';
import { parseListeningInodes } from './net-text.ts';

/**
 * The pid of the process that listens on a TCP port of this machine. Where several hold the socket (a
 * parent and the workers it forked), the one whose parent does not: its children are watched with it.
 * Throws `process-not-found` when nothing listens, or when the listener belongs to somebody else.
 */
export function findPidByPort(port: number): number {
  requireProc('the processes behind ports');
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) =>
    parseListeningInodes(readProc(path) ?? '', port),
  );
  if (inodes.length === 0) {
    throw new ShiploadError('process-not-found', `nothing listens on port ${port} of this machine`, {
      hint: 'start the service first, or give its pid with --pid; a service in a container has its port inside it',
    });
  }
  const holders = holdersOf(new Set(inodes.map((inode) => `socket:[${inode}]`)));
  const outermost = holders.find((pid) => !holders.includes(readProcessStat(pid)?.parentPid ?? 0));
  if (outermost !== undefined) return outermost;
  throw new ShiploadError(
    'process-not-found',
    `the process that listens on port ${port} may not be looked at`,
    {
      hint: 'run as the user of the service (or as root), or give its pid with --pid',
    },
  );
}

/** The pid that listens at a url's port now; undefined when none does or may be seen. */
export function listenerAt(url: URL): number | undefined {
  try {
    return findPidByPort(Number(url.port || (url.protocol === 'https:' ? 443 : 80)));
  } catch {
    return undefined;
  }
}

function holdersOf(links: ReadonlySet<string>): readonly number[] {
  return listPids().filter((pid) =>
    listProc(`/proc/${pid}/fd`).some((fd) => links.has(readLink(`/proc/${pid}/fd/${fd}`))),
  );
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
