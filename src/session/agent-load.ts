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

/**
 * Makes an agent's part of a plan ready. The agent trusts the coordinator for what to send, and itself alone for where
 * to: it proves the service by its own permissions, and keeps its share of the ceilings they grant. Throws what proving
 * throws, `service-unreachable`, and what opening a scenario throws.
 */
export async function openAgentLoad(
  bundle: Bundle,
  part: PlanPart,
  readsCounters: boolean,
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
  const paced = paceProtocol(http, clock, plan.safety!.maxRatePerSecond / part.count);
  const { generator, probe: generatorProbe } = tapGenerator(createGeneratorSource());
  const watched: readonly CounterSource[] = readsCounters ? await openWatch(bundle, request, proven) : [];
  const scenario = await openScenario(bundle, {
    url: request.url,
    clock,
    protocol: paced,
    seed: plan.seed,
    say,
  });
  const readHealth = watchHealth();
  return {
    plan,
    protocol: paced,
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

async function openScenario(
  { scenario }: Bundle,
  place: Omit<Parameters<typeof startScenario>[1], 'headers'>,
): Promise<RunningScenario | undefined> {
  if (scenario === undefined) return undefined;
  const { path, code, headers } = scenario;
  const compiled = await loadScenarioCode(code, path);
  return startScenario({ compiled, path, folder: process.cwd(), feeds: new Set() }, { ...place, headers });
}
