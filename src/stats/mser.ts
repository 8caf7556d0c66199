import { mean, sumOf } from './batch-means.ts';

/** Where a run is cut so that the mean of the rest is known best. */
export interface Truncation {
  /** Values to leave out at the front. */
  readonly dropCount: number;
  /** The best cut is the last one allowed: half of the run is not enough to get steady. */
  readonly atBound: boolean;
}

/**
 * MSER-5: batches of five; drop the d ≤ n/2 batches that minimise Σ(Yᵢ − Ȳ)²/(n − d)² over the rest (White 1997).
 * Undefined below four batches.
 */
export function mser5(values: readonly number[]): Truncation | undefined {
  const batches = Array.from({ length: Math.floor(values.length / 5) }, (_, b) =>
    mean(values.slice(5 * b, 5 * b + 5)),
  );
  if (batches.length < 4) return undefined;
  const bound = Math.floor(batches.length / 2);
  const score = (dropped: number): number => {
    const rest = batches.slice(dropped);
    const centre = mean(rest);
    return sumOf(rest.map((y) => (y - centre) ** 2)) / rest.length ** 2;
  };
  let best = 0;
  for (let dropped = 1; dropped <= bound; dropped += 1) if (score(dropped) < score(best)) best = dropped;
  return { dropCount: 5 * best, atBound: best === bound };
}
