import type { PlanPart } from '../drive/plan-part.ts';
import type { LoadPlan } from '../model/load.ts';
import type { Beat } from './messages.ts';

export type Sharing = NonNullable<Extract<Beat['state'], { kind: 'run' }>['sharing']>;

/** The word of a new sharing must be with all agents by then before the step begins. */
const NOTICE_SECONDS = 2;

/**
 * Who makes which part of the plan once agents were lost. Steps that go on are left as they are: those that are left
 * take over at the border of the first step that leaves time to tell them all.
 */
export class LossSharing {
  readonly #plan: LoadPlan;
  /** By agent: the newest sharing that it said it will keep to. */
  readonly #kept = new Map<string, number>();
  /** By lost agent: the sharing without it. */
  readonly #lost = new Map<string, Sharing>();
  #version = 0;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
  }

  /** The sharing of those that are left; undefined where no step is left to share. */
  lose(agentId: string, left: readonly string[], runSeconds: number): Sharing | undefined {
    const fromStepIndex = this.#firstStepAfter(runSeconds + NOTICE_SECONDS);
    if (fromStepIndex === undefined || left.length === 0) return undefined;
    const parts = Object.fromEntries(
      left.map((id, index): [string, PlanPart] => [id, { index, count: left.length }]),
    );
    const sharing = { version: (this.#version += 1), fromStepIndex, parts };
    this.#lost.set(agentId, sharing);
    return sharing;
  }

  keeps(agentId: string, version: number): void {
    this.#kept.set(agentId, version);
  }

  /** Whether all that are left have said that they make the lost agent's share of this step. */
  isShared(agentId: string, stepIndex: number): boolean {
    const sharing = this.#lost.get(agentId);
    if (sharing === undefined || stepIndex < sharing.fromStepIndex) return false;
    const left = Object.keys(sharing.parts).filter((id) => !this.#lost.has(id));
    return left.every((id) => (this.#kept.get(id) ?? 0) >= sharing.version);
  }

  #firstStepAfter(runSeconds: number): number | undefined {
    let startsAtSeconds = 0;
    for (const { index, restSeconds = 0, warmupSeconds, measureSeconds } of this.#plan.steps) {
      if (startsAtSeconds >= runSeconds) return index;
      startsAtSeconds += restSeconds + warmupSeconds + measureSeconds;
    }
    return undefined;
  }
}
