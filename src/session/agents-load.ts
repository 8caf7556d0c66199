import type { KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AgentsEngine, type AgentsOrder } from '../agents/agents-engine.ts';
import { buildHash, sha256 } from '../agents/build-hash.ts';
import type { Bundle } from '../agents/bundle.ts';
import { hostId } from '../agents/host-id.ts';
import type { CoordinatorWorld } from '../agents/muster.ts';
import { connectNats } from '../agents/nats-bus.ts';
import { ShiploadError } from '../errors.ts';
import { isLoopback } from '../host/own-address.ts';
import { shiploadVersion } from '../host/environment.ts';
import { RealClock } from '../host/real-clock.ts';
import type { RunManifest } from '../model/record.ts';
import { type BrokerRequest, readBrokerAccess } from './broker-request.ts';
import type { LoadEngine } from './load-engine.ts';
import { bundleScenario } from './load-scenario.ts';
import type { OpenScenario } from './open-scenario.ts';
import type { OpenService, ServiceRequest } from './open-service.ts';
import type { RunHooks, RunRequest } from './run-request.ts';

/** Machines that make the load of a run. */
export interface AgentsRequest extends Omit<AgentsOrder, 'hostId' | 'feeds'> {
  readonly broker: BrokerRequest;
  /** Signs the orders. */
  readonly key: KeyObject;
}

/** Agents that stand ready for one plan. */
export interface AgentsLoad extends LoadEngine {
  /** Name of the run on the broker. */
  readonly runId: string;
  keepManifest(manifest: RunManifest): Promise<void>;
}

/** This process as a coordinator on a broker. */
async function coordinatorWorld(
  { broker, key }: AgentsRequest,
  say: (text: string) => void,
): Promise<CoordinatorWorld> {
  return {
    bus: await connectNats(await readBrokerAccess(broker), 'shipload coordinator'),
    clock: new RealClock(),
    key,
    build: { version: shiploadVersion(), buildHash: buildHash() },
    epochSeconds: () => Date.now() / 1e3,
    say,
  };
}

/**
 * Calls the agents and makes them ready for the plan of the request. Throws what reaching the broker, calling the
 * agents and their own checks throw.
 */
export async function openAgentsLoad(
  request: RunRequest,
  agents: AgentsRequest,
  service: OpenService,
  serviceRequest: ServiceRequest,
  { say = () => undefined, signal }: Pick<RunHooks, 'say' | 'signal'>,
): Promise<AgentsLoad> {
  const world = await coordinatorWorld(agents, say);
  try {
    const feeds = request.scenario === undefined ? [] : await readFeeds(request.scenario.open);
    const bundle = await bundleOf(request, agents, service, serviceRequest, feeds);
    const isLocal = service.route.connectAddresses?.some(isLoopback) === true;
    const engine = await AgentsEngine.open(world, bundle, {
      ...agents,
      feeds: feeds.map(({ data }) => data),
      ...(isLocal && { hostId: hostId() }),
      ...(signal !== undefined && { signal }),
    });
    const { runId, members } = engine.team;
    let closing: Promise<void> | undefined;
    say(`Run ${runId} on the broker: ${members.map(({ name }) => name).join(', ')} are ready`);
    return {
      runId,
      keepManifest: (manifest) => engine.keepManifest(manifest),
      start: ({ counters, onEvent, onFault }) => engine.start({ counters, onEvent, onFault }),
      conclude: () => engine.conclude(),
      close: () => (closing ??= engine.close().then(() => world.bus.close())),
    };
  } catch (error) {
    await world.bus.close();
    throw error;
  }
}

async function bundleOf(
  { plan, replay, scenario }: RunRequest,
  { countersFrom }: AgentsRequest,
  { route }: OpenService,
  { readyPath, pid, port, cores, pages }: ServiceRequest,
  feeds: readonly TravellingFeed[],
): Promise<Bundle> {
  const { url, connectAddresses, lookUpAgain, tls } = route;
  return {
    plan,
    route: {
      url: url.href,
      readyPath,
      ...(lookUpAgain !== true &&
        connectAddresses !== undefined && { givenAddresses: [...connectAddresses] }),
      ...(tls !== undefined && { tls }),
    },
    ...(replay !== undefined && { replay }),
    ...(scenario !== undefined && {
      scenario: {
        path: scenario.open.path,
        code: await bundleScenario(scenario.open.path, url.origin),
        headers: scenario.headers,
        feeds: feeds.map(({ path, data }) => ({ path, sha256: sha256(data) })),
      },
    }),
    ...(countersFrom !== undefined && {
      watch: {
        ...(pid !== undefined && { pid }),
        ...(port !== undefined && { port }),
        ...(cores !== undefined && { cores }),
        ...(pages !== undefined && { pages: [...pages] }),
      },
    }),
  };
}

/** More than this is no matter for a broker. */
const MOST_FEED_BYTES = 64 * 1024 * 1024;

interface TravellingFeed {
  /** As the scenario names it. */
  readonly path: string;
  readonly data: Uint8Array;
}

/** The files of a scenario's feeds. Throws `scenario-invalid` where they are too large to travel. */
async function readFeeds({ path: where, folder, feeds }: OpenScenario): Promise<readonly TravellingFeed[]> {
  const read: TravellingFeed[] = [];
  let byteCount = 0;
  for (const path of new Set([...feeds].map((feed) => feed.path))) {
    const file = resolve(folder, path);
    byteCount += (await stat(file)).size;
    if (byteCount > MOST_FEED_BYTES)
      throw new ShiploadError(
        'scenario-invalid',
        `the records of its feeds, with ${path}, are more than ${MOST_FEED_BYTES / 1024 / 1024} MB, and so many do not go to agents`,
        { where, hint: 'Run it without --agents, or with fewer records.' },
      );
    read.push({ path, data: await readFile(file) });
  }
  return read;
}
