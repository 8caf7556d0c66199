import type { Clock } from '../host/host.ts';
import type { Bus } from './bus.ts';
import { every } from './deadline.ts';
import { LIMITS } from './limits.ts';
import { SUBJECTS } from './subjects.ts';

export interface LifeWatchHost {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly runId: string;
  readonly agentIds: readonly string[];
  /** Called once an agent. */
  onSilent(agentId: string, why: string): void;
}

const CHECK_SECONDS = 0.25;
/** Alive, and without a new event for so long: something is stuck that no pulse tells of. */
const STALLED_SECONDS = 60;

/**
 * Notices agents that fall silent. The coordinator hears its own beats through the broker too: while they do not come
 * back the broker is away, and nobody's silence says anything.
 */
export class LifeWatch {
  readonly #host: LifeWatchHost;
  readonly #agents: Map<string, { heardAtSeconds: number; eventAtSeconds: number }>;
  readonly #ends: (() => void)[] = [];
  #selfHeardAtSeconds: number;
  /** Since when the way through the broker is whole. */
  #wholeSinceSeconds: number;
  #renewedAtSeconds = -Infinity;

  constructor(host: LifeWatchHost) {
    this.#host = host;
    const now = host.clock.nowSeconds();
    this.#selfHeardAtSeconds = this.#wholeSinceSeconds = now;
    this.#agents = new Map(host.agentIds.map((id) => [id, { heardAtSeconds: now, eventAtSeconds: now }]));
    this.#ends.push(host.bus.subscribe(SUBJECTS.beat(host.runId), () => this.#selfHeard()));
  }

  /** From now on silence counts. */
  arm(): void {
    const now = this.#host.clock.nowSeconds();
    for (const agent of this.#agents.values()) agent.heardAtSeconds = agent.eventAtSeconds = now;
    this.#wholeSinceSeconds = now;
    const check = every(this.#host.clock, CHECK_SECONDS, () => this.#check());
    this.#ends.push(() => check.stop());
  }

  /** A pulse or an event, by its subject. */
  heard(subject: string): void {
    const match = /\.(pulse|event)\.(\w+)/.exec(subject);
    const agent = this.#agents.get(match?.[2] ?? '');
    if (agent === undefined) return;
    agent.heardAtSeconds = this.#host.clock.nowSeconds();
    if (match![1] === 'event') agent.eventAtSeconds = agent.heardAtSeconds;
  }

  /** Nothing more is expected of this agent. */
  forget(agentId: string): void {
    this.#agents.delete(agentId);
  }

  close(): void {
    for (const end of this.#ends) end();
  }

  #selfHeard(): void {
    const now = this.#host.clock.nowSeconds();
    if (now - this.#selfHeardAtSeconds > LIMITS.renewAfterSeconds) this.#wholeSinceSeconds = now;
    this.#selfHeardAtSeconds = now;
  }

  #check(): void {
    const { clock, bus } = this.#host;
    const now = clock.nowSeconds();
    this.#giveUpLongSilent(now);
    const awaySeconds = now - this.#selfHeardAtSeconds;
    if (awaySeconds > LIMITS.renewAfterSeconds) {
      if (now - this.#renewedAtSeconds > LIMITS.renewAfterSeconds) {
        this.#renewedAtSeconds = now;
        bus.renew();
      }
      if (awaySeconds > LIMITS.flushSeconds) this.#giveUpAll(awaySeconds);
      return;
    }
    for (const [agentId, { heardAtSeconds, eventAtSeconds }] of this.#agents) {
      const silentSeconds = now - Math.max(heardAtSeconds, this.#wholeSinceSeconds);
      const stalledSeconds = now - Math.max(eventAtSeconds, this.#wholeSinceSeconds);
      if (silentSeconds > LIMITS.lostAfterSeconds)
        this.#host.onSilent(agentId, `no sign of life for ${silentSeconds.toFixed(1)} s`);
      else if (stalledSeconds > STALLED_SECONDS)
        this.#host.onSilent(
          agentId,
          `it lives, and has told nothing of its load for ${stalledSeconds.toFixed(0)} s`,
        );
    }
  }

  /**
   * A broker that comes and goes (one whose disk is full stops at every write, and takes words again on each new
   * connection) excuses silence for no longer than one that is away. What is awaited is an event: pulses get through.
   */
  #giveUpLongSilent(now: number): void {
    for (const [agentId, { eventAtSeconds }] of this.#agents) {
      const seconds = now - eventAtSeconds;
      if (seconds > LIMITS.flushSeconds)
        this.#host.onSilent(
          agentId,
          `nothing of its load has come for ${seconds.toFixed(0)} s, the broker comes and goes`,
        );
    }
  }

  #giveUpAll(seconds: number): void {
    for (const agentId of this.#agents.keys())
      this.#host.onSilent(agentId, `the broker has been away for ${seconds.toFixed(0)} s`);
  }
}
