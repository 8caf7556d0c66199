import { createRandom } from './random.ts';

/** One quantity over the runs of both sides; undefined where a run does not have it. */
export interface TwoSided {
  readonly before: readonly (number | undefined)[];
  readonly after: readonly (number | undefined)[];
}

/** Above this many ways to deal the runs to the sides, as many are drawn. */
const MOST_DEALS = 5000;
const SEED = 1;

/**
 * p-values of differences in many quantities of the same runs, adjusted so that the chance of any false one among
 * them is at most the level: Holm's step-down on the permutation distribution of the largest |t|. The runs are
 * dealt to the sides anew, all quantities of a run together, so that their dependence counts; with five runs a
 * side a clear change reaches 2/252 however many quantities are tested, where Holm's bound k·p on rank tests would
 * let none of seven change. Exact up to 5,000 deals, beyond it that many are drawn with a fixed seed. Source:
 * Westfall & Young, Resampling-Based Multiple Testing (1993), algorithm 2.8; Holm (1979).
 */
export function jointPermutationTest(quantities: readonly TwoSided[]): number[] {
  const size = quantities[0]?.before.length ?? 0;
  const centred = quantities.map(({ before, after }) => centre([...before, ...after]));
  const deals = dealsOf(centred[0]?.values.length ?? 0, size);
  const observed = centred.map((one) => studentised(one, deals[0]!));
  const order = observed.map((_, i) => i).sort((a, b) => observed[b]! - observed[a]!);
  const reached = Array.from<number>({ length: order.length }).fill(0);
  for (const deal of deals) {
    let largest = 0;
    for (let rank = order.length - 1; rank >= 0; rank -= 1) {
      const i = order[rank]!;
      largest = Math.max(largest, studentised(centred[i]!, deal));
      if (largest >= observed[i]! * (1 - 1e-9)) reached[rank]! += 1;
    }
  }
  const pValues = Array.from<number>({ length: order.length });
  let highest = 0;
  for (const [rank, i] of order.entries()) {
    highest = Math.max(highest, reached[rank]! / deals.length);
    pValues[i] = highest;
  }
  return pValues;
}

/** Values about their mean, NaN where a run has none, and their sum of squares. */
interface Centred {
  readonly values: Float64Array;
  readonly count: number;
  readonly sumOfSquares: number;
}

function centre(given: readonly (number | undefined)[]): Centred {
  const known = given.filter((value) => value !== undefined);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  // The mean of equal values may miss them by a rounding error, which is no scatter.
  const isConstant = Math.max(...known) === Math.min(...known);
  return {
    values: Float64Array.from(given, (value) => (value === undefined ? NaN : value - mean)),
    count: known.length,
    sumOfSquares: isConstant ? 0 : known.reduce((sum, value) => sum + (value - mean) ** 2, 0),
  };
}

/** |t| with the pooled variance of the runs in `deal` against the others; 0 where a side or all scatter is missing. */
function studentised({ values, count, sumOfSquares }: Centred, deal: readonly number[]): number {
  let sum = 0;
  let n = 0;
  for (const run of deal) {
    const value = values[run]!;
    if (Number.isNaN(value)) continue;
    sum += value;
    n += 1;
  }
  if (n === 0 || n === count || sumOfSquares === 0) return 0;
  const between = (sum * sum * count) / (n * (count - n));
  const within = Math.max(sumOfSquares - between, 1e-12 * sumOfSquares);
  return Math.sqrt((between / within) * (count - 2));
}

const firstRuns = (size: number): number[] => Array.from({ length: size }, (_, i) => i);

/** Every choice of `size` out of `count`, or as many random ones; the first is the runs as they are. */
function dealsOf(count: number, size: number): readonly (readonly number[])[] {
  if (choices(count, size) <= MOST_DEALS) return combinations(count, size);
  const random = createRandom(SEED);
  const runs = firstRuns(count);
  const drawn = Array.from({ length: MOST_DEALS - 1 }, () => {
    for (let i = 0; i < size; i += 1) {
      const j = i + Math.floor(random.next() * (count - i));
      [runs[i], runs[j]] = [runs[j]!, runs[i]!];
    }
    return runs.slice(0, size);
  });
  return [firstRuns(size), ...drawn];
}

const choices = (count: number, size: number): number =>
  firstRuns(size).reduce((product, i) => (product * (count - i)) / (i + 1), 1);

function combinations(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  return firstRuns(count - size - from + 1).flatMap((offset) =>
    combinations(count, size - 1, from + offset + 1).map((rest) => [from + offset, ...rest]),
  );
}
