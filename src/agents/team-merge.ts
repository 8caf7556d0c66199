import type { CounterSource } from '../counters/counter-source.ts';
import type { CounterSample } from '../drive/counter-log.ts';
import { MergedRun } from '../drive/merged-run.ts';
import type { RunEvent, StopReason } from '../drive/run-plan.ts';
import type { LoadPlan } from '../model/load.ts';
import type { RunTotals } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { decodeEvent } from './event-codec.ts';
import { EventInbox } from './event-inbox.ts';
import { EventLedger } from './event-ledger.ts';
import { StepHealth } from './step-health.ts';
import { eventOf } from './subjects.ts';

/** Who sends which part of the plan. */
export interface MergeMember {
  readonly agentId: string;
  readonly name: string;
}

export interface TeamMergeHost {
  readonly counters: readonly CounterSource[];
  nowSeconds(): number;
  sampleAt(runSeconds: number): CounterSample | undefined;
  /** Counters that the agent nearest to the service has read. */
  onSample(sample: CounterSample): void;
  stopParts(reason: StopReason): void;
  onEvent(event: RunEvent): void;
  /** Whether those that are left make a lost agent's share of this step. */
  isShared(agentId: string, stepIndex: number): boolean;
  /** An agent has ended its load though nobody asked it to, or sends what cannot be read. */
  onFault(agentId: string, why: string): void;
}

/** What is known of one agent's events. */
export interface MergeSeat extends MergeMember {
  readonly inbox: EventInbox;
  readonly ledger: EventLedger;
  /** Of its last event; undefined while it goes on. */
  totals: RunTotals | undefined;
  lost: { readonly atSeconds: number; readonly why: string } | undefined;
  /** Events that came after it was given up: they are kept, and not in the result. */
  lateCount: number;
}

/**
 * Events of the agents of a run merged into one run, live or read back from the stream: each event once and in order,
 * in whatever order they come, steps marked that an agent was missing from or could not keep up in.
 */
export class TeamMerge {
  readonly seats: readonly MergeSeat[];
  readonly #host: TeamMergeHost;
  readonly #merged: MergedRun;
  readonly #health = new StepHealth();
  #isStopping = false;

  constructor(plan: LoadPlan, members: readonly MergeMember[], host: TeamMergeHost) {
    this.#host = host;
    this.seats = members.map((member, part) => ({
      ...member,
      inbox: new EventInbox((_, data) => this.#handOn(part, data)),
      ledger: new EventLedger(),
      totals: undefined,
      lost: undefined,
      lateCount: 0,
    }));
    this.#merged = new MergedRun(
      plan,
      {
        names: members.map(({ name }) => name),
        counters: host.counters,
        nowSeconds: () => host.nowSeconds(),
        sampleAt: (runSeconds) => host.sampleAt(runSeconds)!,
        stopParts: (reason) => {
          this.#isStopping = true;
          host.stopParts(reason);
        },
      },
      (event) => this.#told(event),
    );
  }

  stop(reason: StopReason): void {
    this.#merged.stop(reason);
  }

  /** A message of the run's stream; others than events of its agents are passed over. */
  receive(subject: string, data: Uint8Array): void {
    const event = eventOf(subject);
    const seat = this.seats.find(({ agentId }) => agentId === event?.agentId);
    if (event !== undefined) seat?.inbox.receive(event.seq, data);
  }

  /** Goes on without an agent: what it has told counts, what it still tells is not heard. */
  lose(seat: MergeSeat, why: string): void {
    if (seat.lost !== undefined || seat.totals !== undefined) return;
    seat.lost = { atSeconds: this.#host.nowSeconds(), why };
    this.#merged.drop(this.seats.indexOf(seat), seat.ledger.totals());
  }

  #handOn(part: number, data: Uint8Array): void {
    const seat = this.seats[part]!;
    if (seat.lost !== undefined) {
      seat.lateCount += 1;
      return;
    }
    const fault = (why: string): void => this.#host.onFault(seat.agentId, why);
    try {
      const { event, health, sample } = decodeEvent(data);
      seat.ledger.add(event);
      if (sample !== undefined) this.#host.onSample(sample);
      if (event.kind === 'frame') this.#health.add(seat.name, event.frame, health);
      if (event.kind === 'finished' && (event.reason === 'completed' || this.#isStopping))
        seat.totals = event.totals;
      this.#merged.receive(part, event);
      if (event.kind === 'finished' && seat.totals === undefined)
        fault(`it ended its load by itself (${event.reason})`);
      if (event.kind === 'step-finished' && event.endedEarly !== undefined && !this.#isStopping)
        fault(`it ended its step by itself (${event.endedEarly})`);
    } catch (error) {
      fault(
        `what it sent cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`,
      );
    }
  }

  #told(event: RunEvent): void {
    if (event.kind !== 'step-finished') return this.#host.onEvent(event);
    const { measurement } = event;
    const notices = [
      ...measurement.notices,
      ...this.#health.take(),
      ...this.#missing(measurement.step.index),
    ];
    this.#host.onEvent({ kind: 'step-finished', measurement: { ...measurement, notices } });
  }

  /** Steps that end from here on were not made by all. */
  #missing(stepIndex: number): readonly Notice[] {
    return this.seats.flatMap(({ agentId, name, lost }) =>
      lost === undefined || this.#host.isShared(agentId, stepIndex)
        ? []
        : [
            {
              code: 'agent-lost',
              severity: 'red-flag' as const,
              message: `the load agent ${name} was lost ${lost.atSeconds.toFixed(1)} s into the run: ${lost.why}; its share of the load was missing`,
              advice: 'see that machine and the way to it, and run the step again',
            },
          ],
    );
  }
}
