import type { Frame } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { AGENT_LIMIT_RATIO } from './limits.ts';
import type { AgentHealth } from './messages.ts';

interface Sums {
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
    const sums = this.#agents.get(name) ?? { cpuSeconds: 0, waitedSeconds: 0, windowSeconds: 0 };
    this.#agents.set(name, sums);
    sums.cpuSeconds += health.cpuSeconds;
    sums.waitedSeconds += health.waitedSeconds;
    sums.windowSeconds += frame.endedAtSeconds - frame.startedAtSeconds;
  }

  /** What to say of the step that ends, and begins anew. */
  take(): readonly Notice[] {
    const notices = [...this.#agents].flatMap(([name, { cpuSeconds, waitedSeconds, windowSeconds }]) => {
      const wanted = (cpuSeconds + waitedSeconds) / windowSeconds;
      // An agent that used the core itself is told of by the step's own gate.
      if (!(wanted >= AGENT_LIMIT_RATIO) || cpuSeconds / windowSeconds >= AGENT_LIMIT_RATIO) return [];
      return [
        {
          code: 'agent-saturated',
          severity: 'red-flag' as const,
          message: `the load agent ${name} ran for ${percent(cpuSeconds / windowSeconds)} of the step and waited for a core for ${percent(waitedSeconds / windowSeconds)}: its requests went out late`,
          advice: 'give the agent a core of its own: end what runs beside it, or raise its CPU quota',
        },
      ];
    });
    this.#agents = new Map();
    return notices;
  }
}
