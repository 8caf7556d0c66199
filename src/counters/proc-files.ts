import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { ShiploadError } from '../errors.ts';
import { parseProcessStat, type ProcessStat } from './proc-text.ts';

let buffer = Buffer.allocUnsafe(65_536);

/**
 * A file of /proc or /sys; undefined when what it tells about has ended or may not be read. Such files tell no
 * size, for which readFileSync sets up far more than they hold: this takes half the time.
 */
export function readProc(path: string): string | undefined {
  try {
    return withReserve(() => readWhole(path));
  } catch {
    return undefined;
  }
}

function readWhole(path: string): string {
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (;;) {
      if (length === buffer.length) buffer = Buffer.concat([buffer, buffer]);
      const count = readSync(file, buffer, length, buffer.length - length, null);
      if (count === 0) return buffer.toString('utf8', 0, length);
      length += count;
    }
  } finally {
    closeSync(file);
  }
}

let reserve = openReserve();

/**
 * A generator with too many connections has no descriptor left to read a counter with, and must not take that
 * for the end of the service: one descriptor is kept for that moment. `read` must have closed what it opened when
 * it returns, or there is none left to keep.
 */
function withReserve<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if ((code !== 'EMFILE' && code !== 'ENFILE') || reserve === undefined) throw error;
    closeSync(reserve);
    try {
      return read();
    } finally {
      reserve = openReserve();
    }
  }
}

function openReserve(): number | undefined {
  try {
    return openSync('/dev/null', 'r');
  } catch {
    return undefined;
  }
}

/** The entries of a folder of /proc; empty when what it tells about has ended or may not be read. */
export function listProc(path: string): readonly string[] {
  try {
    return withReserve(() => readdirSync(path));
  } catch {
    return [];
  }
}

/** The pids of all processes that can be seen. */
export function listPids(): readonly number[] {
  const pids: number[] = [];
  for (const name of listProc('/proc')) {
    const pid = Number(name);
    if (Number.isInteger(pid)) pids.push(pid);
  }
  return pids;
}

/** /proc/PID/stat, parsed; undefined once the process is gone. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const text = readProc(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseProcessStat(text);
}

export const hasProc = (): boolean => existsSync('/proc/self/stat');

/** Throws `option-invalid` on a system without /proc, where `what` cannot be read. */
export function requireProc(what: string): void {
  if (hasProc()) return;
  throw new ShiploadError('option-invalid', `${what} are read from /proc, which this system does not have`, {
    hint: 'run the service on Linux, or leave the option out: load and response times are measured anywhere',
  });
}

/** Throws `process-not-found` when no such process is to be seen; answers its stat otherwise. */
export function requireProcess(pid: number): ProcessStat {
  requireProc('counters of a process');
  const stat = readProcessStat(pid);
  if (stat !== undefined && stat.state !== 'Z') return stat;
  const seen = stat === undefined ? `there is no process ${pid}` : `process ${pid} (${stat.name}) has ended`;
  throw new ShiploadError('process-not-found', seen, {
    hint: 'give the pid of the running service, or --port with the port it listens on',
  });
}
