import type { Evidence, StepRow } from '../../../model/analysis.ts';
import type { Interference } from '../../../model/measurement.ts';
import { percentileOf } from '../../../stats/histogram.ts';
import { stratifiedProportionZ } from '../../../stats/proportion-test.ts';
import { percentText, secondsText } from '../../../stats/wording.ts';
import type { DiagnosisInput } from '../rule.ts';
import { measurementOf } from '../step-counters.ts';
import { stepEvidence } from '../threshold-rule.ts';
import { heldUpSplit, shareWithoutRivals } from './held-up.ts';
import type { HeldUpSplit } from './held-up.ts';
import type { Pair } from './pairs.ts';

/** Requests on each side for a step to have a say, for all steps to mean something, and to be sure of it. */
const STEP_SAMPLES = 10;
const FEWEST_SAMPLES = 20;
const SOLID_SAMPLES = 50;
/** Share of held-up requests behind one in flight: about 0.9 on one lane, half of that on two. */
const BLOCKED_SHARE = 0.6;
/** Beside another route that blocks, a bystander's requests meet held-up ones too: up to 0.65 of them. */
const BLOCKED_SHARE_AMONG_RIVALS = 0.8;
const LEAST_BLOCKED_SHARE = 0.25;
/** How many times likelier a delay must be with the slow route in flight: pauses and bystanders stay near 1. */
const LIKELIER_BY = 3;
/** z of 1 %, one-sided. */
const SIGNIFICANT_Z = 2.326;
/** The excess is a residual of the slow route's service: S/2 on average, up to S and the wait of a second one. */
const LEAST_EXCESS = 0.25;
const LARGEST_EXCESS = 2;

/** What the split response times of the light steps say about a pair. */
export interface InterferenceReading {
  /** `open`: nothing was measured; `few`: not enough requests on both sides. */
  readonly verdict: 'blocked' | 'free' | 'few' | 'open';
  /** Whether there are enough requests on both sides to be sure. */
  readonly solid: boolean;
  /** `free`, though requests behind the slow route are held up beyond chance: another cause may mask it. */
  readonly leansToBlocked: boolean;
  /** The longest service of the slow route and of those that hold up beside it. */
  readonly longestServiceSeconds: number;
  readonly blocked: readonly Evidence[];
  readonly free: readonly Evidence[];
}

interface StepSplit {
  readonly row: StepRow;
  readonly interference: Interference;
  readonly split: HeldUpSplit;
  /** Other slow routes behind which requests are held up at this step. */
  readonly rivals: readonly { readonly pair: Pair; readonly split: HeldUpSplit }[];
}

/**
 * Reads `StepMeasurement.interference` step by step, never summed over steps: a mixture of loads would look like
 * an effect. A step is `blocked` when most requests of the fast route sent behind one of the slow route were held
 * up by more than 0.1·S, at least three times as often as the others (less those that met a rival, another slow
 * route that holds up), by about a residual of S (median of the held-up 0.25·S or more, of all 2·S or less). The
 * majority of the steps decides; `blocked` needs 20 requests on each side over all steps, and the shares to
 * differ at 1 % by a test stratified by step. 50 on each side are solid.
 */
export function readInterference(
  pair: Pair,
  pairs: readonly Pair[],
  input: DiagnosisInput,
): InterferenceReading {
  const splits = pair.steps.flatMap((row) => splitAt(row, pair, pairs, input));
  const voting = splits.filter(({ split }) => enough(split, STEP_SAMPLES));
  const blocked = voting.filter((one) => isBlocked(one, pair)).map((one) => evidenceOf(one, pair));
  const free = voting.filter((one) => !isBlocked(one, pair)).map((one) => evidenceOf(one, pair));
  const samples = Math.min(
    splits.reduce((sum, { split }) => sum + split.first.count, 0),
    splits.reduce((sum, { split }) => sum + split.second.count, 0),
  );
  const longestServiceSeconds = Math.max(
    pair.serviceSeconds,
    ...splits.map((one) => longestService(one, pair)),
  );
  const solid = samples >= SOLID_SAMPLES;
  const reading = { solid, leansToBlocked: false, longestServiceSeconds, blocked, free };
  if (splits.length === 0) return { ...reading, verdict: 'open' };
  if (samples < FEWEST_SAMPLES || voting.length === 0) {
    return { ...reading, verdict: 'few', blocked: [], free: [] };
  }
  const significant = stratifiedProportionZ(splits.map(({ split }) => split)) >= SIGNIFICANT_Z;
  if (significant && blocked.length > free.length) return { ...reading, verdict: 'blocked' };
  const leaning = voting.filter(({ row, split }) => meetsShare(split, row, BLOCKED_SHARE_AMONG_RIVALS));
  const leansToBlocked = significant && leaning.length > voting.length / 2;
  return { ...reading, verdict: 'free', leansToBlocked };
}

function splitAt(row: StepRow, pair: Pair, pairs: readonly Pair[], input: DiagnosisInput): StepSplit[] {
  const all = measurementOf(row, input)?.interference ?? [];
  const of = ({ fast, slow }: Pair): Interference | undefined =>
    all.find(({ route, otherRoute }) => route === fast && otherRoute === slow);
  const interference = of(pair);
  if (interference === undefined) return [];
  const rivals = pairs
    .filter(({ fast, slow }) => fast === pair.fast && slow !== pair.slow)
    .flatMap((rival) => {
      const met = of(rival);
      return met === undefined ? [] : [{ pair: rival, split: heldUpSplit(met, rival) }];
    })
    .filter(
      ({ split }) => split.first.count >= STEP_SAMPLES && meetsShare(split, row, BLOCKED_SHARE_AMONG_RIVALS),
    );
  return [{ row, interference, split: heldUpSplit(interference, pair), rivals }];
}

const enough = ({ first, second }: HeldUpSplit, count: number): boolean =>
  first.count >= count && second.count >= count;

const meetsShare = ({ first }: HeldUpSplit, row: StepRow, oneLaneShare: number): boolean =>
  first.shareRatio >= Math.max(LEAST_BLOCKED_SHARE, oneLaneShare / (row.serverCount['cpu'] ?? 1));

const longestService = ({ rivals }: StepSplit, pair: Pair): number =>
  Math.max(pair.serviceSeconds, ...rivals.map((rival) => rival.pair.serviceSeconds));

function isBlocked(step: StepSplit, pair: Pair): boolean {
  const { row, interference, split, rivals } = step;
  const service = pair.serviceSeconds;
  const excess = percentileOf(interference.withOther, 50)! - pair.fastSeconds;
  return (
    meetsShare(split, row, rivals.length > 0 ? BLOCKED_SHARE_AMONG_RIVALS : BLOCKED_SHARE) &&
    split.first.shareRatio >= LIKELIER_BY * cleanShare(split, rivals) &&
    split.first.medianExcessSeconds >= LEAST_EXCESS * service &&
    excess <= LARGEST_EXCESS * longestService(step, pair)
  );
}

const cleanShare = (split: HeldUpSplit, rivals: StepSplit['rivals']): number =>
  shareWithoutRivals(
    split,
    rivals.map((rival) => rival.split),
  );

function evidenceOf({ row, interference, split, rivals }: StepSplit, pair: Pair): Evidence {
  const { first, second } = split;
  const names = rivals.map((rival) => rival.pair.slow).join(', ');
  const clean =
    rivals.length === 0 ? '' : `, about ${percentText(cleanShare(split, rivals))} but for ${names}`;
  const text = `${pair.fast}: median ${secondsText(percentileOf(interference.withOther, 50)!)} when sent behind a ${pair.slow} in flight (${first.count} requests, ${percentText(first.shareRatio)} held up), ${secondsText(percentileOf(interference.withoutOther, 50)!)} otherwise (${second.count}, ${percentText(second.shareRatio)}${clean})`;
  return stepEvidence(row, 'delayedShareRatio', first.shareRatio, 'ratio', text);
}
