import type { Clock } from '../host/host.ts';
import { ShiploadError } from '../errors.ts';
import type { Bus } from './bus.ts';
import { type ClockOffset, estimateOffset, type Ping } from './clock-offset.ts';
import { sleep } from './deadline.ts';
import { LIMITS } from './limits.ts';
import { decode, pongSchema } from './messages.ts';
import { SUBJECTS } from './subjects.ts';

/** An agent's clocks against the coordinator's. */
export interface AgentClock extends ClockOffset {
  /** Its wall clock less the coordinator's, seconds: explains its logs, and is used for nothing else. */
  readonly wallOffsetSeconds: number;
}

export interface TimeSync {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly runId: string;
  readonly epochSeconds: () => number;
}

const NOTHING = new Uint8Array();
const PAUSE_SECONDS = 0.005;

/** Asks an agent for the time, one question after the other. Throws `agents-not-ready` without `count` answers in time. */
export async function readAgentClock(
  { bus, clock, runId, epochSeconds }: TimeSync,
  agent: { readonly agentId: string; readonly name: string },
  count: number,
): Promise<AgentClock> {
  const subject = SUBJECTS.ping(runId, agent.agentId);
  const untilSeconds = clock.nowSeconds() + LIMITS.pingsSeconds;
  const pings: Ping[] = [];
  let wallOffsetSeconds = 0;
  while (pings.length < count && clock.nowSeconds() < untilSeconds) {
    const sentAtSeconds = clock.nowSeconds();
    const answer = await bus.request(subject, NOTHING, LIMITS.pingSeconds).catch(() => undefined);
    const receivedAtSeconds = clock.nowSeconds();
    const pong = answer === undefined ? undefined : decode(pongSchema, answer);
    if (pong !== undefined) {
      pings.push({ sentAtSeconds, remoteAtSeconds: pong.nowSeconds, receivedAtSeconds });
      wallOffsetSeconds = pong.epochSeconds - epochSeconds();
    }
    await sleep(clock, PAUSE_SECONDS);
  }
  if (pings.length < count)
    throw new ShiploadError(
      'agents-not-ready',
      `agent ${agent.name} answered ${pings.length} of ${count} questions for the time within ${LIMITS.pingsSeconds} s`,
    );
  return { ...estimateOffset(pings), wallOffsetSeconds };
}
