import type { CounterSource } from '../counters/counter-source.ts';
import type { RunManifest } from '../model/record.ts';
import { auditSeat, fetchFinal, noticesOf, type TeamConclusion } from './audit.ts';
import type { Bundle } from './bundle.ts';
import { encode } from './messages.ts';
import { type CoordinatorWorld, kept as keptBy, muster, type MusterOrder, type Team } from './muster.ts';
import { SUBJECTS } from './subjects.ts';
import { TeamRun, type TeamRunHost } from './team-run.ts';

/** How a run is given to agents. */
export interface AgentsOrder extends Omit<MusterOrder, 'bundle'> {
  readonly onLoss: TeamRunHost['onLoss'];
}

/** Kept with the stream, so that the run can be read from it alone. */
export interface StreamManifest {
  readonly manifest: RunManifest;
  readonly members: readonly { readonly agentId: string; readonly name: string }[];
}

/** Agents that stand ready for one plan: as an engine, and what is known of them at the end. */
export class AgentsEngine {
  readonly team: Team;
  readonly #world: CoordinatorWorld;
  readonly #order: AgentsOrder;
  readonly #bundle: Bundle;
  #run: TeamRun | undefined;

  /** Resolves when all agents are ready. Throws what mustering them throws. */
  static async open(world: CoordinatorWorld, bundle: Bundle, order: AgentsOrder): Promise<AgentsEngine> {
    return new AgentsEngine(world, bundle, order, await muster(world, { ...order, bundle }));
  }

  private constructor(world: CoordinatorWorld, bundle: Bundle, order: AgentsOrder, team: Team) {
    this.#world = world;
    this.#bundle = bundle;
    this.#order = order;
    this.team = team;
  }

  /** Keeps with the stream what run it is. */
  async keepManifest(manifest: RunManifest): Promise<void> {
    const { runId, members } = this.team;
    const kept: StreamManifest = {
      manifest,
      members: members.map(({ agentId, name }) => ({ agentId, name })),
    };
    await keptBy(
      this.#world,
      this.#world.bus.store(SUBJECTS.manifest(runId), encode(kept), `${runId}:manifest`, 10),
      'what run it is could not be put on the broker',
    );
  }

  start(host: {
    readonly counters: readonly CounterSource[];
    readonly onEvent: TeamRunHost['onEvent'];
    readonly onFault: TeamRunHost['onFault'];
  }): TeamRun {
    this.#run = new TeamRun({
      world: this.#world,
      team: this.team,
      plan: this.#bundle.plan,
      onLoss: this.#order.onLoss,
      counters: this.#order.countersFrom === undefined ? host.counters : [],
      onEvent: host.onEvent,
      onFault: host.onFault,
    });
    void this.#run.start();
    return this.#run;
  }

  /** After the last event: what the agents counted themselves, and whether it is what came. */
  async conclude(): Promise<TeamConclusion> {
    const { bus, clock } = this.#world;
    const { runId, members } = this.team;
    const run = this.#run!;
    const seats = await Promise.all(
      run.merge.seats.map(async (seat) => {
        const final = await fetchFinal(
          bus,
          clock,
          runId,
          seat.agentId,
          seat.lost === undefined ? undefined : 0,
        );
        return { ...seat, audit: auditSeat(seat, final) };
      }),
    );
    const agents = seats.map(({ agentId, ledger, inbox, lost, audit }, i) => {
      const { name, hello, proof } = members[i]!;
      const clockOf = run.clocks.get(agentId);
      return {
        name,
        nodeVersion: hello.nodeVersion,
        platform: hello.platform,
        coreCount: hello.coreCount,
        proof,
        clockUncertaintySeconds: clockOf?.first.uncertaintySeconds ?? 0,
        clockDriftSeconds: clockOf?.driftSeconds ?? 0,
        wallClockOffsetSeconds: clockOf?.first.wallOffsetSeconds ?? 0,
        ...(audit.final !== undefined && { startLateSeconds: audit.final.startLateSeconds }),
        eventCount: inbox.chain.count,
        sentCount: ledger.totals().byRoute.reduce((sum, route) => sum + route.sentCount, 0),
        isWhole: audit.faults.length === 0 && lost === undefined,
        ...(lost !== undefined && { lost: { atSeconds: lost.atSeconds, reason: lost.why } }),
      };
    });
    const conclusion = { agents, ...noticesOf(seats) };
    await bus
      .store(SUBJECTS.conclusion(runId), encode(conclusion), `${runId}:conclusion`, 10)
      .catch(() => undefined);
    return conclusion;
  }

  /** Frees the agents; the stream of the run stays on the broker, unless its load never began. */
  async close(): Promise<void> {
    this.#run?.close();
    await this.team.dismiss();
    if (this.#run?.isStartSet !== true)
      await this.#world.bus.dropStream(this.team.runId).catch(() => undefined);
  }
}
