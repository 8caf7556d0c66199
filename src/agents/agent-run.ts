import type { KeyObject } from 'node:crypto';
import type { CounterSource } from '../counters/counter-source.ts';
import { partEventOf } from '../drive/merged-run.ts';
import type { GeneratorProbe, SampleSink } from '../drive/recorder.ts';
import type { PlanPart } from '../drive/plan-part.ts';
import { type PartRun, type RunEvent, startPlan, type StopReason } from '../drive/run-plan.ts';
import type { ScenarioRun } from '../drive/scenario-host.ts';
import type { Clock } from '../host/host.ts';
import type { LoadPlan } from '../model/load.ts';
import type { RunTotals } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import type { ReplaySchedule } from '../model/replay.ts';
import type { Protocol } from '../protocols/protocol.ts';
import type { Bus } from './bus.ts';
import { DeadMan } from './dead-man.ts';
import { every, sleep } from './deadline.ts';
import { encodeEvent } from './event-codec.ts';
import { EventStream } from './event-stream.ts';
import { gateProtocol } from './gated-protocol.ts';
import { LIMITS } from './limits.ts';
import {
  type AgentFinal,
  type AgentHealth,
  type Beat,
  beatSchema,
  encode,
  type StartReply,
  startSchema,
} from './messages.ts';
import { openSigned } from './signature.ts';
import { OBJECTS, SUBJECTS } from './subjects.ts';

/** An agent's part of a plan, made ready: where it sends, and what it reads of itself. */
export interface OpenLoad {
  readonly plan: LoadPlan;
  readonly protocol: Protocol;
  /** Another part of the plan is this agent's from now on: its share of the ceilings is another too. */
  takeShare(part: PlanPart): void;
  /** Why this agent may load the service. */
  readonly proof: string;
  readonly probeCount: number;
  readonly generator: GeneratorProbe;
  /** The generator's own counters, then those of the service where this agent reads them. */
  readonly counters: readonly CounterSource[];
  readonly readsCounters: boolean;
  readonly replay?: ReplaySchedule;
  readonly scenario?: ScenarioRun;
  /** Told of every finished request. */
  readonly onSample?: SampleSink;
  /** Since the last call. */
  readHealth(): AgentHealth;
  /** What a scenario stumbled over. */
  notices(): readonly Notice[];
  close(): Promise<void>;
}

export interface AgentRunHost {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly trusted: readonly KeyObject[];
  readonly agentId: string;
  readonly runId: string;
  readonly part: PlanPart;
  readonly load: OpenLoad;
  readonly epochSeconds: () => number;
  readonly say: (text: string) => void;
  /** The run is over for this agent, and everything of it is kept or given up. `hasBegun`: it made load. */
  onDone(hasBegun: boolean): void;
}

/** A start that comes later than this before its time cannot be kept. */
const LEAST_LEAD_SECONDS = 0.01;

/** One run on one agent: waits for the start, makes the load, tells the stream, and ends when it must. */
export class AgentRun {
  readonly #host: AgentRunHost;
  readonly #stream: EventStream;
  readonly #deadMan: DeadMan;
  readonly #ends: (() => void)[] = [];
  #beatCount = -1;
  #startAtSeconds: number | undefined;
  #startLateSeconds = 0;
  #run: PartRun | undefined;
  #sharingVersion = 0;
  #stopBeforeStart: StopReason | undefined;
  #madeCount = 0;
  #totals: RunTotals | undefined;
  #endedBy: AgentFinal['endedBy'] = 'plan';
  #isConcluded = false;
  #isClosed = false;
  #saidTrouble: string | undefined;
  readonly #notices: Notice[] = [];

  constructor(host: AgentRunHost) {
    this.#host = host;
    const { bus, clock, runId, agentId } = host;
    this.#stream = new EventStream(bus, clock, runId, agentId);
    this.#deadMan = new DeadMan(clock, LIMITS.deadManSeconds, this.#coordinatorSilent);
    this.#ends.push(
      bus.subscribe(SUBJECTS.ping(runId, agentId), (message) =>
        message.respond(encode({ nowSeconds: clock.nowSeconds(), epochSeconds: host.epochSeconds() })),
      ),
      bus.subscribe(SUBJECTS.beat(runId), ({ subject, data }) => this.#heard(subject, data)),
      bus.subscribe(SUBJECTS.start(runId, agentId), (message) =>
        message.respond(encode(this.#setStart(message.subject, message.data))),
      ),
    );
    const pulse = every(clock, LIMITS.pulseEverySeconds, () => this.#pulse());
    const renew = every(clock, LIMITS.renewAfterSeconds, () => {
      if (this.#deadMan.silentSeconds > LIMITS.renewAfterSeconds) bus.renew();
    });
    this.#ends.push(
      () => pulse.stop(),
      () => renew.stop(),
    );
  }

  /** Stops for a reason of the agent's own (its process is asked to end); what was measured is kept. */
  stop(): void {
    if (this.#run === undefined) void this.#close();
    else this.#stopLoad('interrupted');
  }

  #heard(subject: string, data: Uint8Array): void {
    const beat = beatSchema.safeParse(openSigned(this.#host.trusted, subject, data)).data;
    if (beat === undefined || beat.runId !== this.#host.runId || beat.count <= this.#beatCount) return;
    this.#beatCount = beat.count;
    this.#deadMan.heard();
    if (beat.state.kind === 'close') void this.#close();
    if (beat.state.kind === 'run' && beat.state.sharing !== undefined) this.#share(beat.state.sharing);
    if (beat.state.kind === 'stop' && this.#totals === undefined) {
      this.#endedBy = this.#deadMan.isAlive() ? 'coordinator' : 'dead-man';
      this.#stopLoad(beat.state.reason);
    }
  }

  /** Takes over what a lost agent leaves; says so with the next pulse, or too late is too late. */
  #share({
    version,
    fromStepIndex,
    parts,
  }: NonNullable<Extract<Beat['state'], { kind: 'run' }>['sharing']>): void {
    const part = parts[this.#host.agentId];
    if (version <= this.#sharingVersion || part === undefined) return;
    if (this.#run?.takePart(part, fromStepIndex) !== true) return;
    this.#sharingVersion = version;
    this.#host.load.takeShare(part);
    this.#host.say(`makes part ${part.index + 1} of ${part.count} from step ${fromStepIndex + 1} on`);
  }

  #setStart(subject: string, data: Uint8Array): StartReply {
    const start = startSchema.safeParse(openSigned(this.#host.trusted, subject, data)).data;
    if (start === undefined || start.runId !== this.#host.runId)
      return refused('the word to start is not signed by a key that this agent trusts');
    if (this.#startAtSeconds !== undefined && this.#startAtSeconds !== start.atSeconds)
      return refused('another start is set already');
    const leadSeconds = start.atSeconds - this.#host.clock.nowSeconds();
    if (leadSeconds < LEAST_LEAD_SECONDS) return refused('the word to start came after its time');
    if (this.#startAtSeconds === undefined) {
      this.#startAtSeconds = start.atSeconds;
      this.#host.clock.schedule(start.atSeconds, { onTime: () => this.#begin(start.atSeconds) });
    }
    return { kind: 'set', leadSeconds };
  }

  #begin(originSeconds: number): void {
    if (this.#isClosed || this.#totals !== undefined || !this.#deadMan.isAlive()) return;
    const { clock, load, part, say } = this.#host;
    this.#startLateSeconds = clock.nowSeconds() - originSeconds;
    say(`load begins: part ${part.index + 1} of ${part.count}`);
    load.readHealth(); // what was used before the run is not the run's
    this.#run = startPlan(
      load.plan,
      {
        clock,
        protocol: gateProtocol(load.protocol, clock, () => this.#deadMan.isAlive()),
        counters: load.counters,
        generator: load.generator,
        part,
        originSeconds,
        ...(load.replay !== undefined && { replay: load.replay }),
        ...(load.scenario !== undefined && { scenario: load.scenario }),
        ...(load.onSample !== undefined && { onSample: load.onSample }),
      },
      (event) => this.#tell(event),
    );
    if (this.#stopBeforeStart !== undefined) this.#run.stop(this.#stopBeforeStart);
  }

  #tell(event: RunEvent): void {
    const { load } = this.#host;
    const message = encodeEvent({
      event: partEventOf(event),
      ...(event.kind === 'frame' && {
        health: load.readHealth(),
        ...(load.readsCounters && { sample: event.sample }),
      }),
    });
    try {
      this.#stream.add(message);
      this.#madeCount += 1;
    } catch (error) {
      this.#noteFault(error);
    }
    if (event.kind === 'finished') void this.#conclude(event.totals);
  }

  /** A second that cannot be told is a hole in the run: it ends here, and the final count will not agree. */
  #noteFault(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#host.say(message);
    if (this.#notices.length === 0)
      this.#notices.push({
        code: 'agent-event-lost',
        severity: 'red-flag',
        message,
        advice: 'raise max_payload in the configuration of nats-server (8MB)',
      });
    this.#run?.stop('interrupted');
  }

  readonly #coordinatorSilent = (silentSeconds: number): void => {
    const then =
      this.#run === undefined || this.#totals !== undefined
        ? 'the run is given up'
        : 'the load stops here; what was measured is sent on';
    this.#host.say(`no word of the coordinator for ${silentSeconds.toFixed(1)} s: ${then}`);
    this.#endedBy = 'dead-man';
    if (this.#isConcluded || this.#run === undefined) void this.#close();
    else this.#stopLoad('agent-lost');
  };

  #stopLoad(reason: StopReason): void {
    if (this.#totals !== undefined) return;
    if (this.#run !== undefined) this.#run.stop(reason);
    else this.#stopBeforeStart = reason;
  }

  #pulse(): void {
    const { bus, runId, agentId, say } = this.#host;
    const { trouble } = this.#stream;
    if (trouble !== this.#saidTrouble && trouble !== undefined)
      say(`the broker does not keep what is told, and is asked again: ${trouble}`);
    this.#saidTrouble = trouble;
    bus.publish(
      SUBJECTS.pulse(runId, agentId),
      encode({
        agentId,
        madeCount: this.#madeCount,
        storedCount: this.#stream.storedCount,
        sharingVersion: this.#sharingVersion,
        ...(trouble !== undefined && { trouble: trouble.slice(0, 500) }),
      }),
    );
  }

  /** The last word, after all others are kept; then waits until the coordinator has it, or is gone. */
  async #conclude(totals: RunTotals): Promise<void> {
    this.#totals = totals;
    const { bus, clock, runId, agentId, load, say } = this.#host;
    const untilSeconds = clock.nowSeconds() + LIMITS.flushSeconds;
    const final: AgentFinal = {
      agentId,
      eventCount: this.#stream.chain.count,
      chainSha256: this.#stream.chain.sha256,
      totals: totals as AgentFinal['totals'],
      endedBy: this.#endedBy,
      startLateSeconds: this.#startLateSeconds,
      notices: [...this.#notices, ...load.notices()],
    };
    await Promise.race([this.#stream.flushed(), sleep(clock, LIMITS.flushSeconds)]);
    let isKept = false;
    while (!isKept && clock.nowSeconds() < untilSeconds && !this.#isClosed) {
      isKept = await bus.putObject(OBJECTS.final(runId, agentId), encode(final)).then(
        () => true,
        () => false,
      );
      if (!isKept) await sleep(clock, LIMITS.storePauseSeconds);
    }
    if (!isKept) say('the broker was away for too long: not everything of this run is kept');
    this.#isConcluded = true;
    if (!this.#deadMan.isAlive()) await this.#close();
  }

  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#run?.stop('interrupted');
    this.#deadMan.disarm();
    this.#stream.close();
    for (const end of this.#ends) end();
    await this.#host.load.close();
    this.#host.onDone(this.#run !== undefined);
  }
}

const refused = (message: string): StartReply => ({ kind: 'refused', code: 'agents-not-ready', message });
