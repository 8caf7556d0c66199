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
export function fitZipf(counts: readonly number[]): ZipfFit {
  const k = counts.length;
  const logs = Float64Array.from({ length: k }, (_, index) => Math.log(index + 1));
  let n = 0;
  let weighted = 0;
  counts.forEach((count, index) => {
    n += count;
    weighted += count * logs[index]!;
  });
  const observed = weighted / n;
  if (k < 2 || momentsOf(logs, 0).mean <= observed) return { exponent: 0, gainPerRequest: 0 };
  let low = 0;
  let high = MOST_EXPONENT;
  let exponent = 1;
  for (let round = 0; round < 100 && high - low > 1e-11; round += 1) {
    const { mean, variance } = momentsOf(logs, exponent);
    if (mean > observed) low = exponent;
    else high = exponent;
    const step = exponent + (mean - observed) / variance;
    const next = step > low && step < high ? step : (low + high) / 2;
    if (Math.abs(next - exponent) < 1e-11) break;
    exponent = next;
  }
  const gainPerRequest = Math.log(k) - exponent * observed - Math.log(momentsOf(logs, exponent).total);
  return { exponent, gainPerRequest };
}

/** Σ r^−s, and mean and variance of ln r under p ∝ r^−s. */
function momentsOf(logs: Float64Array, exponent: number): { total: number; mean: number; variance: number } {
  let total = 0;
  let first = 0;
  let second = 0;
  for (const log of logs) {
    const weight = Math.exp(-exponent * log);
    total += weight;
    first += weight * log;
    second += weight * log * log;
  }
  const mean = first / total;
  return { total, mean, variance: second / total - mean * mean };
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
export function popularityOf(counts: readonly number[]): { kind: PopularityKind; exponent: number } {
  if (counts.length <= 1) return { kind: 'constant', exponent: 0 };
  const n = counts.reduce((sum, count) => sum + count, 0);
  const once = counts.filter((count) => count === 1).length;
  const fit = fitZipf(counts);
  if (once / n > TOO_FEW_REPEATS) return { kind: 'too-few-repeats', exponent: fit.exponent };
  const byChance = fitZipf(equalShareCounts(n, counts.length)).gainPerRequest;
  if (fit.gainPerRequest - byChance < LEAST_GAIN) return { kind: 'uniform', exponent: 0 };
  return { kind: 'zipf', exponent: fit.exponent };
}

export const byCountThenValue = (a: ParameterValue, b: ParameterValue): number =>
  b.count - a.count || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0);

/** How often each value of one parameter was asked for. */
export function parameterPopularity(
  name: string,
  place: 'path' | 'query',
  countByValue: ReadonlyMap<string, number>,
): ParameterPopularity {
  const values = [...countByValue].map(([value, count]) => ({ value, count })).sort(byCountThenValue);
  const { kind, exponent } = popularityOf(values.map(({ count }) => count));
  return {
    name,
    in: place,
    requestCount: values.reduce((sum, { count }) => sum + count, 0),
    distinctCount: values.length,
    zipfExponent: exponent,
    kind,
    top: values.slice(0, TOP_COUNT),
  };
}
