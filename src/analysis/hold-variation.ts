import type { Distribution } from '../model/distribution.ts';
import type { HistogramData } from '../model/histogram.ts';
import { meanOf, percentileRank, valuesAtRanks } from '../stats/histogram.ts';

/** Quantiles of order 0, 1 %, …, 100 %. */
const ORDERS = Array.from({ length: 101 }, (_, percent) => percent);

/**
 * The quantiles of order i / 100 of a histogram of at least 100 values, in seconds; undefined for fewer. The last is not
 * the maximum, which would stand for one request in a hundred: it is as long as the mean of all leaves for it.
 */
export function quantilesOf(histogram: HistogramData): readonly number[] | undefined {
  const { totalCount } = histogram;
  if (totalCount < ORDERS.length - 1) return undefined;
  const ranks = ORDERS.map((percent) => percentileRank(percent, totalCount));
  const values = valuesAtRanks(histogram, ranks).map((value) => value ?? 0);
  const [highest, max] = [values.at(-2)!, values.at(-1)!];
  const below = values.slice(1, -1).reduce((sum, to, i) => sum + (values[i]! + to) / 2, 0);
  const last = 2 * ((ORDERS.length - 1) * meanOf(histogram)! - below) - highest;
  return [...values.slice(0, -1), Math.min(max, Math.max(highest, last))];
}

/** How a time varies from request to request. */
export interface Variation {
  /** The shape: quantiles of order i / (length − 1), to be scaled to the mean. Missing: as `squaredVariation` says. */
  readonly quantileSeconds?: readonly number[];
  /** Variance over the squared mean. */
  readonly squaredVariation: number;
}

export const CONSTANT: Variation = { squaredVariation: 0 };

/**
 * The variation of what is left of response times that did not queue, once the part that does not vary is taken off; 0
 * where a response was faster than it. Between quantiles times are uniform: over a piece from a to b the mean square
 * is (a² + ab + b²)/3. Constant where nothing is left.
 */
export function variationBeyond(quantiles: readonly number[] | undefined, fixedSeconds: number): Variation {
  if (quantiles === undefined) return CONSTANT;
  const rest = quantiles.map((seconds) => Math.max(0, seconds - fixedSeconds));
  const pieces = rest.slice(1).map((to, i) => [rest[i]!, to] as const);
  const over = (of: (from: number, to: number) => number): number =>
    pieces.reduce((sum, [from, to]) => sum + of(from, to), 0) / pieces.length;
  const mean = over((from, to) => (from + to) / 2);
  if (!(mean > 0)) return CONSTANT;
  const meanSquare = over((from, to) => (from ** 2 + from * to + to ** 2) / 3);
  return { quantileSeconds: rest, squaredVariation: meanSquare / mean ** 2 - 1 };
}

/** A time of this mean that varies so: as its quantiles, else exponential or constant. */
export function varyingTime(
  meanSeconds: number,
  { quantileSeconds, squaredVariation }: Variation,
): Distribution {
  if (quantileSeconds !== undefined) return { kind: 'empirical', meanSeconds, quantileSeconds };
  return { kind: squaredVariation === 0 ? 'constant' : 'exponential', meanSeconds };
}
