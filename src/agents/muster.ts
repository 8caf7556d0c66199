import { randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { ShiploadError } from '../errors.ts';
import type { PlanPart } from '../drive/plan-part.ts';
import type { Clock } from '../host/host.ts';
import type { AgentIdentity } from './agent.ts';
import { Beats } from './beats.ts';
import { sha256 } from './build-hash.ts';
import { type Bundle, packBundle } from './bundle.ts';
import { type Bus, BusError } from './bus.ts';
import { sleep, within } from './deadline.ts';
import { LIMITS } from './limits.ts';
import { decode, type Hello, type Order, orderReplySchema } from './messages.ts';
import { callAgents } from './roll-call.ts';
import { signMessage } from './signature.ts';
import { BUNDLE, SUBJECTS } from './subjects.ts';

/** What a coordinator works with; tests put a simulated world in its place. */
export interface CoordinatorWorld {
  readonly bus: Bus;
  /** Its own monotonic clock. */
  readonly clock: Clock;
  /** The private key that signs its words. */
  readonly key: KeyObject;
  readonly build: Pick<AgentIdentity, 'version' | 'buildHash'>;
  readonly epochSeconds: () => number;
  readonly say: (text: string) => void;
}

export interface MusterOrder {
  readonly bundle: Bundle;
  /** Contents of the files that the bundle's scenario reads, in its order. */
  readonly feeds?: readonly Uint8Array[];
  readonly count: number;
  /** How long to wait for enough agents. */
  readonly seconds?: number;
  /** Name of the agent that reads the service's counters; missing: the coordinator does. */
  readonly countersFrom?: string;
  /** The service is at a loopback address: only those who share this host's see the same one. */
  readonly hostId?: string;
  /** Aborted while agents are missing, or prepare: waits no longer. */
  readonly signal?: AbortSignal;
}

/** An agent that is ready for its part. */
export interface Member {
  readonly agentId: string;
  /** As it calls itself, made unlike the others. */
  readonly name: string;
  readonly hello: Hello;
  readonly part: PlanPart;
  readonly proof: string;
  readonly probeCount: number;
}

/** Agents that stand ready, and the beats that keep them so. */
export interface Team {
  readonly runId: string;
  readonly members: readonly Member[];
  readonly beats: Beats;
  /** Frees the agents, and takes the bundle away: it holds what only they need to know. */
  dismiss(): Promise<void>;
}

/**
 * Calls the agents, lays the bundle where they fetch it, and gives each its signed order. Resolves when all have said
 * that they are ready; otherwise frees them all and throws the first refusal, with the agent's name before it.
 */
export async function muster(world: CoordinatorWorld, order: MusterOrder): Promise<Team> {
  const { bus, clock, key, build } = world;
  const { count, seconds = LIMITS.rollCallSeconds } = order;
  const hellos = await callAgents({
    bus,
    clock,
    build,
    count,
    seconds,
    say: (text) => world.say(text),
    ...(order.signal !== undefined && { signal: order.signal }),
  });
  const names = namesOf(hellos);
  requireNamed(order.countersFrom, names);
  requireSameHost(order.hostId, hellos, names);
  const runId = randomBytes(8).toString('hex');
  const data = packBundle(order.bundle);
  const beats = new Beats(bus, clock, key, runId);
  const dismiss = async (): Promise<void> => {
    beats.say({ kind: 'close' });
    beats.stop();
    await kept(world, bus.dropBundle(runId), 'the bundle could not be taken away').catch((error: Error) =>
      world.say(`${error.message}: it goes by itself after a day`),
    );
  };
  let replies: readonly Promise<Member>[] = [];
  try {
    await kept(world, bus.openStream(runId), 'the stream of the run could not be made');
    const put = (name: string, part: Uint8Array): Promise<void> =>
      kept(world, bus.putBundle(runId, name, part), 'the bundle could not be put on the broker');
    await put(BUNDLE.order, data);
    for (const [i, feed] of (order.feeds ?? []).entries()) await put(BUNDLE.feed(i), feed);
    const bundleSha256 = sha256(data);
    replies = hellos.map(async (hello, index): Promise<Member> => {
      const part = { index, count };
      const name = names[index]!;
      const { agentId, nonce } = hello;
      const readsCounters = order.countersFrom === name;
      const toAgent: Order = { runId, agentId, nonce, ...build, bundleSha256, part, readsCounters };
      return { agentId, name, hello, part, ...(await ready(world, name, toAgent)) };
    });
    const members = await Promise.race([Promise.all(replies), stopped(order.signal)]);
    return { runId, members, beats, dismiss };
  } catch (error) {
    // The others are about to be ready: they hear that they are free only then.
    await Promise.race([Promise.allSettled(replies), sleep(clock, LIMITS.dismissSeconds)]);
    await dismiss();
    await bus.dropStream(runId).catch(() => undefined);
    throw error;
  }
}

/** Rejects when nobody wants the run any more. */
const stopped = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void =>
      reject(new ShiploadError('agents-not-ready', 'stopped while the agents made themselves ready'));
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

/** What is asked of the broker, with a deadline and in words where it fails. */
export const kept = <Result>(
  world: CoordinatorWorld,
  work: Promise<Result>,
  message: string,
): Promise<Result> =>
  within(world.clock, { seconds: 30, code: 'broker-unreachable', message }, work).catch((cause: unknown) => {
    if (cause instanceof ShiploadError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ShiploadError('broker-unreachable', `${message}: ${why}`, { where: '--nats', cause });
  });

/** Sends the order and waits for the agent's word. */
async function ready(
  { bus, key }: CoordinatorWorld,
  name: string,
  order: Order,
): Promise<{ readonly proof: string; readonly probeCount: number }> {
  const subject = SUBJECTS.order(order.agentId);
  const answer = await bus
    .request(subject, signMessage(key, subject, order), LIMITS.readySeconds)
    .catch((cause: unknown) => {
      const isGone = cause instanceof BusError && cause.nobodyListens;
      const what = isGone ? 'is gone' : `was not ready within ${LIMITS.readySeconds} s`;
      throw new ShiploadError('agents-not-ready', `agent ${name} ${what}`, { where: '--agents', cause });
    });
  const reply = decode(orderReplySchema, answer);
  if (reply?.kind === 'ready') return reply;
  const { code, message, hint } = reply ?? {
    code: 'agents-not-ready' as const,
    message: 'its answer cannot be read',
    hint: undefined,
  };
  throw new ShiploadError(code, `agent ${name}: ${message}`, {
    ...(hint !== undefined && { hint: `On ${name}: ${hint}` }),
  });
}

/** Names of agents are people's: two of one name are told apart by their ids. */
function namesOf(hellos: readonly Hello[]): readonly string[] {
  return hellos.map(({ name, agentId }) => {
    const isShared = hellos.filter((other) => other.name === name).length > 1;
    return isShared ? `${name} (${agentId.slice(0, 6)})` : name;
  });
}

function requireNamed(name: string | undefined, names: readonly string[]): void {
  if (name === undefined || names.includes(name)) return;
  throw new ShiploadError('option-invalid', `no agent of this run is called ${name}: ${names.join(', ')}`, {
    where: '--counters-from',
  });
}

function requireSameHost(
  hostId: string | undefined,
  hellos: readonly Hello[],
  names: readonly string[],
): void {
  const elsewhere = hellos.findIndex((hello) => hostId !== undefined && hello.hostId !== hostId);
  if (elsewhere < 0) return;
  throw new ShiploadError(
    'url-invalid',
    `agent ${names[elsewhere]} is on another machine, where this url leads to another service`,
    { where: '--url', hint: 'Name the service by an address that all machines reach it by.' },
  );
}
