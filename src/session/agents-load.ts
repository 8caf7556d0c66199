import type { KeyObject } from 'node:crypto';
import { AgentsEngine, type AgentsOrder } from '../agents/agents-engine.ts';
import { buildHash } from '../agents/build-hash.ts';
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
export interface AgentsRequest extends Omit<AgentsOrder, 'hostId'> {
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
    const bundle = await bundleOf(request, agents, service, serviceRequest);
    const isLocal = service.route.connectAddresses?.some(isLoopback) === true;
    const engine = await AgentsEngine.open(world, bundle, {
      ...agents,
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
        code: await travelling(scenario.open, url.origin),
        headers: scenario.headers,
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

/** The scenario as one script. Throws `scenario-invalid` where it reads files that only this machine has. */
async function travelling({ path, feeds }: OpenScenario, origin: string): Promise<string> {
  const [feed] = feeds;
  if (feed === undefined) return bundleScenario(path, origin);
  throw new ShiploadError(
    'scenario-invalid',
    `the records of ${feed.path} are on this machine, and do not go to agents`,
    { where: path, hint: 'Run it without --agents, or put the records into the script.' },
  );
}
