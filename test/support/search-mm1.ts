import { searchStateOf, stepSourceOf } from '../../src/adaptive-load.ts';
import { startPlan } from '../../src/drive/run-plan.ts';
import { VirtualClock } from '../../src/host/virtual-clock.ts';
import { type SearchRules, searchResult } from '../../src/load/growth/search-load.ts';
import type { LoadPlan } from '../../src/model/load.ts';
import type { StepMeasurement } from '../../src/model/measurement.ts';
import type { SearchResult } from '../../src/model/shape-result.ts';
import { SimulatedProtocol } from '../../src/protocols/simulated.ts';
import { parseTarget } from '../../src/verdict/parse-target.ts';
import { openStep, request } from './simulate.ts';

export const MU = 500;
export const LIMIT_SECONDS = 0.03;
/** The response time of M/M/1 is exponential of rate μ − λ, so its 95th percentile is ln 20/(μ − λ). */
export const borderPerSecond = (limitSeconds: number): number => MU - Math.log(20) / limitSeconds;
export const BORDER_PER_SECOND = borderPerSecond(LIMIT_SECONDS);

/** A search for the highest rate with p95 ≤ 30 ms on a simulated M/M/1 of 500/s, from 200/s on, 12 s a step. */
export function searchOnMm1(
  seed: number,
  { limitSeconds = LIMIT_SECONDS, measureSeconds = 12 } = {},
): {
  readonly result: SearchResult;
  readonly measurements: readonly StepMeasurement[];
} {
  const growth: SearchRules = {
    kind: 'search',
    precisionRatio: 0.03,
    confidenceRatio: 0.95,
    longestRepeat: 3,
    highestLoad: 1e6,
    mostSteps: 40,
  };
  const plan: LoadPlan = {
    seed,
    shape: 'search',
    requests: [request('/a', 1)],
    requestTimeoutSeconds: 30,
    steps: [openStep(0, 200, 'poisson', [1, measureSeconds])],
    growth,
  };
  const context = { plan, targets: [parseTarget(`p95 <= ${limitSeconds * 1e3} ms`)], marginRatio: 0 };
  const clock = new VirtualClock();
  const service = { kind: 'exponential', meanSeconds: 1 / MU } as const;
  const protocol = new SimulatedProtocol(
    clock,
    { stations: [{ name: 'cpu', serverCount: 1 }], visits: { 'GET /a': [{ station: 'cpu', service }] } },
    plan.requests,
    seed + 1,
  );
  const generator = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };
  const measurements: StepMeasurement[] = [];
  startPlan(plan, { clock, protocol, counters: [], generator, nextStep: stepSourceOf(context)! }, (event) => {
    if (event.kind === 'step-finished') measurements.push(event.measurement);
  });
  clock.run();
  return { result: searchResult(searchStateOf(context, measurements), growth), measurements };
}

/** Whether the range that a search states holds the border of its limit. */
export function isInRange(
  { borderLow = 0, borderHigh = Infinity }: SearchResult,
  limitSeconds: number,
): boolean {
  const border = borderPerSecond(limitSeconds);
  return border >= borderLow && border <= borderHigh;
}
