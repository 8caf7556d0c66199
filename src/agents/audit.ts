import type { AgentRecord } from '../model/record.ts';
import type { Notice } from '../model/notice.ts';
import type { Clock } from '../host/host.ts';
import type { Bus } from './bus.ts';
import { sleep } from './deadline.ts';
import { LIMITS } from './limits.ts';
import { type AgentFinal, decode, finalSchema } from './messages.ts';
import { OBJECTS } from './subjects.ts';
import type { MergeSeat } from './team-merge.ts';

/** An agent's last word against what came of it. */
export interface Audit {
  /** Missing where it never came. */
  readonly final?: AgentFinal;
  /** What does not agree, in words; empty: the events are all there and are the same, and add up. */
  readonly faults: readonly string[];
}

/** Whether the events of an agent are those it sent, byte for byte, and add up to what it counted itself. */
export function auditSeat({ inbox, ledger }: MergeSeat, final: AgentFinal | undefined): Audit {
  if (final === undefined) return { faults: ['its final count did not come'] };
  const { count, sha256 } = inbox.chain;
  if (count !== final.eventCount) return { final, faults: [`${count} of ${final.eventCount} events came`] };
  if (sha256 !== final.chainSha256) return { final, faults: ['its events are not those it sent'] };
  return { final, faults: ledger.differences(final.totals) };
}

/** Waits for an agent's last word; undefined when it does not come in time. */
export async function fetchFinal(
  bus: Bus,
  clock: Clock,
  runId: string,
  agentId: string,
  seconds: number = LIMITS.finalSeconds,
): Promise<AgentFinal | undefined> {
  const untilSeconds = clock.nowSeconds() + seconds;
  for (;;) {
    const asked = bus.getObject(OBJECTS.final(runId, agentId)).catch(() => undefined);
    const data = await Promise.race([asked, sleep(clock, LIMITS.finalAskSeconds)]);
    const final = data === undefined ? undefined : decode(finalSchema, data);
    if (final !== undefined || clock.nowSeconds() >= untilSeconds) return final;
    await sleep(clock, LIMITS.storePauseSeconds);
  }
}

/** What a run says of its agents once it is over. */
export interface TeamConclusion {
  readonly agents: readonly AgentRecord[];
  /** Of the run. */
  readonly notices: readonly Notice[];
  /** Red flags of every step: the sum of what came is not what was sent. */
  readonly doubts: readonly Notice[];
}

/** The notices that audits, losses and scenarios give rise to. */
export function noticesOf(
  seats: readonly (MergeSeat & { readonly audit: Audit })[],
): Pick<TeamConclusion, 'notices' | 'doubts'> {
  const doubts = seats.flatMap(({ name, lost, audit }): Notice[] =>
    lost !== undefined || audit.faults.length === 0
      ? []
      : [
          {
            code: 'agent-count-differs',
            severity: 'red-flag',
            message: `what came of the load agent ${name} is not what it sent: ${audit.faults.join('; ')}`,
            advice: 'no verdict is drawn from this run: see the broker and its storage, and run again',
          },
        ],
  );
  const notices = seats.flatMap(({ name, lateCount, audit, lost }): Notice[] => [
    ...(audit.final?.notices ?? []).map(({ advice, ...notice }) => ({
      ...notice,
      message: `${name}: ${notice.message}`,
      ...(advice !== undefined && { advice }),
    })),
    ...(lost === undefined
      ? []
      : [
          {
            code: 'agent-lost',
            severity: 'red-flag' as const,
            message: `the load agent ${name} was lost ${lost.atSeconds.toFixed(1)} s into the run: ${lost.why}`,
            advice:
              lateCount === 0
                ? 'its load has stopped by itself within 3 s'
                : `its load has stopped by itself within 3 s; ${lateCount} events that it told later are kept on the broker and not in this result`,
          },
        ]),
  ]);
  return { doubts, notices };
}
