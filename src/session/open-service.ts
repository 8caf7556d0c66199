import {
  createMachineSource,
  createProcessSource,
  type CounterSource,
  findPidByPort,
  usableCores,
} from '../counters/index.ts';
import { ShiploadError } from '../errors.ts';
import { requireOwnAddress } from '../host/own-address.ts';
import { onCores } from '../host/pinning.ts';
import { portOf, requireReachable } from '../host/probe.ts';
import { startService } from '../host/service-process.ts';
import type { ServiceUnderTest } from '../model/record.ts';

/** How to reach, start and watch the service. */
export interface ServiceRequest {
  readonly url: URL;
  readonly socketPath?: string;
  readonly startCommand?: string;
  /** Cores that a started service is kept to. */
  readonly startOnCores?: readonly number[];
  readonly readyPath: string;
  readonly readyTimeoutSeconds: number;
  readonly pid?: number;
  readonly port?: number;
  /** m, when the caller knows better than affinity and quota. */
  readonly cores?: number;
}

/** A service that answers, with what is watched of it. */
export interface OpenService {
  readonly url: URL;
  /** The address that was found to be this machine's own; connections go there, the name is only for the Host header. */
  readonly address: string;
  readonly socketPath?: string;
  readonly description: ServiceUnderTest;
  readonly counters: readonly CounterSource[];
  /** Requests made while waiting for it; the service has them in its own counts. */
  readonly probeCount: number;
  /** The last lines a started service wrote; empty for one that ran already. */
  outputTail(): readonly string[];
  /** Ends a started service and all its children; leaves one that ran already alone. */
  stop(): Promise<void>;
}

/**
 * Makes sure that the url is this machine's own, starts the service if asked, waits until it answers, and finds
 * the process to watch: `--pid`, `--port`, the one started, else the one that listens at the url. Throws
 * `url-not-yours`, `service-unreachable`, `process-not-found` and what starting a service throws.
 */
export async function openService(request: ServiceRequest): Promise<OpenService> {
  const address = request.socketPath === undefined ? await requireOwnAddress(request.url) : '127.0.0.1';
  const started = request.startCommand === undefined ? undefined : await start(request, request.startCommand);
  try {
    if (started === undefined && request.socketPath === undefined) {
      await requireReachable(request.url.href, request.readyPath);
    }
    const pid = watchedPid(request, started?.pid);
    const usable = pid === undefined ? undefined : usableCores(pid);
    const serverCount = request.cores ?? usable?.cores;
    const process = pid === undefined ? [] : [createProcessSource(pid, serverCount)];
    return {
      url: request.url,
      address,
      ...(request.socketPath !== undefined && { socketPath: request.socketPath }),
      description: {
        url: withoutUser(request.url),
        sameHost: true,
        ...(request.startCommand !== undefined && { startCommand: request.startCommand }),
        ...(pid !== undefined && { pid }),
        ...(serverCount !== undefined && {
          serverCount,
          serverCountSource: request.cores === undefined ? usable!.source : '--cores',
        }),
      },
      counters: [...process, createMachineSource()],
      probeCount: started?.probes.sentCount ?? 1,
      outputTail: () => started?.outputTail() ?? [],
      stop: async () => started?.stop(),
    };
  } catch (error) {
    await started?.stop();
    throw error;
  }
}

/** The url as it may be shown: a user and a password in it are for the service alone. */
function withoutUser(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

function start(request: ServiceRequest, command: string): ReturnType<typeof startService> {
  return startService({
    command: request.startOnCores === undefined ? command : onCores(request.startOnCores, command),
    url: request.url.href,
    readyPath: request.readyPath,
    readyTimeoutSeconds: request.readyTimeoutSeconds,
  });
}

/** Undefined when nobody said which process to watch and none can be found: the run then has no CPU of the service. */
function watchedPid(request: ServiceRequest, startedPid: number | undefined): number | undefined {
  if (request.pid !== undefined) return request.pid;
  if (request.port !== undefined) return findPidByPort(request.port);
  if (startedPid !== undefined) return startedPid;
  try {
    return request.socketPath === undefined ? findPidByPort(portOf(request.url)) : undefined;
  } catch (error) {
    if (error instanceof ShiploadError) return undefined;
    throw error;
  }
}
