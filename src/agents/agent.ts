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
import { within } from './deadline.ts';
import { LIMITS } from './limits.ts';
import { BUNDLE, SUBJECTS } from './subjects.ts';

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
  openLoad(
    bundle: Bundle,
    part: PlanPart,
    readsCounters: boolean,
    /** Contents of the files of the scenario's feeds, in the bundle's order. */
    feeds: readonly Uint8Array[],
  ): Promise<OpenLoad>;
  readonly say: (text: string) => void;
  /** After each order. `hasBegun`: there was load; missing where another agent refused, or this one had to end. */
  onRunDone?(hasBegun: boolean): void;
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
  #isEnding = false;
  #run: AgentRun | undefined;
  /** Ends the wait for what is being prepared. */
  #giveUp: (() => void) | undefined;

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

  /** Takes no more orders, and ends a run that goes on, keeping what it measured. */
  stop(): void {
    this.#isEnding = true;
    this.#giveUp?.();
    this.#run?.stop();
  }

  close(): void {
    for (const end of this.#ends) end();
  }

  #answer(data: Uint8Array): void {
    const call = decode(callSchema, data);
    if (call === undefined || this.#isEnding) return;
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
    if (reply.kind === 'refused' && !this.#isBusy) this.#world.onRunDone?.(false);
  }

  async #prepare({ subject, data }: BusMessage): Promise<OrderReply> {
    const order = this.#ordered(subject, data);
    if (this.#isBusy) throw refusal('it has another run');
    if (this.#isEnding) throw refusal('it is about to end');
    this.#isBusy = true;
    try {
      const load = await this.#opened(order);
      const { part, runId } = order;
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
        onDone: (hasBegun) => this.#free(hasBegun),
      });
      say(`ready for run ${runId}: part ${part.index + 1} of ${part.count}, ${load.proof}`);
      return { kind: 'ready', proof: load.proof, probeCount: load.probeCount };
    } catch (error) {
      this.#isBusy = false;
      throw error;
    }
  }

  /** What is ordered, made ready; given up where it takes too long (code of a scenario may), or the agent must end. */
  async #opened(order: Order): Promise<OpenLoad> {
    const { part, readsCounters } = order;
    const opening = this.#bundleOf(order).then(({ bundle, feeds }) =>
      this.#world.openLoad(bundle, part, readsCounters, feeds),
    );
    const ending = new Promise<never>((_, reject) => {
      this.#giveUp = () => reject(refusal('it was ended while it prepared'));
    });
    const deadline = {
      seconds: LIMITS.prepareSeconds,
      code: 'agents-not-ready',
      message: 'what was ordered was not ready',
      hint: 'Does the setup of the scenario come to an end?',
    } as const;
    try {
      return await within(this.#world.clock, deadline, Promise.race([opening, ending]));
    } catch (error) {
      opening.then((late) => late.close()).catch(() => undefined);
      throw error;
    } finally {
      this.#giveUp = undefined;
    }
  }

  #free(hasBegun: boolean): void {
    this.#run = undefined;
    this.#isBusy = false;
    if (!this.#isEnding) this.#world.say('free for the next run');
    this.#world.onRunDone?.(hasBegun);
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

  /** The hash of the first part is signed; those of the others stand in it. */
  async #bundleOf({ runId, bundleSha256 }: Order): Promise<{
    readonly bundle: Bundle;
    readonly feeds: readonly Uint8Array[];
  }> {
    const bundle = unpackBundle(await this.#fetched(runId, BUNDLE.order, bundleSha256));
    const feeds: Uint8Array[] = [];
    for (const [i, feed] of (bundle.scenario?.feeds ?? []).entries())
      feeds.push(await this.#fetched(runId, BUNDLE.feed(i), feed.sha256));
    return { bundle, feeds };
  }

  async #fetched(runId: string, name: string, signedSha256: string): Promise<Uint8Array> {
    const data = await this.#world.bus.getBundle(runId, name);
    if (data === undefined) throw refusal('the bundle of the run is not on the broker');
    const found = sha256(data);
    if (found === signedSha256) return data;
    throw refusal(`the bundle has the hash ${found.slice(0, 12)}, ${signedSha256.slice(0, 12)} was signed`);
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
