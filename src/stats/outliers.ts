import { median } from './order-statistics.ts';

/** Median deviations that ten standard deviations of a normal distribution are. */
const LIMIT = 14.826;

/**
 * Places of the values more than 14.826 median absolute deviations from the median (Iglewicz & Hoaglin 1993 with the
 * limit of hyperfine): to be told, never to be dropped. Where more than half of the values are equal, any other value.
 */
export function outliersIn(values: readonly number[]): number[] {
  const centre = median(values);
  if (centre === undefined) return [];
  const spread = median(values.map((value) => Math.abs(value - centre)))!;
  const limit = spread > 0 ? LIMIT * spread : Number.EPSILON * Math.abs(centre);
  return values.flatMap((value, i) => (Math.abs(value - centre) > limit ? [i] : []));
}
