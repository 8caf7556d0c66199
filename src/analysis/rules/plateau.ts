import type { Evidence, StepRow } from '../../model/analysis.ts';
import { countText, figure, loadText, percentText, secondsText } from '../../stats/wording.ts';
import { plateauPerSecond } from '../knee.ts';
import { GENERATOR_LIMIT_RATIO, generatorStrain } from './generator-limit.ts';
import { LEAST_LOSS } from './more-is-less.ts';
import type { DiagnosisInput } from './rule.ts';
import { cpuWaitRatio, loadValue, risingRows } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

/** A process that uses no more of its cores, and no thread more of one, has CPU left. */
const IDLE_RATIO = 0.7;
/** A step this far beyond the knee stands on the plateau. */
const BEYOND_KNEE_RATIO = 1.5;
/** How much longer a request must take on the plateau than alone to be waiting for a place. */
const GROWTH_RATIO = 1.5;
const HIGH_ERROR_RATIO = 0.01;
/** Mean and median of the lightest step this near to each other: R₀ is the service's, and not a few outliers'. */
const STEADY_RATIO = 0.1;

/** Throughput that levels off while the process has CPU to spare and requests take longer and longer. */
export interface Plateau {
  readonly perSecond: number;
  /** The steps on it, lightest first. */
  readonly steps: readonly StepRow[];
  readonly lightest: StepRow;
  /** Σ X·R₀ of the routes that wait: how many of their requests are served at once. */
  readonly servedAtOnce: number;
  readonly waitingRoutes: readonly string[];
  /** R₀ is the service's own, and more than one step stands on the plateau. */
  readonly isSure: boolean;
  readonly evidence: readonly Evidence[];
}

/**
 * The plateau that no CPU sets; undefined where none is seen, X still rises at the last step, the CPU is busy or unknown, requests fail, the
 * generator is at its limit, or throughput falls again. By Little's law the requests served at once are
 * X·R₀ summed over the routes whose response time grows, R₀ the lowest median of a route: waiting only adds to it.
 * `mayFall`: also where throughput falls again, as that of a disk does that others use.
 */
export function findPlateau(input: DiagnosisInput, mayFall = false): Plateau | undefined {
  const { users, degradation } = input.analysis.knee;
  const perSecond = plateauPerSecond(input.analysis.knee);
  const rows = risingRows(input).filter(
    (row) => (row.users ?? row.concurrency) !== undefined && row.responseTimeSeconds !== undefined,
  );
  const lightest = rows[0];
  const steps = rows.filter((row) => loadValue(row) >= BEYOND_KNEE_RATIO * (users ?? Infinity));
  const top = steps.at(-1);
  if (perSecond === undefined) return undefined;
  if (!mayFall && (degradation?.lossRatio ?? 0) >= LEAST_LOSS) return undefined;
  if (lightest === undefined || top === undefined) return undefined;
  if (!steps.every((row) => hasRoom(row, input)) || !growsWithLoad(lightest, top)) return undefined;
  return plateauOf(perSecond, rows, steps);
}

function hasRoom(row: StepRow, input: DiagnosisInput): boolean {
  const { cpu, busiestThread = 0 } = row.utilizationRatio;
  const strained = generatorStrain(row).some(
    ({ quantity, value }) => quantity === 'generator.utilizationRatio' && value >= GENERATOR_LIMIT_RATIO,
  );
  return (
    cpu !== undefined &&
    Math.max(cpu, busiestThread) < IDLE_RATIO &&
    // A thread that waits for a core is no idle one.
    busiestThread + cpuWaitRatio(row, input) < IDLE_RATIO &&
    row.errorRatio < HIGH_ERROR_RATIO &&
    !strained
  );
}

const growsWithLoad = (lightest: StepRow, top: StepRow): boolean =>
  top.responseTimeSeconds! > GROWTH_RATIO * lightest.responseTimeSeconds!;

function plateauOf(perSecond: number, rows: readonly StepRow[], steps: readonly StepRow[]): Plateau {
  const lightest = rows[0]!;
  const waiting = waitingRoutes(rows, steps.at(-1)!);
  const total = steps.reduce((sum, row) => sum + row.throughputPerSecond, 0);
  const places = waiting.map(({ route, aloneSeconds }) => {
    const share = steps.reduce((sum, row) => sum + (row.byRoute[route]!.throughputPerSecond ?? 0), 0) / total;
    return perSecond * share * aloneSeconds;
  });
  const overall = perSecond * lightest.responseTimeSeconds!;
  const servedAtOnce = places.length === 0 ? overall : places.reduce((sum, value) => sum + value, 0);
  return {
    perSecond,
    steps,
    lightest,
    servedAtOnce,
    waitingRoutes: waiting.map(({ route }) => route),
    isSure: isSteady(rows) && steps.length > 1,
    evidence: [
      ...steps.map(idleEvidence),
      placesEvidence(lightest, servedAtOnce, perSecond),
      responseEvidence(lightest, steps.at(-1)!),
    ],
  };
}

interface WaitingRoute {
  readonly route: string;
  readonly aloneSeconds: number;
}

/** The routes whose median has grown, with their lowest one. */
function waitingRoutes(rows: readonly StepRow[], top: StepRow): WaitingRoute[] {
  return Object.entries(top.byRoute).flatMap(([route, { p50Seconds, throughputPerSecond }]) => {
    const medians = rows.flatMap((row) => row.byRoute[route]?.p50Seconds ?? []);
    const aloneSeconds = Math.min(...medians);
    const waits = p50Seconds !== undefined && p50Seconds > GROWTH_RATIO * aloneSeconds;
    return waits && throughputPerSecond !== undefined && hasWeight(top, route, p50Seconds)
      ? [{ route, aloneSeconds }]
      : [];
  });
}

/** Whether a route's time matters in the mean: a fast bystander's small growth is the machine's. */
const hasWeight = (top: StepRow, route: string, p50Seconds: number): boolean =>
  Object.entries(top.byRoute).every(
    ([other, { p50Seconds: theirs = 0 }]) => other === route || p50Seconds > 0.1 * theirs,
  );

function isSteady(rows: readonly StepRow[]): boolean {
  const lightest = rows[0]!;
  const { p50Seconds = lightest.responseTimeSeconds! } = lightest.overall;
  if (Object.keys(lightest.byRoute).length < 2)
    return Math.abs(lightest.responseTimeSeconds! / p50Seconds - 1) <= STEADY_RATIO;
  // The mean of several routes lies far from their median: two light steps must agree instead.
  const [one, two] = rows.map((row) => row.responseTimeSeconds!);
  return two !== undefined && Math.abs(one! / two - 1) <= 2 * STEADY_RATIO;
}

const idleEvidence = (row: StepRow): Evidence => {
  const value = row.utilizationRatio['cpu']!;
  const text = `${figure(row.throughputPerSecond)}/s with the CPU at ${percentText(value)}`;
  return stepEvidence(row, 'utilizationRatio.cpu', value, 'ratio', text);
};

function placesEvidence(row: StepRow, servedAtOnce: number, perSecond: number): Evidence {
  const text = `X·R₀ = ${figure(perSecond)}/s × ${secondsText(servedAtOnce / perSecond)} = ${figure(servedAtOnce)} served at once, R₀ of the light steps, the lightest`;
  return stepEvidence(row, 'responseTimeSeconds', row.responseTimeSeconds!, 'seconds', text);
}

function responseEvidence(lightest: StepRow, top: StepRow): Evidence {
  const from = `${secondsText(lightest.responseTimeSeconds!)} at ${loadText(lightest)}`;
  const text = `a request takes ${secondsText(top.responseTimeSeconds!)}, after ${from},`;
  return stepEvidence(top, 'responseTimeSeconds', top.responseTimeSeconds!, 'seconds', text);
}

/** The highest use of the CPU on the plateau. */
export const plateauCpu = ({ steps }: Plateau): number =>
  Math.max(...steps.map((row) => row.utilizationRatio['cpu']!));

/** What all limits of this kind have in common. */
export const plateauClaim = (plateau: Plateau): string =>
  `throughput levels off at ${figure(plateau.perSecond)}/s while the CPU is at ${percentText(plateauCpu(plateau))}`;

/** `about 8 requests served at once`. */
export const servedText = ({ servedAtOnce }: Plateau): string =>
  `about ${countText(Math.max(1, Math.round(servedAtOnce)), 'request')} served at once`;
