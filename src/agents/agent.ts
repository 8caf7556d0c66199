import { randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { type ErrorCode, ShiploadError } from '../errors.ts';
import type { PlanPart } from '../drive/plan-part.ts';
import type { Clock } from '../host/host.ts';
import { AgentRun, type OpenLoad } from './agent-run.ts';
import { sha256 } from './build-hash.ts';
import { type Bundle, unpackBundle } from './bundle.ts';
import type { Bus, BusMessage } from './bus.ts';
import {
  callSchema,
  decode,
  encode,
  type Hello,
  type Order,
  type OrderReply,
  orderSchema,
} from './messages.ts';
import { openSigned } from './signature.ts';
import { OBJECTS, SUBJECTS } from './subjects.ts';

/** What an agent is, apart from what it draws for each answer. */
export type AgentIdentity = Omit<Hello, 'isBusy' | 'nonce'>;

/** What an agent works with; tests put a simulated world in its place. */
export interface AgentWorld {
  readonly bus: Bus;
  /** Its own monotonic clock: all times it tells are of it. */
  readonly clock: Clock;
  readonly identity: AgentIdentity;
  /** Public keys of those whose orders it follows. */
  readonly trusted: readonly KeyObject[];
  readonly epochSeconds: () => number;
  /** Proves the service and opens the way to it. Throws ShiploadErrors, which become the agent's refusal. */
  openLoad(bundle: Bundle, part: PlanPart, readsCounters: boolean): Promise<OpenLoad>;
  readonly say: (text: string) => void;
  /** After each run. */
  onRunDone?(): void;
}

/** Answers to calls that may still become orders. */
const MOST_NONCES = 64;

/**
 * An agent: says who it is when a coordinator calls, prepares what it is ordered, and makes its part of the load.
 * One run at a time.
 */
export class Agent {
  readonly #world: AgentWorld;
  readonly #ends: readonly (() => void)[];
  readonly #nonces: string[] = [];
  #isBusy = false;
  #run: AgentRun | undefined;

  constructor(world: AgentWorld) {
    this.#world = world;
    const { bus, identity } = world;
    this.#ends = [
      bus.subscribe(SUBJECTS.call, ({ data }) => this.#answer(data)),
      bus.subscribe(SUBJECTS.order(identity.agentId), (message) => void this.#follow(message)),
    ];
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Ends a run that goes on, keeping what it measured. */
  stop(): void {
    this.#run?.stop();
  }

  close(): void {
    for (const end of this.#ends) end();
  }

  #answer(data: Uint8Array): void {
    const call = decode(callSchema, data);
    if (call === undefined) return;
    const { bus, identity } = this.#world;
    bus.publish(
      SUBJECTS.hello(call.callId),
      encode({ ...identity, isBusy: this.#isBusy, nonce: this.#nonce() } satisfies Hello),
    );
  }

  #nonce(): string {
    const nonce = randomBytes(16).toString('hex');
    this.#nonces.push(nonce);
    if (this.#nonces.length > MOST_NONCES) this.#nonces.shift();
    return nonce;
  }

  async #follow(message: BusMessage): Promise<void> {
    const { say } = this.#world;
    let reply: OrderReply;
    try {
      reply = await this.#prepare(message);
    } catch (error) {
      reply = refusalOf(error);
      say(`refused: ${reply.message}`);
    }
    message.respond(encode(reply));
  }

  async #prepare({ subject, data }: BusMessage): Promise<OrderReply> {
    const order = this.#ordered(subject, data);
    if (this.#isBusy) throw refusal('it has another run');
    this.#isBusy = true;
    try {
      const bundle = await this.#bundleOf(order);
      const { part, runId, readsCounters } = order;
      const load = await this.#world.openLoad(bundle, part, readsCounters);
      const { bus, clock, trusted, identity, say } = this.#world;
      this.#run = new AgentRun({
        bus,
        clock,
        trusted,
        agentId: identity.agentId,
        runId,
        part,
        load,
        epochSeconds: () => this.#world.epochSeconds(),
        say,
        onDone: () => this.#free(),
      });
      say(`ready for run ${runId}: part ${part.index + 1} of ${part.count}, ${load.proof}`);
      return { kind: 'ready', proof: load.proof, probeCount: load.probeCount };
    } catch (error) {
      this.#isBusy = false;
      throw error;
    }
  }

  #free(): void {
    this.#run = undefined;
    this.#isBusy = false;
    this.#world.say('free for the next run');
    this.#world.onRunDone?.();
  }

  /** The order, where it is signed, meant for this agent and this time, and of the same build. */
  #ordered(subject: string, data: Uint8Array): Order {
    const { identity, trusted } = this.#world;
    const order = orderSchema.safeParse(openSigned(trusted, subject, data)).data;
    if (order === undefined)
      throw refusal(
        'the order is not signed by a key that this agent trusts',
        'Start it with --trust KEY.pub.',
      );
    const place = this.#nonces.indexOf(order.nonce);
    if (order.agentId !== identity.agentId || place < 0)
      throw refusal('the order is not for this agent, or for another time');
    this.#nonces.splice(place, 1);
    if (order.version !== identity.version || order.buildHash !== identity.buildHash)
      throw refusal(`the coordinator is another build: ${order.version} ${order.buildHash.slice(0, 12)}`);
    return order;
  }

  async #bundleOf({ runId, bundleSha256 }: Order): Promise<Bundle> {
    const data = await this.#world.bus.getObject(OBJECTS.bundle(runId));
    if (data === undefined) throw refusal('the bundle of the run is not on the broker');
    const found = sha256(data);
    if (found !== bundleSha256)
      throw refusal(`the bundle has the hash ${found.slice(0, 12)}, ${bundleSha256.slice(0, 12)} was signed`);
    return unpackBundle(data);
  }
}

const refusal = (message: string, hint?: string): ShiploadError =>
  new ShiploadError('agents-not-ready', message, hint === undefined ? {} : { hint });

function refusalOf(error: unknown): Extract<OrderReply, { kind: 'refused' }> {
  const code: ErrorCode = error instanceof ShiploadError ? error.code : 'agents-not-ready';
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof ShiploadError ? error.hint : undefined;
  return {
    kind: 'refused',
    code,
    message: message.slice(0, 2000),
    ...(hint !== undefined && { hint: hint.slice(0, 2000) }),
  };
}
