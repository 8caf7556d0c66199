import type { Frame } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { AGENT_LIMIT_RATIO } from './limits.ts';
import type { AgentHealth } from './messages.ts';

/** More than one in a hundred held back is another load than was asked for. */
const MOST_HELD_RATIO = 0.01;

interface Sums {
  heldCount: number;
  sentCount: number;
  cpuSeconds: number;
  waitedSeconds: number;
  windowSeconds: number;
}

const percent = (ratio: number): string => `${Math.round(100 * ratio)} %`;

/**
 * How each agent fared in the window of a step. One that ran or waited for a core for 80 % of it could not keep to
 * the plan, whoever took the core: a neighbour, or a quota. The step is spoilt, by name.
 */
export class StepHealth {
  #agents = new Map<string, Sums>();

  add(name: string, frame: Frame, health: AgentHealth | undefined): void {
    if (frame.phase !== 'measure' || health === undefined) return;
    const sums = this.#agents.get(name) ?? {
      heldCount: 0,
      sentCount: 0,
      cpuSeconds: 0,
      waitedSeconds: 0,
      windowSeconds: 0,
    };
    this.#agents.set(name, sums);
    sums.cpuSeconds += health.cpuSeconds;
    sums.waitedSeconds += health.waitedSeconds;
    sums.heldCount += health.heldCount;
    sums.sentCount += frame.routes.reduce((sum, { sentCount }) => sum + sentCount, 0);
    sums.windowSeconds += frame.endedAtSeconds - frame.startedAtSeconds;
  }

  /** What to say of the step that ends, and begins anew. */
  take(): readonly Notice[] {
    const agents = [...this.#agents];
    this.#agents = new Map();
    return [
      ...agents.flatMap(([name, sums]) => saturated(name, sums)),
      ...heldBack(agents.map(([, sums]) => sums)),
    ];
  }
}

function saturated(name: string, { cpuSeconds, waitedSeconds, windowSeconds }: Sums): readonly Notice[] {
  const ran = cpuSeconds / windowSeconds;
  const waited = waitedSeconds / windowSeconds;
  // An agent that used the core itself is told of by the step's own gate.
  if (!(ran + waited >= AGENT_LIMIT_RATIO) || ran >= AGENT_LIMIT_RATIO) return [];
  return [
    {
      code: 'agent-saturated',
      severity: 'red-flag',
      message: `the load agent ${name} ran for ${percent(ran)} of the step and waited for a core for ${percent(waited)}: its requests went out late`,
      advice: 'give the agent a core of its own: end what runs beside it, or raise its CPU quota',
    },
  ];
}

function heldBack(agents: readonly Sums[]): readonly Notice[] {
  const held = agents.reduce((sum, { heldCount }) => sum + heldCount, 0);
  const sent = agents.reduce((sum, { sentCount }) => sum + sentCount, 0);
  if (held === 0) return [];
  return [
    {
      code: 'held-at-ceiling',
      severity: held > MOST_HELD_RATIO * sent ? 'red-flag' : 'warning',
      message: `the agents' shares of the ceiling of the rate held back ${held} of ${sent} requests: their waiting is in the response times`,
      advice:
        'ask for less load, or raise the ceiling where it is yours to raise (--max-rate, shipload allow)',
    },
  ];
}
