import { createRandom } from '../src/stats/random.ts';

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

export interface PairedRatio {
  readonly ratio: number;
  /** 95 % interval of the median. */
  readonly interval: readonly [low: number, high: number];
}

const RESAMPLES = 4000;

/**
 * Median of ours/theirs over rounds in which both ran one after the other, with its bootstrap interval: what
 * disturbs the machine for longer than a round disturbs both sides of a pair.
 */
export function pairedRatio(ours: readonly number[], theirs: readonly number[]): PairedRatio {
  const ratios = ours.map((value, i) => value / theirs[i]!);
  const random = createRandom(1);
  const medians = Array.from({ length: RESAMPLES }, () =>
    median(ratios.map(() => ratios[Math.floor(random.next() * ratios.length)]!)),
  ).toSorted((a, b) => a - b);
  const at = (share: number): number => medians[Math.floor(share * (RESAMPLES - 1))]!;
  return { ratio: median(ratios), interval: [at(0.025), at(0.975)] };
}

export const ratioText = ({ ratio, interval: [low, high] }: PairedRatio): string =>
  `${ratio.toFixed(2)} × (95 % interval ${low.toFixed(2)}–${high.toFixed(2)})`;
