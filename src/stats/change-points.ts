import { mean, sumOf } from './batch-means.ts';

export interface ChangePointOptions {
  /** What a change has to save in squared error, in units of the noise variance: 2·ln n is BIC. */
  readonly penalty: number;
  /** Values a segment has at least. */
  readonly minimumLength?: number;
}

/**
 * Changes of the mean under noise of variance 1, as the number of values before each: the partition that
 * minimises Σ squared error + penalty·changes, exact by PELT (Killick, Fearnhead & Eckley 2012). The penalty has
 * meaning only for values in units of their noise: see `inNoiseUnits`.
 */
export function changePoints(values: readonly number[], options: ChangePointOptions): number[] {
  const { penalty, minimumLength = 1 } = options;
  const n = values.length;
  const cost = segmentCost(values);
  // A change can save no more than there is.
  if (n === 0 || cost(0, n) <= penalty) return [];
  const best = [-penalty];
  const lastChange = [0];
  let candidates = [0];
  for (let end = 1; end <= n; end += 1) {
    const through = candidates.map((from) => best[from]! + cost(from, end));
    let [reached, last] = [Infinity, 0];
    candidates.forEach((from, i) => {
      if (end - from < minimumLength || through[i]! + penalty >= reached) return;
      [reached, last] = [through[i]! + penalty, from];
    });
    best.push(reached);
    lastChange.push(last);
    candidates = candidates.filter((from, i) => end - from < minimumLength || through[i]! <= reached);
    candidates.push(end);
  }
  const changes: number[] = [];
  for (let at = lastChange[n]!; at > 0; at = lastChange[at]!) changes.unshift(at);
  return changes;
}

/** Σ(x − mean)² over [from, to), from prefix sums about the first value. */
function segmentCost(values: readonly number[]): (from: number, to: number) => number {
  const sums = [0];
  const squares = [0];
  const origin = values[0] ?? 0;
  values.forEach((value, i) => {
    const x = value - origin;
    sums.push(sums[i]! + x);
    squares.push(squares[i]! + x * x);
  });
  return (from, to) => squares[to]! - squares[from]! - (sums[to]! - sums[from]!) ** 2 / (to - from);
}

/** Values divided by the noise between neighbours, sd(Δx)/√2, which a change of level hardly touches. */
export function inNoiseUnits(values: readonly number[]): number[] {
  const differences = values.slice(1).map((x, i) => x - values[i]!);
  const centre = sumOf(differences) / differences.length;
  const spread = sumOf(differences.map((d) => (d - centre) ** 2)) / (differences.length - 1);
  const noise = Math.sqrt(spread / 2);
  return noise > 0 ? values.map((x) => x / noise) : [...values];
}

/**
 * The noise that changes of the mean have to stand out from in a correlated series, σ·√((1 + φ)/(1 − φ)): √n times
 * the error of a mean of n values. σ and φ are those of the residuals about the best two levels, so that one change
 * does not count as noise; φ is r₁ with the bias of a short series taken off (Marriott & Pope 1954), in [0, 0.95].
 */
export function longRunNoise(values: readonly number[]): number {
  const n = values.length;
  const cost = segmentCost(values);
  let split = 0;
  let least = cost(0, n);
  for (let at = 2; at <= n - 2; at += 1) {
    const both = cost(0, at) + cost(at, n);
    if (both < least) [split, least] = [at, both];
  }
  const residuals = [values.slice(0, split), values.slice(split)].flatMap((part) => {
    const level = mean(part);
    return part.map((x) => x - level);
  });
  const products = sumOf(residuals.slice(1).map((r, i) => r * residuals[i]!));
  const plain = least > 0 ? products / least : 0;
  const phi = Math.min(0.95, Math.max(0, (n * plain + 2) / (n - 5)));
  return Math.sqrt((least / (n - 2)) * ((1 + phi) / (1 - phi)));
}
