import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { TestContext } from 'node:test';
import { makeKeyPair } from '../../src/agents/signature.ts';
import type { AgentProcessOptions, AgentSaid } from './agent-process.ts';
import { MAIN, temporaryFolder } from './cli.ts';
import type { AddressCount } from './counting-service.ts';
import { layNetwork, type NetworkPlace } from './namespaces.ts';
import { endChild, startBroker } from './nats-server.ts';
import { ROOT } from './paths.ts';

const SUPPORT = join(ROOT, 'dist', 'test', 'support');
const BROKER_PORT = 4222;
const SERVICE_PORT = 8080;

export interface LabAgent {
  readonly name: string;
  readonly place: NetworkPlace;
  readonly child: ChildProcess;
  readonly said: readonly AgentSaid[];
  readonly samplesPath: string;
  /** When it said something last that matches, milliseconds of the shared clock; waits for it. */
  untilSaid(pattern: RegExp, seconds?: number): Promise<number>;
}

export interface LabRun {
  readonly child: ChildProcess;
  readonly finished: Promise<{
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
  /** What matched on standard error; waits for it. */
  untilSaid(pattern: RegExp): Promise<RegExpExecArray>;
}

/**
 * A service with a broker beside it, a coordinator and agents, each on a machine of its own as far as the network goes.
 * All of it goes with the test.
 */
export class AgentsLab {
  readonly folder: string;
  readonly url: string;
  readonly nats: string;
  readonly agents: LabAgent[] = [];
  readonly #t: TestContext;
  readonly #core: NetworkPlace;
  readonly #coordinator: NetworkPlace;
  readonly #agentPlaces: readonly NetworkPlace[];
  #broker: ChildProcess | undefined;
  #service: ChildProcess | undefined;

  static async open(t: TestContext, agentCount: number): Promise<AgentsLab> {
    const lab = new AgentsLab(t, agentCount);
    await lab.startBroker();
    await lab.#startService();
    return lab;
  }

  private constructor(t: TestContext, agentCount: number) {
    this.#t = t;
    this.folder = temporaryFolder(t);
    const names = ['core', 'boss', ...Array.from({ length: agentCount }, (_, i) => `a${i + 1}`)];
    const [core, coordinator, ...agents] = layNetwork(t, names);
    this.#core = core!;
    this.#coordinator = coordinator!;
    this.#agentPlaces = agents;
    this.url = `http://${core!.address}:${SERVICE_PORT}`;
    this.nats = `nats://${core!.address}:${BROKER_PORT}`;
    const { privatePem, publicPem } = makeKeyPair();
    writeFileSync(join(this.folder, 'team.key'), privatePem, { mode: 0o600 });
    writeFileSync(join(this.folder, 'team.pub'), publicPem);
    this.#permit(core!.address);
  }

  /** All machines may load the service, at a rate and until an hour from now. */
  #permit(address: string): void {
    mkdirSync(join(this.folder, 'config', 'shipload'), { recursive: true });
    const allowed = [
      {
        origin: this.url,
        addresses: [address],
        ratePerSecond: 4000,
        until: new Date(Date.now() + 3_600_000).toISOString(),
      },
    ];
    writeFileSync(
      join(this.folder, 'config', 'shipload', 'permissions.json'),
      JSON.stringify({ schemaVersion: 1, allowed, owned: [] }),
      { mode: 0o600 },
    );
  }

  /** The process of the service; all machines of the lab see it, having their networks apart and nothing else. */
  get servicePid(): number {
    return this.#service!.pid!;
  }

  async startBroker(): Promise<void> {
    const { address: host, within } = this.#core;
    const folder = join(this.folder, 'streams');
    this.#broker = await startBroker(this.#t, { host, port: BROKER_PORT, folder, within });
  }

  killBroker(): Promise<void> {
    return endChild(this.#broker!);
  }

  async #startService(): Promise<void> {
    const service = (this.#service = this.#spawn(this.#core, [
      join(SUPPORT, 'counting-service.js'),
      this.#core.address,
      String(SERVICE_PORT),
    ]));
    await once(service.stdout!, 'data');
  }

  /** What the service has counted, by the address that asked. */
  served(): ReadonlyMap<string, AddressCount> {
    const { within } = this.#coordinator;
    const script = `fetch('${this.url}/stats').then((r) => r.text()).then(console.log)`;
    const words = [...within, process.execPath, '-e', script];
    const { stdout } = spawnSync(words[0]!, words.slice(1), { encoding: 'utf8' });
    return new Map(Object.entries(JSON.parse(stdout) as Record<string, AddressCount>));
  }

  /** What the service has counted of an agent. */
  servedTo(agent: LabAgent): AddressCount {
    const count = this.served().get(agent.place.address);
    if (count === undefined) throw new Error(`the service has seen nothing of ${agent.name}`);
    return count;
  }

  async startAgent(
    i: number,
    more: Partial<AgentProcessOptions> & { readonly within?: readonly string[] } = {},
  ): Promise<LabAgent> {
    const place = this.#agentPlaces[i]!;
    const { within = [], ...asked } = more;
    const options: AgentProcessOptions = {
      nats: this.nats,
      trust: join(this.folder, 'team.pub'),
      name: `a${i + 1}`,
      offsetSeconds: 0,
      samplesPath: join(this.folder, `samples-${i + 1}.json`),
      ...asked,
    };
    const child = this.#spawn(place, [join(SUPPORT, 'agent-process.js'), JSON.stringify(options)], within);
    const said: AgentSaid[] = [];
    let rest = '';
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      said.push(...lines.map((line) => JSON.parse(line) as AgentSaid));
    });
    const agent: LabAgent = {
      name: options.name,
      place,
      child,
      said,
      samplesPath: options.samplesPath!,
      untilSaid: async (pattern, seconds = 20) => {
        for (let tries = 0; tries < seconds * 20; tries += 1) {
          const found = said.findLast(({ text }) => pattern.test(text));
          if (found !== undefined) return found.atMilliseconds;
          await setTimeout(50);
        }
        throw new Error(
          `${options.name} never said ${String(pattern)}: ${said.map(({ text }) => text).join(' | ')}`,
        );
      },
    };
    this.agents[i] = agent;
    await agent.untilSaid(/waiting for runs/);
    return agent;
  }

  /** A command of the command line on the coordinator's machine. */
  command(args: readonly string[]): LabRun {
    const child = this.#spawn(this.#coordinator, [MAIN, ...args]);
    let [stdout, stderr] = ['', ''];
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    const finished = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
    return {
      child,
      finished,
      untilSaid: async (pattern) => {
        for (let tries = 0; tries < 600 && child.exitCode === null; tries += 1) {
          const match = pattern.exec(stderr);
          if (match !== null) return match;
          await setTimeout(50);
        }
        throw new Error(`never said ${String(pattern)}: ${stderr}`);
      },
    };
  }

  /** A run on all agents that were started. */
  run(args: readonly string[], out: string): LabRun {
    const agents = ['--agents', String(this.agents.length), '--nats', this.nats, '--sign', 'team.key'];
    return this.command(['run', `${this.url}/x`, ...agents, '--no-isolate', '--json', '-o', out, ...args]);
  }

  #spawn(place: NetworkPlace, script: readonly string[], within: readonly string[] = []): ChildProcess {
    const words = [...place.within, ...within, process.execPath, ...script];
    const child = spawn(words[0]!, words.slice(1), {
      cwd: this.folder,
      env: { ...process.env, XDG_CONFIG_HOME: join(this.folder, 'config') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.resume();
    this.#t.after(() => endChild(child));
    return child;
  }
}
