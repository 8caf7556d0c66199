import type { PlanPart } from '../../src/drive/plan-part.ts';
import type { RunEvent } from '../../src/drive/run-plan.ts';
import { Agent, type AgentIdentity, type AgentWorld } from '../../src/agents/agent.ts';
import type { OpenLoad } from '../../src/agents/agent-run.ts';
import { AgentsEngine, type AgentsOrder } from '../../src/agents/agents-engine.ts';
import type { Bundle } from '../../src/agents/bundle.ts';
import type { CoordinatorWorld } from '../../src/agents/muster.ts';
import { makeKeyPair, signingKeyOf, trustedKeyOf } from '../../src/agents/signature.ts';
import type { Clock, Task } from '../../src/host/host.ts';
import { VirtualClock } from '../../src/host/virtual-clock.ts';
import type { LoadPlan } from '../../src/model/load.ts';
import type { RunManifest } from '../../src/model/record.ts';
import { MemoryBroker, type MemoryBus } from './memory-bus.ts';
import { type Script, ScriptedProtocol } from './scripted-protocol.ts';

/** The same time as another clock's, read with an offset. */
export class ShiftedClock implements Clock {
  readonly #clock: Clock;
  readonly #offsetSeconds: number;

  constructor(clock: Clock, offsetSeconds: number) {
    this.#clock = clock;
    this.#offsetSeconds = offsetSeconds;
  }

  nowSeconds(): number {
    return this.#clock.nowSeconds() + this.#offsetSeconds;
  }

  schedule(atSeconds: number, task: Task): void {
    this.#clock.schedule(atSeconds - this.#offsetSeconds, task);
  }

  catchUp(): void {
    this.#clock.catchUp();
  }
}

export const BUILD = { version: '1.0.0', buildHash: 'a'.repeat(64) };

export const identityOf = (name: string): AgentIdentity => ({
  agentId: name,
  name,
  ...BUILD,
  nodeVersion: 'v20',
  platform: 'test',
  hostId: 'one',
  coreCount: 1,
});

export interface SimulatedAgent {
  readonly name: string;
  readonly bus: MemoryBus;
  readonly agent: Agent;
  /** When each of its requests was sent, in true seconds. */
  readonly sentAtSeconds: readonly number[];
  readonly said: readonly string[];
  /** Parts that it took over. */
  readonly shares: readonly PlanPart[];
  /** Of each order that is over: whether it made load. */
  readonly ended: readonly boolean[];
  /** What the files of feeds held that came with the bundle. */
  readonly feedTexts: readonly string[];
}

/** Broker, agents and a coordinator on one virtual clock, each with a clock reading of its own. */
export class SimulatedTeam {
  readonly clock = new VirtualClock();
  readonly broker = new MemoryBroker(this.clock);
  readonly agents: SimulatedAgent[] = [];
  readonly events: RunEvent[] = [];
  readonly said: string[] = [];
  readonly coordinatorBus = this.broker.connect();
  readonly #keys = makeKeyPair();
  readonly #script: Script;
  engine: AgentsEngine | undefined;
  fault: Error | undefined;

  constructor(script: Script) {
    this.#script = script;
  }

  get world(): CoordinatorWorld {
    return {
      bus: this.coordinatorBus,
      clock: this.clock,
      key: signingKeyOf(this.#keys.privatePem),
      build: BUILD,
      epochSeconds: () => 1e9 + this.clock.nowSeconds(),
      say: (text) => this.said.push(text),
    };
  }

  addAgent(
    name: string,
    more: {
      readonly offsetSeconds?: number;
      readonly identity?: Partial<AgentIdentity>;
      readonly trustedPem?: string;
      readonly delaySeconds?: number;
      readonly health?: () => { readonly cpuSeconds: number; readonly waitedSeconds: number };
      readonly prove?: (bundle: Bundle) => string;
      /** Takes so long to be ready. */
      readonly preparing?: () => Promise<void>;
    } = {},
  ): SimulatedAgent {
    const { offsetSeconds = 0, trustedPem = this.#keys.publicPem } = more;
    const clock = new ShiftedClock(this.clock, offsetSeconds);
    const bus = this.broker.connect(more.delaySeconds);
    const said: string[] = [];
    const sentAtSeconds: number[] = [];
    const shares: PlanPart[] = [];
    const ended: boolean[] = [];
    const feedTexts: string[] = [];
    const openLoad: AgentWorld['openLoad'] = async ({ plan, ...bundle }, _, __, feeds) => {
      await more.preparing?.();
      feedTexts.push(...feeds.map((feed) => new TextDecoder().decode(feed)));
      const load: OpenLoad = {
        plan,
        protocol: new ScriptedProtocol(clock, (atSeconds, index, target) => {
          sentAtSeconds.push(atSeconds - offsetSeconds);
          return this.#script(atSeconds, index, target);
        }),
        takeShare: (part) => void shares.push(part),
        proof: more.prove?.({ plan, ...bundle }) ?? 'simulated',
        probeCount: 0,
        generator: { read: () => ({ cpuSeconds: 0.1, eventLoopDelayMaxSeconds: 0 }) },
        counters: [],
        readsCounters: false,
        readHealth: more.health ?? (() => ({ cpuSeconds: 0.1, waitedSeconds: 0 })),
        notices: () => [],
        close: async () => {},
      };
      return load;
    };
    const agent = new Agent({
      bus,
      clock,
      identity: { ...identityOf(name), ...more.identity },
      trusted: [trustedKeyOf(trustedPem)],
      epochSeconds: () => 1e9 + clock.nowSeconds(),
      openLoad,
      say: (text) => said.push(text),
      onRunDone: (hasBegun) => void ended.push(hasBegun),
    });
    const simulated = { name, bus, agent, sentAtSeconds, said, shares, ended, feedTexts };
    this.agents.push(simulated);
    return simulated;
  }

  /** Musters the agents; rejects with what goes wrong. */
  async open(
    plan: LoadPlan,
    order: Partial<AgentsOrder> = {},
    more: Partial<Bundle> = {},
  ): Promise<AgentsEngine> {
    const bundle: Bundle = { plan, route: { url: 'http://127.0.0.1:1/', readyPath: '/' }, ...more };
    const opening = AgentsEngine.open(this.world, bundle, {
      count: this.agents.length,
      onLoss: 'abort',
      ...order,
    });
    this.engine = await this.until(opening);
    return this.engine;
  }

  /** Starts the run; `at` does things at seconds of the virtual clock from now. Resolves when it has ended. */
  async run(
    engine: AgentsEngine,
    at: readonly (readonly [seconds: number, work: () => void])[] = [],
  ): Promise<void> {
    for (const [seconds, work] of at)
      this.clock.schedule(this.clock.nowSeconds() + seconds, { onTime: work });
    const ended = new Promise<void>((resolve, reject) => {
      engine.start({
        counters: [],
        onEvent: (event) => {
          this.events.push(event);
          if (event.kind === 'finished') resolve();
        },
        onFault: reject,
      });
    });
    await this.until(ended);
  }

  /** Lets virtual time pass, one task after the other with all promises between, until the work is done. */
  async until<Result>(work: Promise<Result>, mostSeconds = 1000): Promise<Result> {
    const progress = { isDone: false };
    const done = work.finally(() => (progress.isDone = true));
    done.catch(() => {});
    await settle();
    const untilSeconds = this.clock.nowSeconds() + mostSeconds;
    while (!progress.isDone) {
      if (this.clock.nowSeconds() > untilSeconds)
        throw new Error(`not done after ${mostSeconds} virtual seconds`);
      if (!this.clock.runNext()) throw new Error('nothing is left to wait for');
      await settle();
    }
    return done;
  }

  async pass(seconds: number): Promise<void> {
    await this.until(
      new Promise<void>((resolve) => {
        this.clock.schedule(this.clock.nowSeconds() + seconds, { onTime: resolve });
      }),
    );
  }
}

/** Long chains of promises need several turns. */
async function settle(): Promise<void> {
  for (let i = 0; i < 12; i += 1) await Promise.resolve();
}

/** What a coordinator keeps with the stream of a simulated run. */
export const manifestOfPlan = (plan: LoadPlan): RunManifest => ({
  kind: 'run',
  schemaVersion: 1,
  label: 'simulated',
  startedAt: '2026-01-01T00:00:00.000Z',
  state: 'running',
  command: ['shipload', 'run'],
  plan,
  service: { url: 'http://127.0.0.1:1/', sameHost: false },
  targets: [],
  marginRatio: 0.1,
  environment: {
    shiploadVersion: '1.0.0',
    nodeVersion: 'v20',
    platform: 'test',
    cpuModel: 'simulated',
    machineCoreCount: 1,
    usableCoreCount: 1,
    memoryBytes: 0,
  },
});
