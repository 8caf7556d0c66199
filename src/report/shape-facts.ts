import type { StepRow } from '../model/analysis.ts';
import type { ReportDocument } from '../model/documents.ts';
import type {
  LoadTrial,
  SearchResult,
  SpikeResult,
  StressResult,
  WriteCostResult,
  WriteMix,
} from '../model/shape-result.ts';
import { figure } from '../stats/wording.ts';
import { type Fact, known, when } from './facts.ts';
import * as q from './quantities.ts';
import { type LoadKind, loadKind, loadOf } from './step-columns.ts';

/** What the shape of the load set out to find, in words; nothing for a shape that only measures. */
export function shapeFacts({ shapeResult, steps }: ReportDocument): readonly Fact[] {
  const kind = loadKind(steps);
  switch (shapeResult?.kind) {
    case 'search':
      return searchFacts(shapeResult, kind);
    case 'stress':
      return stressFacts(shapeResult, kind);
    case 'spike':
      return spikeFacts(shapeResult);
    case 'write-cost':
      return writeCostFacts(shapeResult, steps, kind);
    default:
      return [];
  }
}

/** A load as it was set: rates are not whole. */
const exactLoad = (load: number, kind: LoadKind): string =>
  `${q.givenFigure(load)} ${load === 1 ? kind.singular : kind.noun}`;

/** A probability that nobody should read to four digits. */
const sure = (probability: number): string =>
  probability > 0.99 ? 'over 99 %' : `${Math.floor(100 * probability)} %`;

function searchFacts(result: SearchResult, kind: LoadKind): readonly Fact[] {
  return known([
    ['highest that passes', when(result.highestPassing, (load) => exactLoad(load, kind))],
    ['lowest that fails', when(result.lowestFailing, (load) => exactLoad(load, kind))],
    ['the border lies', rangeText(result, kind)],
    ['in words', result.reason],
    ['tried', result.trials.map(trialText).join(', ')],
  ]);
}

/** Undefined for older runs, whose confidence was that of their two ends alone. */
function rangeText(
  { borderLow: low, borderHigh: high, confidenceRatio }: SearchResult,
  kind: LoadKind,
): string | undefined {
  if (confidenceRatio === undefined || (low === undefined && high === undefined)) return undefined;
  const text = (load: number): string => `${figure(load)} ${kind.noun}`;
  if (high === undefined) return `above ${text(low!)} (${sure(confidenceRatio)})`;
  return low === undefined
    ? `below ${text(high)} (${sure(confidenceRatio)})`
    : `between ${figure(low)} and ${text(high)} (${sure(confidenceRatio)})`;
}

function trialText({ load, stepCount, passes, passProbability, blocked }: LoadTrial): string {
  const word =
    blocked === undefined
      ? `${passes ? 'passes' : 'fails'} (${sure(passes ? passProbability : 1 - passProbability)})`
      : 'no verdict';
  return `${q.givenFigure(load)} ${word}${stepCount > 1 ? ` in ${stepCount} steps` : ''}`;
}

function stressFacts(result: StressResult, kind: LoadKind): readonly Fact[] {
  return known([
    ['broken at', when(result.brokenAt, (load) => exactLoad(load, kind))],
    ['held up to', when(result.highestHeld, (load) => exactLoad(load, kind))],
    ['in words', result.reason],
  ]);
}

function spikeFacts(result: SpikeResult): readonly Fact[] {
  return known([
    ['recovery', result.reason],
    ['drained after', when(result.drainedAfterSeconds, q.duration)],
    ['expected drain', when(result.expectedDrainSeconds, q.duration)],
    ['capacity seen', when(result.capacityPerSecond, q.rate)],
    ['p95 before', when(result.baselineP95Seconds, q.duration)],
    ['worst p95', when(result.worstP95Seconds, q.duration)],
    ['lost', when(result.lostCount, (count) => q.counted(Math.round(count), 'request'))],
    ['cut off', when(result.waitingCount, (count) => `${q.counted(count, 'request')} in flight at the end`)],
  ]);
}

/** The sweeps side by side, a line for each load, then what they say of a write. */
function writeCostFacts(result: WriteCostResult, steps: readonly StepRow[], kind: LoadKind): readonly Fact[] {
  const loads = [...new Set(steps.map(loadOf))];
  const sideBySide = (load: number): string =>
    steps
      .filter((row) => loadOf(row) === load && row.writeRatio !== undefined)
      .map((row) => `${q.rate(row.throughputPerSecond)} with ${q.percent(row.writeRatio)} writes`)
      .join(', ');
  return known([
    ...loads.map((load) => [exactLoad(load, kind), sideBySide(load)] as const),
    ...result.mixes.map((mix) => [`D, ${q.percent(mix.writeRatio)} writes`, demandText(mix)] as const),
    ['write against read', result.reason],
  ]);
}

const demandText = ({ serviceDemandSeconds, measuredWriteRatio }: WriteMix): string | undefined =>
  serviceDemandSeconds === undefined
    ? undefined
    : `${q.duration(serviceDemandSeconds)} at ${q.percent(measuredWriteRatio)} of the answers`;
