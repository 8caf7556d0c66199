/** Steady state of an open queue. */
export interface OpenQueue {
  readonly utilizationRatio: number;
  readonly waitingTimeSeconds: number;
  readonly responseTimeSeconds: number;
  /** L = λ·R: requests waiting and in service. */
  readonly meanInSystem: number;
}

/**
 * Erlang B: probability that `load` erlangs offered to `serverCount` servers without a queue find all busy;
 * B(0) = 1, B(m) = a·B(m−1)/(m + a·B(m−1)), which neither overflows nor cancels.
 */
export function erlangB(load: number, serverCount: number): number {
  let blocking = 1;
  for (let m = 1; m <= serverCount; m += 1) blocking = (load * blocking) / (m + load * blocking);
  return blocking;
}

/** Erlang C: probability that a request has to wait, m·B/(m − a(1 − B)); 1 at or beyond saturation. */
export function erlangC(load: number, serverCount: number): number {
  if (load >= serverCount) return 1;
  const blocking = erlangB(load, serverCount);
  return (serverCount * blocking) / (serverCount - load * (1 - blocking));
}

/**
 * M/M/m: Poisson arrivals, exponential service of mean S, m servers. W = C(m, λS)·S/(m − λS), R = S + W
 * (Kleinrock, Queueing Systems I, 3.5). W is infinite at or beyond saturation.
 */
export function mmm(
  arrivalRatePerSecond: number,
  serviceTimeSeconds: number,
  serverCount: number,
): OpenQueue {
  const load = arrivalRatePerSecond * serviceTimeSeconds;
  const waitingTimeSeconds =
    load < serverCount ? (erlangC(load, serverCount) * serviceTimeSeconds) / (serverCount - load) : Infinity;
  return openQueue(arrivalRatePerSecond, serviceTimeSeconds, waitingTimeSeconds, load / serverCount);
}

/** Steady state of a queue with room for `capacity` requests, those in service included. */
export interface BoundedQueue extends OpenQueue {
  /** Requests served a second: λ(1 − p_K). */
  readonly throughputPerSecond: number;
  /** p_K: share of the arrivals that find no room. */
  readonly lossRatio: number;
}

/**
 * M/M/m/K: Poisson arrivals, exponential service of mean S, m servers, room for K ≥ m requests; what finds no room is
 * lost. pₙ ∝ (λS)ⁿ/Π min(i, m), summed relative to the largest, so that nothing overflows (Gross & Harris, 2.4).
 */
export function mmmk(
  arrivalRatePerSecond: number,
  serviceTimeSeconds: number,
  serverCount: number,
  capacity: number,
): BoundedQueue {
  const load = arrivalRatePerSecond * serviceTimeSeconds;
  const logs = [0];
  for (let n = 1; n <= capacity; n += 1) logs.push(logs[n - 1]! + Math.log(load / Math.min(n, serverCount)));
  const largest = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - largest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const meanInSystem = weights.reduce((sum, weight, n) => sum + n * weight, 0) / total;
  const lossRatio = weights[capacity]! / total;
  const throughputPerSecond = arrivalRatePerSecond * (1 - lossRatio);
  const responseTimeSeconds = meanInSystem / throughputPerSecond;
  return {
    utilizationRatio: (throughputPerSecond * serviceTimeSeconds) / serverCount,
    waitingTimeSeconds: responseTimeSeconds - serviceTimeSeconds,
    responseTimeSeconds,
    meanInSystem,
    throughputPerSecond,
    lossRatio,
  };
}

/** A class of requests at a first-come-first-served station. */
export interface ServiceClass {
  readonly arrivalRatePerSecond: number;
  readonly serviceTimeSeconds: number;
  /** E[S²] = (1 + c²)·E[S]². Squared coefficient of variation: 0 constant, 1 exponential. */
  readonly squaredVariation: number;
}

/**
 * M/G/1, first come first served, any number of classes: every class waits W = Σ λᵢE[Sᵢ²]/(2(1 − ρ))
 * (Pollaczek–Khinchine). Infinite at ρ ≥ 1. One result a class, in order.
 */
export function mg1(classes: readonly ServiceClass[]): OpenQueue[] {
  let load = 0;
  let residual = 0;
  for (const { arrivalRatePerSecond, serviceTimeSeconds, squaredVariation } of classes) {
    load += arrivalRatePerSecond * serviceTimeSeconds;
    residual += (arrivalRatePerSecond * (1 + squaredVariation) * serviceTimeSeconds ** 2) / 2;
  }
  const wait = load < 1 ? residual / (1 - load) : Infinity;
  return classes.map(({ arrivalRatePerSecond, serviceTimeSeconds }) =>
    openQueue(arrivalRatePerSecond, serviceTimeSeconds, wait, arrivalRatePerSecond * serviceTimeSeconds),
  );
}

function openQueue(
  arrivalRate: number,
  serviceTime: number,
  wait: number,
  utilizationRatio: number,
): OpenQueue {
  const responseTimeSeconds = serviceTime + wait;
  return {
    utilizationRatio,
    waitingTimeSeconds: wait,
    responseTimeSeconds,
    meanInSystem: arrivalRate * responseTimeSeconds,
  };
}
