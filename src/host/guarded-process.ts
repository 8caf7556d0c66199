import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { ShiploadError } from '../errors.ts';
import { createLineTail } from './line-tail.ts';
import { endGroup, groupIsAlive } from './process-group.ts';

/** How a process ended: with a code, or by a signal. */
export interface ProcessExit {
  readonly code?: number;
  readonly signal?: string;
}

/** A shell command in a process group of its own, which cannot outlive this process. */
export interface GuardedProcess {
  /** Process group, and pid of the command's first process. */
  readonly groupId: number;
  /** Set once the first process has ended and its output is read. */
  readonly exit: ProcessExit | undefined;
  readonly exited: Promise<ProcessExit>;
  /** The last 50 lines of its output. */
  readonly outputTail: () => readonly string[];
  /** Ends the whole group; resolves when all of it is gone. Further calls wait for the same end. */
  stop(): Promise<void>;
}

/** Waits for the word that the guardian stands, so that no moment is unguarded; a broken pipe ends it. */
const WAIT_THEN_RUN = 'read -r word || exit; exec /bin/sh -c "$1" </dev/null';

/**
 * Reads from a pipe of ours. A line: all is over, nothing to guard. The end without a line: we died, in
 * whatever way, and the group must not outlive us.
 */
const GUARD = 'read -r word && exit; kill -s TERM -- "-$1"; sleep "$2"; kill -s KILL -- "-$1"';

const OUTPUT_LINE_COUNT = 50;
/** Output that a background process keeps open is not waited for longer than this. */
const OUTPUT_FLUSH_MILLISECONDS = 200;

/**
 * Runs `command` by /bin/sh in a process group (and session) of its own, without input. A second, tiny shell
 * watches a pipe from this process and ends the group when the pipe breaks: also when we are killed by SIGKILL.
 * A process that leaves the group by itself (setsid) is out of reach of both.
 * Throws `service-start-failed` when no process can be started at all.
 */
export function startGuarded(
  command: string,
  env: Readonly<Record<string, string>>,
  graceSeconds: number,
): GuardedProcess {
  const child = spawn('/bin/sh', ['-c', WAIT_THEN_RUN, 'sh', command], {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.once('error', () => {});
  const groupId = child.pid;
  if (groupId === undefined) throw cannotSpawn();
  const guardian = startGuardian(groupId, graceSeconds);
  child.stdin.on('error', () => {});
  child.stdin.end('go\n');
  const tail = createLineTail(OUTPUT_LINE_COUNT);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', tail.push);

  let exit: ProcessExit | undefined;
  let stopping: Promise<void> | undefined;
  // Once the group is empty its number may name another one: it is never signalled again.
  let isOver = false;
  const finish = (): void => {
    isOver = true;
    guardian.dismiss();
  };
  const exited = waitForExit(child).then((result) => {
    exit = result;
    if (!isOver && !groupIsAlive(groupId)) finish();
    return result;
  });
  return {
    groupId,
    get exit() {
      return exit;
    },
    exited,
    outputTail: tail.lines,
    stop() {
      stopping ??= isOver ? Promise.resolve() : endGroup(groupId, graceSeconds).then(finish);
      return stopping;
    },
  };
}

function cannotSpawn(): ShiploadError {
  return new ShiploadError('service-start-failed', 'no process could be started for the service by /bin/sh', {
    hint: 'a POSIX shell and a free process slot are needed; elsewhere start the service yourself and leave --start out',
  });
}

function startGuardian(groupId: number, graceSeconds: number): { dismiss(): void } {
  const guardian = spawn('/bin/sh', ['-c', GUARD, 'sh', String(groupId), String(graceSeconds)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guardian.unref();
  (guardian.stdin as Socket).unref();
  guardian.stdin.on('error', () => {});
  return { dismiss: () => void guardian.stdin.end('over\n') };
}

async function waitForExit(child: ChildProcess): Promise<ProcessExit> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  const exit = await new Promise<ProcessExit>((resolve) =>
    child.once('exit', (code, signal) => resolve(code === null ? { signal: signal ?? 'unknown' } : { code })),
  );
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise((resolve) => (timer = setTimeout(resolve, OUTPUT_FLUSH_MILLISECONDS)));
  await Promise.race([closed, enough]);
  clearTimeout(timer);
  return exit;
}
