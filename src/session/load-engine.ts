import { tapGenerator } from '../drive/generator-tap.ts';
import type { SampleSink } from '../drive/recorder.ts';
import { type PlanRun, type RunEvent, startPlan, type StepSource } from '../drive/run-plan.ts';
import type { ScenarioRun } from '../drive/scenario-host.ts';
import { WorkerPool } from '../drive/workers/worker-pool.ts';
import type { CounterSource } from '../counters/counter-source.ts';
import { createGeneratorSource } from '../counters/index.ts';
import { RealClock } from '../host/real-clock.ts';
import type { Clock } from '../host/host.ts';
import type { ReplaySchedule } from '../model/replay.ts';
import type { LoadPlan } from '../model/load.ts';
import type { Notice } from '../model/notice.ts';
import type { AgentRecord } from '../model/record.ts';
import { paceProtocol } from '../protocols/paced.ts';
import { openProtocol } from '../protocols/open-protocol.ts';
import type { Protocol, ProtocolOptions } from '../protocols/protocol.ts';

/** Who hears of a run, and what is read beside it. */
export interface EngineHost {
  /** Of the service and the machine; the generator's own come from the engine. */
  readonly counters: readonly CounterSource[];
  readonly onSample?: SampleSink;
  /** Told of each class of requests that a scenario adds to the plan's. */
  readonly onRouteAdded?: (route: string) => void;
  /** What users do, in place of the plan's mix; for one generator only. */
  readonly scenario?: ScenarioRun;
  /** How the plan goes on past its steps. */
  readonly nextStep?: StepSource;
  readonly onEvent: (event: RunEvent) => void;
  /** The generator itself failed: no event follows. */
  readonly onFault: (error: Error) => void;
}

/** What is known of those who made the load once they are done. */
export interface EngineConclusion {
  readonly agents: readonly AgentRecord[];
  /** Of the run. */
  readonly notices: readonly Notice[];
  /** Of each of its steps. */
  readonly doubts: readonly Notice[];
}

/** Where the load of a plan is made, on the real clock. Runs one plan, then is closed. */
export interface LoadEngine {
  /** Where a scenario can send before the load; missing where several threads make the load. */
  readonly place?: { readonly clock: Clock; readonly protocol: Protocol };
  start(host: EngineHost): PlanRun;
  /** After the last event, where others made the load: what is to be said of them. */
  conclude?(): Promise<EngineConclusion>;
  /** Closes the connections. */
  close(): Promise<void>;
}

export interface EngineOptions {
  /** Threads that make the load. */
  readonly generatorCount: number;
  readonly sendSamples: boolean;
  readonly replay?: ReplaySchedule;
}

/** One generator works in this thread, several in a thread each. Throws what opening the protocol throws. */
export async function openEngine(
  plan: LoadPlan,
  protocolOptions: ProtocolOptions,
  { generatorCount, sendSamples, replay }: EngineOptions,
): Promise<LoadEngine> {
  if (generatorCount === 1) return ownThreadEngine(plan, protocolOptions, replay);
  const protocolModule = new URL('../protocols/open-protocol.js', import.meta.url);
  const pool = await WorkerPool.open({
    plan,
    count: generatorCount,
    protocolModule,
    protocolOptions,
    sendSamples,
    ...(replay !== undefined && { replay }),
  });
  const source = createGeneratorSource(generatorCount);
  return {
    start: ({ counters, onEvent, ...host }) =>
      pool.start({ ...host, counters: [...counters, source] }, onEvent),
    close: async () => {
      source.close();
      await pool.close();
    },
  };
}

function ownThreadEngine(
  plan: LoadPlan,
  protocolOptions: ProtocolOptions,
  replay: ReplaySchedule | undefined,
): LoadEngine {
  const clock = new RealClock();
  const http = openProtocol(protocolOptions, clock);
  const protocol = plan.safety === undefined ? http : paceProtocol(http, clock, plan.safety.maxRatePerSecond);
  const { generator, probe } = tapGenerator(createGeneratorSource());
  return {
    place: { clock, protocol },
    start: ({ counters, onSample, onRouteAdded, scenario, nextStep, onEvent }) =>
      startPlan(
        plan,
        {
          clock,
          protocol,
          counters: [...counters, generator],
          generator: probe,
          ...(onSample !== undefined && { onSample }),
          ...(onRouteAdded !== undefined && { onRouteAdded }),
          ...(scenario !== undefined && { scenario }),
          ...(nextStep !== undefined && { nextStep }),
          ...(replay !== undefined && { replay }),
        },
        onEvent,
      ),
    close: async () => {
      generator.close();
      await protocol.close();
    },
  };
}
