import type { CounterSource } from '../counters/counter-source.ts';
import { type CounterSample, sampleCounters } from '../drive/counter-log.ts';
import type { PlanRun, RunEvent, StopReason } from '../drive/run-plan.ts';
import { ShiploadError } from '../errors.ts';
import type { LoadPlan } from '../model/load.ts';
import { type AgentClock, readAgentClock } from './time-sync.ts';
import { driftBeyondDoubt, LEAST_PINGS } from './clock-offset.ts';
import { every } from './deadline.ts';
import { LifeWatch } from './life-watch.ts';
import { LIMITS } from './limits.ts';
import { decode, encode, pulseSchema, startReplySchema } from './messages.ts';
import type { CoordinatorWorld, Member, Team } from './muster.ts';
import { LossSharing } from './sharing.ts';
import { frameTimes, SampleLog } from './sample-log.ts';
import { signMessage } from './signature.ts';
import { SUBJECTS } from './subjects.ts';
import { type MergeSeat, TeamMerge } from './team-merge.ts';

export interface TeamRunHost {
  readonly world: CoordinatorWorld;
  readonly team: Team;
  readonly plan: LoadPlan;
  /** What becomes of the run when an agent is lost. */
  readonly onLoss: 'abort' | 'continue';
  /** Of the service, where no agent reads them, and of the machine. */
  readonly counters: readonly CounterSource[];
  readonly onEvent: (event: RunEvent) => void;
  readonly onFault: (error: Error) => void;
}

/** An agent's clock at the start, and how far it was found to have drifted since. */
export interface MemberClock {
  readonly first: AgentClock;
  driftSeconds: number;
}

/** Events asked for again at once, of one agent. */
const MOST_FETCHED = 20;

/** One run of a team: the start that all keep, the events of all merged, and nobody's silence unnoticed. */
export class TeamRun implements PlanRun {
  readonly merge: TeamMerge;
  readonly clocks = new Map<string, MemberClock>();
  readonly #host: TeamRunHost;
  readonly #samples = new SampleLog();
  readonly #watch: LifeWatch;
  readonly #sharing: LossSharing;
  readonly #storedCounts = new Map<string, number>();
  /** By agent: why the broker does not keep what it tells. */
  readonly #troubles = new Map<string, string | undefined>();
  readonly #ends: (() => void)[] = [];
  #originSeconds = Infinity;
  #stopReason: StopReason | undefined;
  #sampleSeq = 0;
  #isFinished = false;

  constructor(host: TeamRunHost) {
    this.#host = host;
    const { world, team, plan } = host;
    const { bus, clock } = world;
    const { runId, members, beats } = team;
    this.#sharing = new LossSharing(plan);
    this.merge = new TeamMerge(plan, members, {
      counters: host.counters,
      nowSeconds: () => this.#nowSeconds(),
      sampleAt: (runSeconds) => this.#samples.nearest(runSeconds),
      onSample: (sample) => this.#keepSample(sample),
      stopParts: (reason) => beats.say({ kind: 'stop', reason: reason as Exclude<StopReason, 'completed'> }),
      onEvent: (event) => this.#told(event),
      isShared: (agentId, stepIndex) => this.#sharing.isShared(agentId, stepIndex),
      onFault: (agentId, why) => this.#lose(agentId, why),
    });
    this.#watch = new LifeWatch({
      bus,
      clock,
      runId,
      agentIds: members.map(({ agentId }) => agentId),
      onSilent: (agentId, why) => {
        const trouble = this.#troubles.get(agentId);
        this.#lose(agentId, trouble === undefined ? why : `${why} (the broker: ${trouble})`);
      },
    });
    this.#ends.push(
      bus.subscribe(SUBJECTS.event(runId, '*', '*'), ({ subject, data }) => {
        this.#watch.heard(subject);
        this.merge.receive(subject, data);
      }),
      bus.subscribe(SUBJECTS.pulse(runId, '*'), ({ subject, data }) => {
        this.#watch.heard(subject);
        const pulse = decode(pulseSchema, data);
        if (pulse === undefined) return;
        this.#storedCounts.set(pulse.agentId, pulse.storedCount);
        this.#troubles.set(pulse.agentId, pulse.trouble);
        this.#sharing.keeps(pulse.agentId, pulse.sharingVersion);
      }),
    );
  }

  /** Whether all agents have the start: from then on there is a run. */
  get isStartSet(): boolean {
    return this.#originSeconds < Infinity;
  }

  /** Settles the start with all agents; the events follow. What goes wrong on the way is the host's `onFault`. */
  async start(): Promise<void> {
    try {
      await this.#syncClocks();
      await this.#setStart();
    } catch (error) {
      this.close();
      this.#host.onFault(error as Error);
    }
  }

  stop(reason: StopReason): void {
    this.#stopReason ??= reason;
    if (this.isStartSet) this.merge.stop(reason);
  }

  /** Hears and watches no more. */
  close(): void {
    for (const end of this.#ends) end();
    this.#watch.close();
  }

  #nowSeconds(): number {
    return this.#host.world.clock.nowSeconds() - this.#originSeconds;
  }

  async #syncClocks(): Promise<void> {
    const { world, team } = this.#host;
    const sync = { ...world, runId: team.runId, epochSeconds: () => world.epochSeconds() };
    await Promise.all(
      team.members.map(async (member) => {
        const first = await readAgentClock(sync, member, LEAST_PINGS + 1);
        if (first.uncertaintySeconds > LIMITS.mostUncertaintySeconds)
          throw new ShiploadError(
            'agents-not-ready',
            `the clock of agent ${member.name} is known to ± ${(first.uncertaintySeconds * 1e3).toFixed(0)} ms only: its seconds cannot be laid beside those of the others`,
            { hint: 'The way to it takes too long, or its machine is busy.' },
          );
        this.clocks.set(member.agentId, { first, driftSeconds: 0 });
      }),
    );
    const again = every(world.clock, LIMITS.driftEverySeconds, () => {
      for (const member of team.members) void this.#checkDrift(member);
    });
    this.#ends.push(() => again.stop());
  }

  async #checkDrift(member: Member): Promise<void> {
    const { world, team } = this.#host;
    const sync = { ...world, runId: team.runId, epochSeconds: () => world.epochSeconds() };
    const known = this.clocks.get(member.agentId);
    const now = await readAgentClock(sync, member, LIMITS.driftPings).catch(() => undefined);
    if (known === undefined || now === undefined) return;
    known.driftSeconds = Math.max(known.driftSeconds, driftBeyondDoubt(known.first, now));
  }

  /** All agents have the start in their own clocks, and have said so before it comes. */
  async #setStart(): Promise<void> {
    const { world, team } = this.#host;
    const { clock, bus, key } = world;
    const roundTrips = [...this.clocks.values()].map(({ first }) => 2 * first.uncertaintySeconds);
    const leadSeconds = Math.max(LIMITS.startLeadSeconds, 10 * Math.max(...roundTrips));
    const originSeconds = clock.nowSeconds() + leadSeconds;
    const inTimeSeconds = leadSeconds - LIMITS.startMarginSeconds;
    await Promise.all(
      team.members.map(async ({ agentId, name }) => {
        const subject = SUBJECTS.start(team.runId, agentId);
        const { offsetSeconds } = this.clocks.get(agentId)!.first;
        const word = { runId: team.runId, atSeconds: originSeconds + offsetSeconds };
        const answer = await bus
          .request(subject, signMessage(key, subject, word), inTimeSeconds)
          .catch(() => undefined);
        const reply = answer === undefined ? undefined : decode(startReplySchema, answer);
        if (reply?.kind === 'set') return;
        const why = reply?.message ?? `did not answer within ${inTimeSeconds.toFixed(1)} s`;
        throw new ShiploadError('agents-not-ready', `agent ${name} has not taken the start: ${why}`);
      }),
    );
    this.#originSeconds = originSeconds;
    this.#watch.arm();
    this.#sampleOnTime();
    const gaps = every(clock, LIMITS.gapEverySeconds, () => void this.#fillGaps());
    this.#ends.push(() => gaps.stop());
    if (this.#stopReason !== undefined) this.merge.stop(this.#stopReason);
  }

  /** Reads the counters at the run's own seconds, whatever the way of the events is like. */
  #sampleOnTime(): void {
    const { world, plan, counters } = this.#host;
    const times = frameTimes(plan);
    const next = (): void => {
      const { value: atSeconds } = times.next() as { value: number };
      world.clock.schedule(this.#originSeconds + atSeconds, {
        onTime: () => {
          if (this.#isFinished) return;
          if (this.#host.counters.length > 0 || this.#sampleSeq === 0)
            this.#keepSample(sampleCounters(counters, this.#nowSeconds()));
          next();
        },
      });
    };
    this.#keepSample(sampleCounters(counters, 0));
    next();
  }

  #keepSample(sample: CounterSample): void {
    this.#samples.add(sample);
    const { world, team } = this.#host;
    const seq = this.#sampleSeq++;
    const subject = SUBJECTS.sample(team.runId, seq);
    // For those who read the run from the stream; the run itself has it already.
    void world.bus
      .store(subject, encode(sample), `${team.runId}:sample:${seq}`, LIMITS.flushSeconds)
      .catch(() => undefined);
  }

  /** Asks the stream for events that agents have stored and that did not come, or not yet. */
  async #fillGaps(): Promise<void> {
    const { world, team } = this.#host;
    await Promise.all(
      this.merge.seats.map(async ({ agentId, inbox, lost }) => {
        const isBehind = inbox.hasGap || (this.#storedCounts.get(agentId) ?? 0) > inbox.nextSeq;
        if (!isBehind || lost !== undefined) return;
        for (let fetched = 0; fetched < MOST_FETCHED; fetched += 1) {
          const subject = SUBJECTS.event(team.runId, agentId, inbox.nextSeq);
          const data = await world.bus.stored(team.runId, subject).catch(() => undefined);
          if (data === undefined) return;
          this.merge.receive(subject, data);
        }
      }),
    );
  }

  #told(event: RunEvent): void {
    if (event.kind === 'finished') this.#isFinished = true;
    this.#host.onEvent(event);
  }

  #lose(agentId: string, why: string): void {
    const seat = this.merge.seats.find((one) => one.agentId === agentId);
    if (seat === undefined || seat.lost !== undefined || seat.totals !== undefined || this.#isFinished)
      return;
    this.#sayLost(seat, why);
    if (this.#host.onLoss === 'abort') this.merge.stop('agent-lost');
    else this.#share(agentId);
    this.merge.lose(seat, why);
    this.#watch.forget(agentId);
  }

  /** The others make the lost agent's share from the next border on. */
  #share(agentId: string): void {
    const left = this.merge.seats.filter((seat) => seat.lost === undefined && seat.agentId !== agentId);
    const ids = left.map((seat) => seat.agentId);
    const sharing = this.#sharing.lose(agentId, ids, this.#nowSeconds());
    if (sharing !== undefined && this.#stopReason === undefined)
      this.#host.team.beats.say({ kind: 'run', sharing });
  }

  #sayLost({ name }: MergeSeat, why: string): void {
    const then = this.#host.onLoss === 'abort' ? 'the run ends here' : 'the run goes on without it';
    this.#host.world.say(
      `Load agent ${name} is lost: ${why}; ${then} (--on-agent-loss), its step is not valid`,
    );
  }
}
