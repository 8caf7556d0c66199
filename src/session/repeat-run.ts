/** One run of a set of repeats: which side it belongs to, and its place among the runs of that side. */
export interface Repeat<Side> {
  readonly side: Side;
  readonly number: number;
}

/**
 * The order of `count` runs a side: with two sides A B B A A B B A …, so that what drifts on the machine meets both
 * alike. One side: its runs one after the other.
 */
export function repeatOrder<Side>(sides: readonly Side[], count: number): Repeat<Side>[] {
  return Array.from({ length: count }, (_, i) => {
    const round = i % 2 === 0 ? sides : [...sides].reverse();
    return round.map((side) => ({ side, number: i + 1 }));
  }).flat();
}
