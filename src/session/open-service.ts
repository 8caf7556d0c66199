import {
  createMachineSource,
  createProcessSource,
  type CounterSource,
  findPidByPort,
  usableCores,
} from '../counters/index.ts';
import { readProcessStat } from '../counters/proc-files.ts';
import { ShiploadError } from '../errors.ts';
import { type Container, findContainer } from '../host/container.ts';
import { readPermissions } from '../host/permissions.ts';
import { guardWorld, type Proof, proveTarget } from '../host/target-guard.ts';
import type { Grant } from '../load/safety.ts';
import { portOf, requireReachable } from '../host/probe.ts';
import { startService } from '../host/service-process.ts';
import type { ServiceUnderTest } from '../model/record.ts';
import { redactText } from './redact.ts';

/** How to reach, start and watch the service. */
export interface ServiceRequest {
  readonly url: URL;
  readonly socketPath?: string;
  readonly startCommand?: string;
  readonly readyPath: string;
  readonly readyTimeoutSeconds: number;
  readonly pid?: number;
  readonly port?: number;
  /** A container of this host: reached by its address or name, its process watched. */
  readonly containerName?: string;
  /** m, when the caller knows better than affinity and quota. */
  readonly cores?: number;
}

/** Where the load may go, and why. */
export interface ProvenService {
  /** The address that was proven; connections go there, the name is only for the Host header. */
  readonly address: string;
  readonly grant: Grant;
  /** Why, in words. */
  readonly proof: string;
  readonly container?: Container;
}

/** A service that answers, with what is watched of it. */
export interface OpenService {
  readonly url: URL;
  readonly address: string;
  readonly grant: Grant;
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
 * Makes sure that the url is the user's to load, before a packet goes there. Throws `url-not-yours`,
 * `permissions-invalid`, `container-not-found`.
 */
export async function proveService(request: ServiceRequest): Promise<ProvenService> {
  if (request.socketPath !== undefined)
    return { address: '127.0.0.1', grant: { isOwn: true }, proof: 'a unix socket of this machine' };
  const container =
    request.containerName === undefined ? undefined : await findContainer(request.containerName);
  const { address, proof } = await proveTarget(request.url, guardWorld(await readPermissions(), container));
  return {
    address,
    grant: grantOf(proof),
    proof: proofText(proof),
    ...(container !== undefined && { container }),
  };
}

function grantOf(proof: Proof): Grant {
  switch (proof.kind) {
    case 'own-address':
    case 'container':
      return { isOwn: true };
    case 'allow-list':
      return { isOwn: false, ratePerSecond: proof.ratePerSecond, until: proof.until };
    case 'well-known':
      return { isOwn: false };
  }
}

function proofText(proof: Proof): string {
  switch (proof.kind) {
    case 'own-address':
      return 'an address of this machine';
    case 'container':
      return `the container ${proof.name} of this machine`;
    case 'allow-list':
      return `allowed at ${proof.ratePerSecond}/s until ${proof.until}`;
    case 'well-known':
      return 'your token on the service';
  }
}

/**
 * Starts the service if asked, waits until it answers, and finds the process to watch: `--pid`, `--port`, the one
 * started, the container's, else the one that listens at the url. Throws what proving it yours throws,
 * `service-unreachable`, `process-not-found` and what starting a service throws.
 */
export async function openService(request: ServiceRequest, given?: ProvenService): Promise<OpenService> {
  const proven = given ?? (await proveService(request));
  const { address, grant } = proven;
  const started =
    request.startCommand === undefined ? undefined : await start(request, request.startCommand, address);
  try {
    if (started === undefined && request.socketPath === undefined) {
      await requireReachable(request.url.href, request.readyPath, undefined, address);
    }
    const pid = watchedPid(request, proven, started?.pid);
    const usable = pid === undefined ? undefined : usableCores(pid);
    const serverCount = request.cores ?? usable?.cores;
    const process = pid === undefined ? [] : [createProcessSource(pid, serverCount)];
    return {
      url: request.url,
      address,
      grant,
      ...(request.socketPath !== undefined && { socketPath: request.socketPath }),
      description: {
        url: shownUrl(request.url),
        sameHost: grant.isOwn,
        proof: proven.proof,
        ...(request.startCommand !== undefined && { startCommand: redactText(request.startCommand) }),
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

/** The url as it may be shown: what lets somebody in is for the service alone. */
function shownUrl(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return redactText(shown.href);
}

function start(request: ServiceRequest, command: string, address: string): ReturnType<typeof startService> {
  return startService({
    command,
    url: request.url.href,
    address,
    readyPath: request.readyPath,
    readyTimeoutSeconds: request.readyTimeoutSeconds,
  });
}

/** Undefined when nobody said which process to watch and none can be found: the run then has no CPU of the service. */
function watchedPid(
  request: ServiceRequest,
  { container, grant }: ProvenService,
  startedPid: number | undefined,
): number | undefined {
  if (request.pid !== undefined) return request.pid;
  if (request.port !== undefined) return findPidByPort(request.port);
  if (startedPid !== undefined) return startedPid;
  if (container !== undefined) return visiblePid(container.pid);
  // A port of this machine says nothing of a service elsewhere.
  if (!grant.isOwn || request.socketPath !== undefined) return undefined;
  try {
    return findPidByPort(portOf(request.url));
  } catch (error) {
    if (error instanceof ShiploadError) return undefined;
    throw error;
  }
}

/** A container's process, unless the containers live in a machine of their own. */
const visiblePid = (pid: number | undefined): number | undefined =>
  pid !== undefined && readProcessStat(pid) !== undefined ? pid : undefined;
