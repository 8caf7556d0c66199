import type { HistogramData } from '../model/histogram.ts';
import type { Frame } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { COARSE_BITS, EMPTY_HISTOGRAM, mergeHistograms, percentileOf } from '../stats/histogram.ts';
import { AGENT_LIMIT_RATIO } from './limits.ts';
import type { AgentHealth } from './messages.ts';

/** An agent whose sends are late by so much more than those of the others, at the 99th percentile, is slow by itself. */
const LATE_FACTOR = 4;
const LATE_SECONDS = 0.01;
/** Fewer sends have no p99. */
const LEAST_SENDS = 100;

interface Sums {
  scheduleLag: HistogramData;
  cpuSeconds: number;
  waitedSeconds: number;
  windowSeconds: number;
}

const EMPTY_LAG: HistogramData = { ...EMPTY_HISTOGRAM, bits: COARSE_BITS };
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
      scheduleLag: EMPTY_LAG,
      cpuSeconds: 0,
      waitedSeconds: 0,
      windowSeconds: 0,
    };
    this.#agents.set(name, sums);
    sums.cpuSeconds += health.cpuSeconds;
    sums.waitedSeconds += health.waitedSeconds;
    sums.scheduleLag = mergeHistograms([sums.scheduleLag, frame.generator.scheduleLag]);
    sums.windowSeconds += frame.endedAtSeconds - frame.startedAtSeconds;
  }

  /** What to say of the step that ends, and begins anew. */
  take(): readonly Notice[] {
    const agents = [...this.#agents];
    this.#agents = new Map();
    return [...agents.flatMap(([name, sums]) => saturated(name, sums)), ...late(agents)];
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

/** One agent late where the others are not, whatever kept it: its share of the load is not what was asked for. */
function late(agents: readonly (readonly [name: string, sums: Sums])[]): readonly Notice[] {
  const lags = agents.flatMap(([name, { scheduleLag }]) => {
    const p99Seconds = scheduleLag.totalCount < LEAST_SENDS ? undefined : percentileOf(scheduleLag, 99);
    return p99Seconds === undefined ? [] : [{ name, p99Seconds }];
  });
  return lags.flatMap(({ name, p99Seconds }): readonly Notice[] => {
    const others = lags.filter((other) => other.name !== name).map((other) => other.p99Seconds);
    const usual = others.toSorted((a, b) => a - b)[Math.floor(others.length / 2)];
    if (usual === undefined || p99Seconds < Math.max(LATE_SECONDS, LATE_FACTOR * usual)) return [];
    const milliseconds = (seconds: number): string => `${(1e3 * seconds).toPrecision(3)} ms`;
    return [
      {
        code: 'agent-late',
        severity: 'red-flag',
        message: `of the requests of the load agent ${name} one in a hundred was sent ${milliseconds(p99Seconds)} or more after its time, of the other agents' ${milliseconds(usual)}`,
        advice: 'look at that machine: what else runs there, its CPU quota, whether it pauses',
      },
    ];
  });
}
