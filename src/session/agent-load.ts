import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { watchHealth } from '../agents/agent-health.ts';
import type { OpenLoad } from '../agents/agent-run.ts';
import type { Bundle } from '../agents/bundle.ts';
import { createGeneratorSource, usableCores, type CounterSource } from '../counters/index.ts';
import { tapGenerator } from '../drive/generator-tap.ts';
import type { PlanPart } from '../drive/plan-part.ts';
import type { SampleSink } from '../drive/recorder.ts';
import { ShiploadError } from '../errors.ts';
import { hostNameOf } from '../host/address-book.ts';
import type { Clock } from '../host/host.ts';
import { portOf } from '../host/probe.ts';
import { type Grant, safetyLimits, type SafetyRequest } from '../load/safety.ts';
import type { LoadPlan } from '../model/load.ts';
import { openProtocol } from '../protocols/open-protocol.ts';
import { paceProtocol } from '../protocols/paced.ts';
import type { CompiledScenario } from '../scenario/compile.ts';
import { feedsMadeIn } from '../scenario/feed.ts';
import { loadScenarioCode } from './load-scenario.ts';
import { openCounters } from './open-counters.ts';
import { type ServiceRequest, shownUrl, watchedPid } from './open-service.ts';
import { type ProvenService, proveService } from './prove-service.ts';
import { underLimits } from './run-request.ts';
import { type RunningScenario, startScenario } from './scenario-run.ts';
import { listeningRoute, probeRoute, type ServiceRoute } from './service-route.ts';

const ANSWER_SECONDS = 5;

/** What an agent says while it prepares, and the clock it makes its load by. */
export interface AgentLoadHost {
  readonly clock: Clock;
  readonly say: (text: string) => void;
  /** Told of every finished request. */
  readonly onSample?: SampleSink;
}

/** What of a bundle is this agent's. */
export interface AgentLoadOrder {
  readonly part: PlanPart;
  readonly readsCounters: boolean;
  /** Contents of the files of the scenario's feeds, in the bundle's order. */
  readonly feeds: readonly Uint8Array[];
}

/**
 * Makes an agent's part of a plan ready. The agent trusts the coordinator for what to send, and itself alone for where
 * to: it proves the service by its own permissions, and keeps its share of the ceilings they grant. Throws what proving
 * throws, `service-unreachable`, and what opening a scenario throws.
 */
export async function openAgentLoad(
  bundle: Bundle,
  { part, readsCounters, feeds }: AgentLoadOrder,
  { clock, say, onSample }: AgentLoadHost,
): Promise<OpenLoad> {
  const request = requestOf(bundle);
  const proven = await proveService(request);
  const plan = permittedPlan(bundle.plan, proven.grant);
  const route = await provenRoute(bundle, proven);
  const probe = await probeRoute(route, plan.transport, request.readyPath, ANSWER_SECONDS);
  if (!probe.answered)
    throw new ShiploadError(
      'service-unreachable',
      `${shownUrl(request.url)} does not answer here: ${probe.reason}`,
    );
  const http = openProtocol(
    {
      ...route,
      requests: plan.requests,
      requestTimeoutSeconds: plan.requestTimeoutSeconds,
      ...(plan.transport !== undefined && { transport: plan.transport }),
    },
    clock,
  );
  const { maxRatePerSecond } = plan.safety!;
  const paced = paceProtocol(http, clock, maxRatePerSecond / part.count);
  const { generator, probe: generatorProbe } = tapGenerator(createGeneratorSource());
  const watched: readonly CounterSource[] = readsCounters ? await openWatch(bundle, request, proven) : [];
  const place = { url: request.url, clock, protocol: paced, seed: plan.seed, say };
  const scenario = await openScenario(bundle, part, feeds, place);
  const readHealth = watchHealth();
  return {
    plan,
    protocol: paced,
    // Those whose share it takes over send no more: together they stay below the ceiling.
    takeShare: ({ count }) => paced.setLimit(maxRatePerSecond / count),
    proof: proven.proof,
    probeCount: 1,
    generator: generatorProbe,
    counters: [...watched, generator],
    readsCounters,
    ...(bundle.replay !== undefined && { replay: bundle.replay }),
    ...(scenario !== undefined && { scenario: scenario.run }),
    ...(onSample !== undefined && { onSample }),
    readHealth,
    notices: () => scenario?.notices() ?? [],
    close: async () => {
      for (const source of [...watched, generator]) source.close();
      await scenario?.close();
      await paced.close();
    },
  };
}

function requestOf({ route, watch }: Bundle): ServiceRequest {
  const url = new URL(route.url);
  const { givenAddresses } = route;
  return {
    url,
    readyPath: route.readyPath,
    readyTimeoutSeconds: ANSWER_SECONDS,
    ...(givenAddresses !== undefined && {
      resolutions: [{ host: hostNameOf(url), port: portOf(url), addresses: givenAddresses }],
    }),
    ...watch,
  };
}

/** The plan under what this machine's own permissions grant: they may be tighter than the coordinator's. */
function permittedPlan(plan: LoadPlan, grant: Grant): LoadPlan {
  const { maxUsers, maxRatePerSecond, stopOnErrors = 'off' } = plan.safety ?? safetyLimits({}, grant);
  const safety: SafetyRequest = { maxUsers, maxRatePerSecond, stopOnErrors };
  return underLimits({ plan, safety }, grant, Date.now()).plan;
}

async function provenRoute({ route }: Bundle, { addresses }: ProvenService): Promise<ServiceRoute> {
  return listeningRoute({
    url: new URL(route.url),
    connectAddresses: addresses,
    ...(route.givenAddresses === undefined && { lookUpAgain: true }),
    ...(route.tls !== undefined && { tls: route.tls }),
  });
}

function openWatch(
  { watch }: Bundle,
  request: ServiceRequest,
  proven: ProvenService,
): Promise<readonly CounterSource[]> {
  const pid = watchedPid(request, proven, undefined);
  const serverCount = watch?.cores ?? (pid === undefined ? undefined : usableCores(pid).cores);
  return openCounters(request, proven.addresses, pid, serverCount);
}

/** The scenario at work; the files of its feeds lie in a folder of their own while it is. */
async function openScenario(
  { scenario }: Bundle,
  part: PlanPart,
  contents: readonly Uint8Array[],
  place: Omit<Parameters<typeof startScenario>[1], 'headers' | 'feedPart' | 'feedPaths'>,
): Promise<RunningScenario | undefined> {
  if (scenario === undefined) return undefined;
  const { path, code, headers } = scenario;
  const folder = await mkdtemp(join(tmpdir(), 'shipload-feeds-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const feedPaths = new Map<string, string>();
    for (const [i, feed] of scenario.feeds.entries()) {
      const file = join(folder, `${i}${extname(feed.path)}`);
      await writeFile(file, contents[i]!, { mode: 0o600 });
      feedPaths.set(feed.path, file);
    }
    let compiled: CompiledScenario | undefined;
    const feeds = await feedsMadeIn(async () => (compiled = await loadScenarioCode(code, path)));
    const open = { compiled: compiled!, path, folder: process.cwd(), feeds };
    const running = await startScenario(open, { ...place, headers, feedPart: part, feedPaths });
    const close = async (): Promise<void> => {
      await running.close();
      await remove();
    };
    return { ...running, close };
  } catch (error) {
    await remove();
    throw error;
  }
}
