import type { ParameterPopularity, ParameterValue } from '../model/workload.ts';

const TOP_COUNT = 20;
const MOST_EXPONENT = 10;

/** A share of values seen once beyond which a log is too short to tell how popular values are. */
const TOO_FEW_REPEATS = 0.8;

/** Gain per request below which a Zipf law says no more than equal shares do, in nats. */
const LEAST_GAIN = 0.01;

interface ZipfFit {
  readonly exponent: number;
  /** Log-likelihood of the fit less that of equal shares, per request, in nats. */
  readonly gainPerRequest: number;
}

/**
 * The exponent s of Zipf's law p(rank) ∝ rank^−s over the k values seen, by maximum likelihood: the s at
 * which Σ c·ln r / n equals the law's own mean of ln r (Clauset, Shalizi and Newman 2009, for a finite rank
 * list). `counts` in falling order. Exponents are sought in [0, 10]; one value gives 0.
 */
export function fitZipf(counts: ArrayLike<number>): ZipfFit {
  const k = counts.length;
  let n = 0;
  let weighted = 0;
  for (let index = 0; index < k; index += 1) {
    n += counts[index]!;
    weighted += counts[index]! * Math.log(index + 1);
  }
  const observed = weighted / n;
  if (k < 2 || momentsOf(k, 0).mean <= observed) return { exponent: 0, gainPerRequest: 0 };
  let low = 0;
  let high = MOST_EXPONENT;
  let exponent = 1;
  for (let round = 0; round < 100 && high - low > 1e-11; round += 1) {
    const { mean, variance } = momentsOf(k, exponent);
    if (mean > observed) low = exponent;
    else high = exponent;
    const step = exponent + (mean - observed) / variance;
    const next = step > low && step < high ? step : (low + high) / 2;
    if (Math.abs(next - exponent) < 1e-11) break;
    exponent = next;
  }
  const gainPerRequest = Math.log(k) - exponent * observed - Math.log(momentsOf(k, exponent).total);
  return { exponent, gainPerRequest };
}

/** Ranks summed one by one; beyond, the sum is an integral with its first two corrections. */
const SUMMED_RANKS = 1024;
const SIMPSON_INTERVALS = 128;

/**
 * Σ r^−s over ranks 1 to k, and mean and variance of ln r under p ∝ r^−s. The tail is summed by Euler and
 * Maclaurin: ∫f + (f(N) + f(k))/2 + (f′(k) − f′(N))/12, whose next term is below f(N)/N³; the integral over
 * u = ln r by Simpson's rule. With N = 1024 the error is below 1e-9 of the sum for s up to 10.
 */
function momentsOf(k: number, exponent: number): { total: number; mean: number; variance: number } {
  const sums: [number, number, number] = [0, 0, 0];
  const exact = Math.min(k, SUMMED_RANKS);
  for (let rank = 1; rank <= exact; rank += 1)
    addTerm(sums, Math.log(rank), Math.exp(-exponent * Math.log(rank)));
  if (k > exact) addTail(sums, exact, k, exponent);
  const [total, first, second] = sums;
  const mean = first / total;
  return { total, mean, variance: second / total - mean * mean };
}

function addTerm(sums: [number, number, number], log: number, weight: number): void {
  sums[0] += weight;
  sums[1] += weight * log;
  sums[2] += weight * log * log;
}

/** Ranks from + 1 to `to`: f = r^−s·(ln r)^m, so that r·f′ = r^−s·((ln r)^m·(−s) + m·(ln r)^(m−1)). */
function addTail(sums: [number, number, number], from: number, to: number, exponent: number): void {
  const [low, high] = [Math.log(from), Math.log(to)];
  const width = (high - low) / SIMPSON_INTERVALS;
  for (let index = 0; index <= SIMPSON_INTERVALS; index += 1) {
    const u = low + index * width;
    const isEnd = index === 0 || index === SIMPSON_INTERVALS;
    const weight = isEnd ? 1 : index % 2 === 1 ? 4 : 2;
    addTerm(sums, u, ((weight * width) / 3) * Math.exp((1 - exponent) * u));
  }
  for (const [rank, sign] of [
    [from, -1],
    [to, 1],
  ] as const) {
    const log = Math.log(rank);
    const value = Math.exp(-exponent * log);
    addTerm(sums, log, (sign * value) / 2 - (sign * exponent * value) / (12 * rank));
    sums[1] += (sign * value) / (12 * rank);
    sums[2] += (sign * value * 2 * log) / (12 * rank);
  }
}

/**
 * The counts that n requests would show of k values seen, if all values were equally likely: a Poisson law
 * without its zeros, whose rate λ satisfies n/k = λ / (1 − e^−λ). In falling order. Ranking noise by size
 * looks like a Zipf law; this is how much of one equal shares show by themselves.
 */
export function equalShareCounts(n: number, k: number): number[] {
  const rate = poissonRate(n / k);
  const counts: number[] = [];
  let probability = (rate * Math.exp(-rate)) / -Math.expm1(-rate);
  let cumulative = 0;
  for (let count = 1; counts.length < k && count <= n; count += 1) {
    cumulative += probability;
    const upTo = Math.min(k, Math.round(cumulative * k));
    while (counts.length < upTo) counts.push(count);
    probability *= rate / (count + 1);
    if (probability === 0 && cumulative > 0.5) break;
  }
  while (counts.length < k) counts.push(counts.at(-1) ?? Math.max(1, Math.round(n / k)));
  return counts.reverse();
}

/** λ of a zero-truncated Poisson law with the given mean ≥ 1, by fixed-point iteration. */
function poissonRate(mean: number): number {
  let rate = mean > 1 ? Math.max(mean - 1, 1e-12) : 1e-12;
  for (let round = 0; round < 500; round += 1) {
    const next = mean * -Math.expm1(-rate);
    if (Math.abs(next - rate) < 1e-12) break;
    rate = next;
  }
  return rate;
}

export type PopularityKind = ParameterPopularity['kind'];

/**
 * Whether values are asked for by Zipf's law or all alike. Uniform when a Zipf fit gains less than 0.01 nats
 * a request beyond what equal shares would gain by chance alone; too few repeats when more than 80 % of the
 * requests are for a value seen once. The exponent of what is uniform is 0.
 */
export function popularityOf(counts: ArrayLike<number>): { kind: PopularityKind; exponent: number } {
  if (counts.length <= 1) return { kind: 'constant', exponent: 0 };
  const { n, once } = spectrumOf(counts);
  const fit = fitZipf(counts);
  if (once / n > TOO_FEW_REPEATS) return { kind: 'too-few-repeats', exponent: fit.exponent };
  const byChance = fitZipf(equalShareCounts(n, counts.length)).gainPerRequest;
  if (fit.gainPerRequest - byChance < LEAST_GAIN) return { kind: 'uniform', exponent: 0 };
  return { kind: 'zipf', exponent: fit.exponent };
}

/** Requests, and how many values were seen once and twice. */
function spectrumOf(counts: ArrayLike<number>): { n: number; once: number; twice: number } {
  const sums = { n: 0, once: 0, twice: 0 };
  for (let index = 0; index < counts.length; index += 1) {
    const count = counts[index]!;
    sums.n += count;
    if (count === 1) sums.once += 1;
    else if (count === 2) sums.twice += 1;
  }
  return sums;
}

/**
 * A lower bound for the values that exist but were not seen: f1²/(2·f2), with f1 values seen once and f2 seen
 * twice; f1(f1 − 1)/2 where none was seen twice (Chao 1984, and bias-corrected Chao 1987).
 */
export function unseenCount(counts: ArrayLike<number>): number {
  const { once, twice } = spectrumOf(counts);
  return twice > 0 ? once ** 2 / (2 * twice) : (once * (once - 1)) / 2;
}

/** The counts alone, highest first. */
export const countsInFallingOrder = (countByValue: ReadonlyMap<string, number>): Float64Array =>
  Float64Array.from(countByValue.values()).sort().reverse();

/** The most frequent values; ties in order of value. */
function topValues(countByValue: ReadonlyMap<string, number>, counts: Float64Array): ParameterValue[] {
  const least = counts[Math.min(TOP_COUNT, counts.length) - 1] ?? 0;
  const above: ParameterValue[] = [];
  const level: string[] = [];
  for (const [value, count] of countByValue) {
    if (count > least) above.push({ value, count });
    else if (count === least) level.push(value);
  }
  above.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  const rest = level.sort().slice(0, TOP_COUNT - above.length);
  return [...above, ...rest.map((value) => ({ value, count: least }))];
}

/** How often each value of one parameter was asked for. */
export function parameterPopularity(
  name: string,
  place: 'path' | 'query',
  countByValue: ReadonlyMap<string, number>,
): ParameterPopularity {
  const counts = countsInFallingOrder(countByValue);
  const { kind, exponent } = popularityOf(counts);
  const unseen = Math.round(unseenCount(counts));
  return {
    name,
    in: place,
    requestCount: spectrumOf(counts).n,
    distinctCount: counts.length,
    zipfExponent: exponent,
    ...(unseen === 0 ? {} : { unseenCount: unseen }),
    kind,
    top: topValues(countByValue, counts),
  };
}
