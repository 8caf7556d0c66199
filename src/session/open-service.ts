import { type CounterSource, findPidByPort, usableCores } from '../counters/index.ts';
import { readProcessStat } from '../counters/proc-files.ts';
import { ShiploadError } from '../errors.ts';
import { onCores } from '../host/pinning.ts';
import type { Grant } from '../load/safety.ts';
import { portOf, type Probe } from '../host/probe.ts';
import { unreachableHint } from '../host/unreachable-hint.ts';
import { startService } from '../host/service-process.ts';
import type { Transport } from '../model/load.ts';
import type { ServiceUnderTest } from '../model/record.ts';
import {
  listeningRoute,
  probeRoute,
  type RouteRequest,
  routeTo,
  type ServiceRoute,
} from './service-route.ts';
import { type ProvenService, proveService } from './prove-service.ts';
import { redactText } from './redact.ts';
import { openCounters } from './open-counters.ts';

/** How to reach, start and watch the service. */
export interface ServiceRequest extends RouteRequest {
  /** How the load will travel; the service is asked whether it is ready in the same way. */
  readonly transport?: Transport;
  readonly startCommand?: string;
  /** Cores that a started service is kept to. */
  readonly startOnCores?: readonly number[];
  readonly readyPath: string;
  readonly readyTimeoutSeconds: number;
  readonly pid?: number;
  readonly port?: number;
  /** m, when the caller knows better than affinity and quota. */
  readonly cores?: number;
  /** A container of this host: reached by its address or name, its process watched. */
  readonly containerName?: string;
  /** Pages on which the service tells of itself: paths at its url, or urls. */
  readonly pages?: readonly string[];
}

/** A service that answers, with what is watched of it. */
export interface OpenService {
  readonly url: URL;
  /** Where connections go: addresses found to be this machine's own; the name is only for the Host header and for TLS. */
  readonly route: ServiceRoute;
  readonly grant: Grant;
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
 * Makes sure that the url is the user's to load, starts the service if asked, waits until it answers, and finds the
 * process to watch: `--pid`, `--port`, the one started, the container's, else the one that listens at the url. Throws
 * what proving it throws, `service-unreachable`, `process-not-found`, `metrics-unreadable` and what starting a service throws.
 */
export async function openService(request: ServiceRequest, given?: ProvenService): Promise<OpenService> {
  const proven = given ?? (await proveService(request));
  const { grant } = proven;
  const route = await routeTo(request, proven.addresses);
  const probe = (path: string, timeoutSeconds: number): Promise<Probe> =>
    probeRoute(route, request.transport, path, timeoutSeconds);
  const started =
    request.startCommand === undefined
      ? undefined
      : await start(request, request.startCommand, proven, probe);
  try {
    if (started === undefined) await requireAnswer(request, probe);
    const pid = watchedPid(request, proven, started?.pid);
    const usable = pid === undefined ? undefined : usableCores(pid);
    const serverCount = request.cores ?? usable?.cores;
    const counters = await openCounters(request, proven.addresses, pid, serverCount);
    return {
      url: request.url,
      route: await listeningRoute(route),
      grant,
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
      counters,
      probeCount: started?.probes.sentCount ?? 1,
      outputTail: () => started?.outputTail() ?? [],
      stop: async () => {
        for (const source of counters) source.close();
        await started?.stop();
      },
    };
  } catch (error) {
    await started?.stop();
    throw error;
  }
}

/** The url as it may be shown: what lets somebody in is for the service alone. */
export function shownUrl(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return redactText(shown.href);
}

const ANSWER_SECONDS = 5;

type AskService = (path: string, timeoutSeconds: number) => Promise<Probe>;

/** Throws `service-unreachable` unless the service answers, whatever the status. */
async function requireAnswer({ url, readyPath, transport }: ServiceRequest, ask: AskService): Promise<void> {
  const probe = await ask(readyPath, ANSWER_SECONDS);
  if (probe.answered) return;
  throw new ShiploadError('service-unreachable', `${shownUrl(url)} does not answer: ${probe.reason}`, {
    hint: unreachableHint(probe.reason, { asksHttp2: transport?.httpVersion === '2' }),
  });
}

function start(
  request: ServiceRequest,
  command: string,
  { addresses }: ProvenService,
  probe: AskService,
): ReturnType<typeof startService> {
  return startService({
    command: request.startOnCores === undefined ? command : onCores(request.startOnCores, command),
    probe,
    ...(addresses[0] !== undefined && { address: addresses[0] }),
    url: request.url.href,
    readyPath: request.readyPath,
    readyTimeoutSeconds: request.readyTimeoutSeconds,
  });
}

/** Undefined when nobody said which process to watch and none can be found: the run then has no CPU of the service. */
export function watchedPid(
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
