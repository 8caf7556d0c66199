import type { Evidence } from '../../../model/analysis.ts';
import type { HistogramData } from '../../../model/histogram.ts';
import type { Interference } from '../../../model/measurement.ts';
import { binsOf, percentileOf } from '../../../stats/histogram.ts';
import { percentText, secondsText } from '../../../stats/wording.ts';
import type { DiagnosisInput } from '../rule.ts';
import { stepEvidence } from '../threshold-rule.ts';
import type { Pair } from './pairs.ts';

/** A request is held up when it takes this share of the slow route's service longer than usual. */
const DELAY_SHARE = 0.1;
const MIN_SAMPLES = 10;
/** Share of held-up requests behind one in flight: about 0.9 on one lane, half of that on two. */
const BLOCKED_SHARE = 0.6;
const LEAST_BLOCKED_SHARE = 0.25;
/** How many times likelier a delay must be with the slow route in flight: pauses and bystanders stay near 1. */
const LIKELIER_BY = 3;
/** The excess is a residual of the slow route's service: up to S and the wait of a second one. */
const LARGEST_EXCESS = 2;

/** What the split response times of the low steps say about a pair. */
export interface InterferenceReading {
  /** `open`: no step has enough requests on both sides. */
  readonly verdict: 'blocked' | 'free' | 'open';
  readonly blocked: readonly Evidence[];
  readonly free: readonly Evidence[];
}

/**
 * Reads `StepMeasurement.interference` step by step, never summed over steps: a mixture of loads would look like
 * an effect. A step is `blocked` when most requests of the fast route sent behind one of the slow route were held
 * up by more than 0.1·S, at least three times as often as the others, 95 % Wilson intervals apart, and their
 * median excess is no more than 2·S. The majority of the steps decides.
 */
export function readInterference(pair: Pair, input: DiagnosisInput): InterferenceReading {
  const blocked: Evidence[] = [];
  const free: Evidence[] = [];
  for (const row of pair.steps) {
    const measurement = input.measurements.find(({ step }) => step.index === row.index);
    const split = measurement?.interference.find(
      ({ route, otherRoute }) => route === pair.fast && otherRoute === pair.slow,
    );
    if (split === undefined || !hasEnough(split)) continue;
    const share = {
      with: delayedShare(split.withOther, pair),
      without: delayedShare(split.withoutOther, pair),
    };
    const text = `${pair.fast}: median ${secondsText(percentileOf(split.withOther, 50)!)} when sent behind a ${pair.slow} in flight (${split.withOther.totalCount} requests, ${percentText(share.with)} held up), ${secondsText(percentileOf(split.withoutOther, 50)!)} otherwise (${split.withoutOther.totalCount}, ${percentText(share.without)})`;
    const evidence = stepEvidence(row, 'delayedShareRatio', share.with, 'ratio', text);
    (isBlocked(split, pair, row.serverCount['cpu'] ?? 1) ? blocked : free).push(evidence);
  }
  const decided = blocked.length > free.length ? 'blocked' : 'free';
  return { verdict: blocked.length + free.length === 0 ? 'open' : decided, blocked, free };
}

const hasEnough = ({ withOther, withoutOther }: Interference): boolean =>
  withOther.totalCount >= MIN_SAMPLES && withoutOther.totalCount >= MIN_SAMPLES;

function isBlocked({ withOther, withoutOther }: Interference, pair: Pair, laneCount: number): boolean {
  const withShare = delayedShare(withOther, pair);
  const withoutShare = delayedShare(withoutOther, pair);
  const excess = percentileOf(withOther, 50)! - pair.fastSeconds;
  return (
    withShare >= Math.max(LEAST_BLOCKED_SHARE, BLOCKED_SHARE / laneCount) &&
    withShare >= LIKELIER_BY * withoutShare &&
    wilson(withShare, withOther.totalCount)[0] > wilson(withoutShare, withoutOther.totalCount)[1] &&
    excess <= LARGEST_EXCESS * pair.serviceSeconds
  );
}

function delayedShare(histogram: HistogramData, pair: Pair): number {
  const threshold = pair.fastSeconds + DELAY_SHARE * pair.serviceSeconds;
  let delayed = 0;
  for (const { lowSeconds, count } of binsOf(histogram)) if (lowSeconds > threshold) delayed += count;
  return delayed / histogram.totalCount;
}

/** Wilson's 95 % interval of a proportion (JASA 22, 1927): sound at few samples and near 0 or 1. */
function wilson(share: number, count: number): readonly [low: number, high: number] {
  const z2 = 1.96 ** 2;
  const centre = (share + z2 / (2 * count)) / (1 + z2 / count);
  const half =
    Math.sqrt((share * (1 - share)) / count + z2 / (4 * count * count)) * (1.96 / (1 + z2 / count));
  return [centre - half, centre + half];
}
