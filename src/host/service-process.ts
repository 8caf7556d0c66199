import { setTimeout as sleep } from 'node:timers/promises';
import { findPidByPort } from '../counters/find-process.ts';
import { readProcessStat } from '../counters/proc-files.ts';
import { ShiploadError } from '../errors.ts';
import { startGuarded, type GuardedProcess, type ProcessExit } from './guarded-process.ts';
import { acceptsConnections, parseServiceUrl, portOf, type Probe, probeUrl } from './probe.ts';

export type { ProcessExit } from './guarded-process.ts';
export { probeUrl, requireReachable, type Probe } from './probe.ts';

export interface ServiceOptions {
  /** A command line for /bin/sh. */
  readonly command: string;
  readonly url: string;
  /** Where the url's host was found to be; it is not looked up again. */
  readonly address?: string;
  /** Asked until it answers with a status below 500. */
  readonly readyPath: string;
  readonly readyTimeoutSeconds: number;
  /** Asks the service for a path; missing: plainly, over HTTP/1.1 at the url. */
  readonly probe?: (path: string, timeoutSeconds: number) => Promise<Probe>;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** From SIGTERM to SIGKILL; 3 unless told. */
  readonly stopGraceSeconds?: number;
  /** The service ended by itself, after it was ready and before `stop`. */
  readonly onExit?: (exit: ProcessExit) => void;
}

/** Requests made to find out whether the service is ready: it has them in its own counts. */
export interface ProbeCounts {
  readonly path: string;
  /** Written to a connection that stood. */
  readonly sentCount: number;
  readonly answeredCount: number;
}

/** A service that runs and answers. */
export interface ServiceProcess {
  readonly pid: number;
  /** `listener`: the process behind the url's port. `command`: the command's first process, where that one is not to be found. */
  readonly pidSource: 'listener' | 'command';
  readonly probes: ProbeCounts;
  /** The last 50 lines of its output. */
  readonly outputTail: () => readonly string[];
  /** SIGTERM to its process group, SIGKILL after the grace; resolves when all of it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts a service, waits until it answers, and sees to it that it ends with us, in whatever way we end.
 *
 * Throws `url-invalid`; `port-in-use` when something answers at the url before the start;
 * `service-start-failed` when the command ends before the service is ready; `service-never-ready` after the
 * timeout. Nothing is left running when it throws.
 */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const url = parseServiceUrl(options.url);
  await refuseTakenPort(url, options.address);
  const guarded = startGuarded(options.command, options.env ?? {}, options.stopGraceSeconds ?? 3);
  const probes = await untilReady(guarded, options).catch(async (error: unknown) => {
    await guarded.stop();
    throw error;
  });
  let isStopping = false;
  void guarded.exited.then((exit) => {
    if (!isStopping) options.onExit?.(exit);
  });
  return {
    ...findServicePid(guarded, portOf(url)),
    probes,
    outputTail: guarded.outputTail,
    stop() {
      isStopping = true;
      return guarded.stop();
    },
  };
}

async function refuseTakenPort(url: URL, address: string | undefined): Promise<void> {
  if (!(await acceptsConnections(url, 2, address))) return;
  throw new ShiploadError(
    'port-in-use',
    `something already answers at ${url.host}${describeHolder(portOf(url))}`,
    {
      hint: 'stop it, give the service another port (in --url and in its own command), or leave out --start to measure it',
    },
  );
}

function describeHolder(port: number): string {
  try {
    const pid = findPidByPort(port);
    return `: process ${pid} (${readProcessStat(pid)?.name ?? 'ended'})`;
  } catch {
    return '';
  }
}

const SHORTEST_PAUSE_MILLISECONDS = 20;
const LONGEST_PAUSE_MILLISECONDS = 250;

async function untilReady(guarded: GuardedProcess, options: ServiceOptions): Promise<ProbeCounts> {
  const { url, readyPath, readyTimeoutSeconds } = options;
  const deadline = performance.now() + readyTimeoutSeconds * 1000;
  const ask =
    options.probe ?? ((path: string, seconds: number) => probeUrl(url, path, seconds, options.address));
  const counts = { path: readyPath, sentCount: 0, answeredCount: 0 };
  let pause = SHORTEST_PAUSE_MILLISECONDS;
  for (;;) {
    const probe = await ask(readyPath, Math.max(0.001, (deadline - performance.now()) / 1000));
    if (guarded.exit !== undefined) throw startFailed(guarded, guarded.exit);
    if (probe.sent) counts.sentCount += 1;
    if (probe.answered) counts.answeredCount += 1;
    if (probe.answered && probe.status < 500) return counts;
    if (performance.now() + pause >= deadline) {
      const seen = probe.answered ? `status ${probe.status}` : probe.reason;
      throw neverReady(guarded, options, seen);
    }
    await Promise.race([sleep(pause), guarded.exited]);
    pause = Math.min(pause * 1.5, LONGEST_PAUSE_MILLISECONDS);
  }
}

function startFailed(guarded: GuardedProcess, exit: ProcessExit): ShiploadError {
  const how = exit.code === undefined ? `was ended by ${exit.signal}` : `ended with code ${exit.code}`;
  return new ShiploadError(
    'service-start-failed',
    `the service ${how} before it was ready${quoteOutput(guarded)}`,
    { hint: 'run the command of --start by hand; it must stay in the foreground while it serves' },
  );
}

function neverReady(guarded: GuardedProcess, options: ServiceOptions, seen: string): ShiploadError {
  const where = new URL(options.readyPath, options.url).href;
  return new ShiploadError(
    'service-never-ready',
    `the service was not ready within ${options.readyTimeoutSeconds} s: ${where}: ${seen}${quoteOutput(guarded)}`,
    {
      hint: 'see that --url names the port the service listens on, and --ready a path that answers below 500',
    },
  );
}

function quoteOutput(guarded: GuardedProcess): string {
  const lines = guarded.outputTail();
  return lines.length === 0 ? '; it printed nothing' : `; it printed last:\n  ${lines.join('\n  ')}`;
}

/** The listener where it belongs to the command's group: a shell or a script runner around it uses no CPU. */
function findServicePid(guarded: GuardedProcess, port: number): Pick<ServiceProcess, 'pid' | 'pidSource'> {
  try {
    const pid = findPidByPort(port);
    if (readProcessStat(pid)?.processGroup === guarded.groupId) return { pid, pidSource: 'listener' };
  } catch {
    // Not to be found from here: the command's first process has to do.
  }
  return { pid: guarded.groupId, pidSource: 'command' };
}
