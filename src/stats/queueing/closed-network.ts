import { logFactorial } from '../special-functions.ts';

/** A station of a closed network; without `serverCount` a delay (as many servers as asked for). */
export interface ClosedStation {
  /** D = V·S: total service a request asks of the station, seconds. */
  readonly demandSeconds: number;
  readonly serverCount?: number;
}

/** A closed network at one population. Residence times and queue lengths stand in the order of the stations. */
export interface ClosedSolution {
  readonly users: number;
  readonly throughputPerSecond: number;
  /** R = N/X − Z. */
  readonly responseTimeSeconds: number;
  readonly residenceTimeSeconds: readonly number[];
  readonly meanAtStation: readonly number[];
}

/**
 * Exact mean value analysis of one class over single-server stations and delays with think time Z:
 * Rₖ = Dₖ(1 + Qₖ(n − 1)), X = n/(Z + ΣRₖ), Qₖ = X·Rₖ (Reiser & Lavenberg 1980). Returns populations 1 … N.
 * Throws a RangeError for a station of several servers: there the recursion is not stable.
 */
export function meanValueAnalysis(
  stations: readonly ClosedStation[],
  thinkTimeSeconds: number,
  users: number,
): ClosedSolution[] {
  if (stations.some((station) => (station.serverCount ?? 1) !== 1)) {
    throw new RangeError('mean value analysis takes single-server stations; use solveClosedNetwork');
  }
  const solutions: ClosedSolution[] = [];
  let queues = stations.map(() => 0);
  for (let n = 1; n <= users; n += 1) {
    const residence = stations.map(({ demandSeconds, serverCount }, k) =>
      serverCount === undefined ? demandSeconds : demandSeconds * (1 + queues[k]!),
    );
    const response = residence.reduce((sum, r) => sum + r, 0);
    const throughput = n / (thinkTimeSeconds + response);
    queues = residence.map((r) => throughput * r);
    solutions.push({
      users: n,
      throughputPerSecond: throughput,
      responseTimeSeconds: response,
      residenceTimeSeconds: residence,
      meanAtStation: queues,
    });
  }
  return solutions;
}

/** ln(Σ exp(v)), safe for any size of v. */
function logSum(values: readonly number[]): number {
  const largest = Math.max(...values);
  if (largest === -Infinity) return -Infinity;
  return largest + Math.log(values.reduce((sum, value) => sum + Math.exp(value - largest), 0));
}

/** ln of the station's product-form weight with 0 … N requests: Dⁿ/(n! up to m, then n!·… = m!·mⁿ⁻ᵐ). */
function logWeights({ demandSeconds, serverCount }: ClosedStation, users: number): number[] {
  return Array.from({ length: users + 1 }, (_, n) => {
    if (n === 0) return 0;
    const servers = serverCount ?? Infinity;
    const divisor =
      n <= servers ? logFactorial(n) : logFactorial(servers) + (n - servers) * Math.log(servers);
    return n * Math.log(demandSeconds) - divisor;
  });
}

function convolve(left: readonly number[], right: readonly number[]): number[] {
  return left.map((_, n) => logSum(left.slice(0, n + 1).map((value, k) => value + right[n - k]!)));
}

/**
 * Exact solution of one class over stations of any number of servers with think time Z, by Buzen's
 * convolution (1973) in logarithms: every term is positive, so nothing cancels and nothing overflows, where
 * the textbook recursion for several servers goes negative. Time grows as stations²·N².
 */
export function solveClosedNetwork(
  stations: readonly ClosedStation[],
  thinkTimeSeconds: number,
  users: number,
): ClosedSolution {
  const weights = [...stations, { demandSeconds: thinkTimeSeconds }].map((s) => logWeights(s, users));
  const one = weights[0]!.map((_, n) => (n === 0 ? 0 : -Infinity));
  const total = weights.reduce(convolve, one);
  const throughput = users === 0 ? 0 : Math.exp(total[users - 1]! - total[users]!);
  const meanAtStation = stations.map((_, k) => {
    const others = weights.filter((_, j) => j !== k).reduce(convolve, one);
    return weights[k]!.reduce(
      (sum, weight, n) => sum + n * Math.exp(weight + others[users - n]! - total[users]!),
      0,
    );
  });
  const responseTimeSeconds = meanAtStation.reduce((sum, q) => sum + q, 0) / throughput;
  return {
    users,
    throughputPerSecond: throughput,
    responseTimeSeconds,
    residenceTimeSeconds: meanAtStation.map((q) => q / throughput),
    meanAtStation,
  };
}

/** One station of m servers with N thinking users: a machine-repair model. */
export interface FiniteSource extends ClosedSolution {
  /** Mean busy servers / m. */
  readonly utilizationRatio: number;
  /** P(n requests at the station), n = 0 … N. */
  readonly stateProbabilities: readonly number[];
}

/**
 * Birth–death solution of N users with mean think time Z > 0 at one station of m servers and mean service S:
 * pₙ ∝ N!/(N − n)! · (S/Z)ⁿ / Π min(i, m), summed in logarithms (Kleinrock I, 3.8). Linear in N.
 */
export function finiteSource(
  serviceTimeSeconds: number,
  serverCount: number,
  thinkTimeSeconds: number,
  users: number,
): FiniteSource {
  const logs = [0];
  for (let n = 1; n <= users; n += 1) {
    const ratio = ((users - n + 1) * serviceTimeSeconds) / (thinkTimeSeconds * Math.min(n, serverCount));
    logs.push(logs[n - 1]! + Math.log(ratio));
  }
  const total = logSum(logs);
  const stateProbabilities = logs.map((value) => Math.exp(value - total));
  const meanOf = (f: (n: number) => number): number =>
    stateProbabilities.reduce((sum, p, n) => sum + p * f(n), 0);
  const busy = meanOf((n) => Math.min(n, serverCount));
  const throughputPerSecond = busy / serviceTimeSeconds;
  const queue = meanOf((n) => n);
  const responseTimeSeconds = queue / throughputPerSecond;
  return {
    users,
    throughputPerSecond,
    responseTimeSeconds,
    residenceTimeSeconds: [responseTimeSeconds],
    meanAtStation: [queue],
    utilizationRatio: busy / serverCount,
    stateProbabilities,
  };
}

/**
 * Seidmann's stations for a station of m servers: a queue of D/m and a delay of D(m − 1)/m, for solvers
 * that know single servers only (Seidmann, Schweitzer & Shalev-Oren 1987). An approximation: X within about 2 %.
 */
export function seidmannStations(station: ClosedStation): ClosedStation[] {
  const { demandSeconds, serverCount } = station;
  if (serverCount === undefined || serverCount === 1) return [station];
  return [
    { demandSeconds: demandSeconds / serverCount, serverCount: 1 },
    { demandSeconds: (demandSeconds * (serverCount - 1)) / serverCount },
  ];
}
