import type { Slice, StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { gewekeZ } from '../stats/autocorrelation.ts';
import { mean, sumOf } from '../stats/batch-means.ts';
import { changePoints, longRunNoise } from '../stats/change-points.ts';
import { mser5 } from '../stats/mser.ts';
import { figure, percentText } from '../stats/wording.ts';

/** What a window shows of one quantity: steady, steady from some time on, or not at all. */
export type SteadyState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'steady' }
  | { readonly kind: 'settles'; readonly afterSeconds: number; readonly changeRatio: number }
  | { readonly kind: 'none'; readonly changeRatio: number };

/** A block that is long enough to have a mean: time from the start of the window, and its weight. */
interface Block {
  readonly atSeconds: number;
  readonly value: number;
}

const MOST_BLOCKS = 30;
const FEWEST_BLOCKS = 20;
/** Completions a block needs for its mean to be near normal. */
const COMPLETIONS_PER_BLOCK = 30;
const SEGMENT_BLOCKS = 3;
/** Beyond BIC's 2·ln n: the noise scale is itself an estimate from some thirty blocks. */
const PENALTY_FACTOR = 8;
/** Changes of level below this are no concern of a load test. */
const LEAST_CHANGE = 0.05;
/** Above the usual 2: two quantities of every step are looked at. */
const GEWEKE_LIMIT = 4;

/**
 * Whether a series of blocks is steady. Changes of level are searched for (PELT) in units of the noise of long
 * means, so that correlation is not taken for change; changes under 5 % do not count. A last change in the first half: steady after it. Later, or a drift
 * (MSER-5 would drop half of the window, and Geweke's |z| > 4): no steady state.
 */
export function steadyStateOf(blocks: readonly Block[]): SteadyState {
  if (blocks.length < FEWEST_BLOCKS) return { kind: 'unknown' };
  const values = blocks.map(({ value }) => value);
  const penalty = PENALTY_FACTOR * Math.log(values.length);
  const noise = longRunNoise(values);
  const scaled = noise > 0 ? values.map((value) => value / noise) : values;
  const last = changePoints(scaled, { penalty, minimumLength: SEGMENT_BLOCKS }).at(-1) ?? 0;
  const level = mean(values.slice(last));
  const changeRatio = last === 0 ? 0 : mean(values.slice(0, last)) / level - 1;
  if (Math.abs(changeRatio) >= LEAST_CHANGE) {
    return last <= values.length / 2
      ? { kind: 'settles', afterSeconds: blocks[last]!.atSeconds, changeRatio }
      : { kind: 'none', changeRatio };
  }
  const quarter = Math.floor(values.length / 4);
  const drift = mean(values.slice(0, quarter)) / mean(values.slice(-quarter)) - 1;
  const drifts = (): boolean => mser5(values)?.atBound === true && Math.abs(gewekeZ(values)) > GEWEKE_LIMIT;
  return Math.abs(drift) >= LEAST_CHANGE && drifts()
    ? { kind: 'none', changeRatio: drift }
    : { kind: 'steady' };
}

/**
 * Notices about a step whose window is not steady, in throughput or in mean response time. The warm-up that was
 * given is the least; what the window shows beyond it is said with its figures. Silent where the window has too
 * few completions to tell.
 */
export function steadyStateNotices({ slices, step }: StepMeasurement): Notice[] {
  const read = [
    ['throughput', steadyStateOf(throughputBlocks(slices))],
    ['response time', steadyStateOf(responseBlocks(slices))],
  ] as const;
  return read.flatMap(([quantity, state]): Notice[] => {
    if (state.kind === 'unknown' || state.kind === 'steady') return [];
    const by = `${percentText(Math.abs(state.changeRatio))} ${state.changeRatio > 0 ? 'higher' : 'lower'}`;
    if (state.kind === 'none') {
      const message = `no steady state: the ${quantity} was still changing in the second half of the window (before that ${by} than at its end)`;
      return [
        {
          code: 'no-steady-state',
          severity: 'warning',
          message,
          advice: 'run longer steps, or look for what drifts',
        },
      ];
    }
    const seconds = figure(state.afterSeconds);
    const message = `the ${quantity} settled only ${seconds} s into the window (before that ${by})`;
    const advice = `give a warm-up of at least ${figure(step.warmupSeconds + state.afterSeconds)} s`;
    return [{ code: 'warm-up-too-short', severity: 'warning', message, advice }];
  });
}

/** Consecutive slices joined into at most thirty blocks of enough completions. */
function blocksOf(slices: readonly Slice[], valueOf: (block: readonly Slice[]) => number): Block[] {
  const completions = sumOf(slices.map(({ okCount }) => okCount));
  const count = Math.min(MOST_BLOCKS, slices.length, Math.floor(completions / COMPLETIONS_PER_BLOCK));
  if (count < FEWEST_BLOCKS) return [];
  const start = slices[0]!.atSeconds;
  return Array.from({ length: count }, (_, b) => {
    const from = Math.floor((b * slices.length) / count);
    const block = slices.slice(from, Math.floor(((b + 1) * slices.length) / count));
    return { atSeconds: block[0]!.atSeconds - start, value: valueOf(block) };
  });
}

const throughputBlocks = (slices: readonly Slice[]): Block[] =>
  blocksOf(
    slices,
    (block) => sumOf(block.map((s) => s.okCount)) / sumOf(block.map((s) => s.durationSeconds)),
  );

/** Mean response time, by the completions of each slice; silent where a block has none. */
function responseBlocks(slices: readonly Slice[]): Block[] {
  const blocks = blocksOf(slices, (block) => {
    const timed = block.filter(({ meanResponseTimeSeconds }) => meanResponseTimeSeconds !== undefined);
    const ended = (s: Slice): number => s.okCount + s.timeoutCount;
    const total = sumOf(timed.map((s) => ended(s) * s.meanResponseTimeSeconds!));
    return total / sumOf(timed.map(ended));
  });
  return blocks.every(({ value }) => Number.isFinite(value)) ? blocks : [];
}
