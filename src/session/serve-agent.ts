import { randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { Agent } from '../agents/agent.ts';
import { buildHash } from '../agents/build-hash.ts';
import type { Bus } from '../agents/bus.ts';
import { hostId } from '../agents/host-id.ts';
import { connectNats } from '../agents/nats-bus.ts';
import type { SampleSink } from '../drive/recorder.ts';
import { ShiploadError } from '../errors.ts';
import { shiploadVersion } from '../host/environment.ts';
import type { Clock } from '../host/host.ts';
import { RealClock } from '../host/real-clock.ts';
import { openAgentLoad } from './agent-load.ts';
import { type BrokerRequest, readBrokerAccess } from './broker-request.ts';

export interface AgentRequest {
  readonly broker: BrokerRequest;
  readonly trusted: readonly KeyObject[];
  /** Missing: the machine's name. */
  readonly name?: string;
  /** Whether it ends after the first run that it made load for. */
  readonly once: boolean;
  /** How long to try until the broker answers. */
  readonly connectSeconds: number;
  readonly say: (text: string) => void;
  /** Aborted: a run that goes on ends, is told, and then the agent ends. */
  readonly signal: AbortSignal;
  /** Tests put another clock, or another build, in their places. */
  readonly clock?: Clock;
  readonly epochSeconds?: () => number;
  readonly build?: { readonly version: string; readonly buildHash: string };
  /** Told of every finished request. */
  readonly onSample?: SampleSink;
}

/** Is a load agent until it is aborted, or after one run. Throws `broker-unreachable`. */
export async function serveAgent(request: AgentRequest): Promise<void> {
  const { say, signal, trusted } = request;
  const name = request.name ?? hostname();
  const clock = request.clock ?? new RealClock();
  const bus = await connectPatiently(request, name);
  if (bus === undefined) return;
  const build = request.build ?? { version: shiploadVersion(), buildHash: buildHash() };
  await new Promise<void>((resolve) => {
    const agent = new Agent({
      bus,
      clock,
      trusted,
      identity: {
        agentId: randomBytes(8).toString('hex'),
        name,
        ...build,
        nodeVersion: process.version,
        platform: `${process.platform} ${process.arch}`,
        hostId: hostId(),
        coreCount: availableParallelism(),
      },
      epochSeconds: request.epochSeconds ?? (() => Date.now() / 1e3),
      openLoad: (bundle, part, readsCounters, feeds) =>
        openAgentLoad(
          bundle,
          { part, readsCounters, feeds },
          {
            clock,
            say,
            ...(request.onSample !== undefined && { onSample: request.onSample }),
          },
        ),
      say: (text) => say(`${name}: ${text}`),
      onRunDone: (hasBegun) => {
        if ((request.once && hasBegun) || signal.aborted) resolve();
      },
    });
    say(`${name}: waiting for runs (shipload ${build.version}, build ${build.buildHash.slice(0, 12)})`);
    const end = (): void => {
      agent.stop();
      if (!agent.isBusy) resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
  await bus.close();
}

/** Machines of a fleet start in any order: the broker may come last. Undefined: aborted meanwhile. */
async function connectPatiently(
  { broker, connectSeconds, say, signal }: AgentRequest,
  name: string,
): Promise<Bus | undefined> {
  const access = await readBrokerAccess(broker);
  const untilMilliseconds = performance.now() + connectSeconds * 1e3;
  let said = '';
  while (!signal.aborted) {
    try {
      return await connectNats(access, `shipload agent ${name}`);
    } catch (error) {
      if (performance.now() > untilMilliseconds || !(error instanceof ShiploadError)) throw error;
      // It may be refused today and let in tomorrow, but who waits must see what for.
      if (error.message !== said) say(`${name}: waiting, since ${(said = error.message)}`);
      await setTimeout(1000, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}
