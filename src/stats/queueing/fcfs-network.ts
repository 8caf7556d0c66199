import { finiteSource } from './closed-network.ts';

/** What one class of requests asks of a station; 0 where it does not go. */
export interface FcfsDemand {
  readonly serviceTimeSeconds: number;
  /** Squared coefficient of variation within the class: 0 constant, 1 exponential. */
  readonly squaredVariation: number;
}

/** A first-come-first-served station; without `serverCount` a delay (as many servers as asked for). */
export interface FcfsStation {
  readonly serverCount?: number;
  /** One a class, in the order of `shareRatios`. */
  readonly demands: readonly FcfsDemand[];
}

/** The network at one population; stations and classes in the order given. */
export interface FcfsSolution {
  readonly users: number;
  readonly throughputPerSecond: number;
  /** R = N/X − Z, over all classes. */
  readonly responseTimeSeconds: number;
  readonly responseTimeByClassSeconds: readonly number[];
  /** Busy share of each station's servers; of a delay the mean number of requests in it. */
  readonly utilizationRatio: readonly number[];
}

/** A station's demands over the mix. */
interface Mixed {
  readonly serverCount: number | undefined;
  /** Visits a request of the mix. */
  readonly visitRatio: number;
  readonly demandSeconds: number;
  readonly meanServiceSeconds: number;
  /** E[S²]/(2E[S]): what is left of the service that an arrival finds. */
  readonly residualSeconds: number;
}

/**
 * Users who draw the class of each request from one mix, over first-come-first-served stations whose service
 * differs by class, with think time Z: populations 1 … N by mean values. An arrival waits for the queue ahead and,
 * where all m servers are busy, for the residual of the request in service,
 * W(n) = Lq(n − 1)·S/m + P(all busy; n − 1)·E[S²]/(2S·m) (Reiser 1979, with the residual of Pollaczek–Khinchine).
 * Exact for exponential service of one mean (one server a station, or one station of m servers), and
 * Pollaczek–Khinchine's formula as N and Z grow; in between an approximation. X never exceeds min m/D.
 */
export function solveFcfsNetwork(
  stations: readonly FcfsStation[],
  shareRatios: readonly number[],
  thinkTimeSeconds: number,
  users: number,
): FcfsSolution[] {
  const mixed = stations.map((station) => mixOf(station, shareRatios));
  const limit = Math.min(
    ...mixed.map(({ serverCount, demandSeconds }) => (serverCount ?? Infinity) / demandSeconds),
  );
  const demand = mixed.reduce((sum, { demandSeconds }) => sum + demandSeconds, 0);
  const solutions: FcfsSolution[] = [];
  let waits = mixed.map(() => 0);
  let throughput = 0;
  for (let n = 1; n <= users; n += 1) {
    waits = mixed.map((station, k) => waitAt(station, n - 1, throughput, waits[k]!));
    const waiting = mixed.reduce((sum, { visitRatio }, k) => sum + visitRatio * waits[k]!, 0);
    throughput = Math.min(limit, n / (thinkTimeSeconds + demand + waiting));
    solutions.push({
      users: n,
      throughputPerSecond: throughput,
      responseTimeSeconds: n / throughput - thinkTimeSeconds,
      responseTimeByClassSeconds: shareRatios.map((_, c) => classResponse(stations, waits, c)),
      utilizationRatio: mixed.map(
        ({ serverCount, demandSeconds }) => (throughput * demandSeconds) / (serverCount ?? 1),
      ),
    });
  }
  return solutions;
}

function mixOf({ serverCount, demands }: FcfsStation, shareRatios: readonly number[]): Mixed {
  const over = (value: (demand: FcfsDemand) => number): number =>
    demands.reduce((sum, demand, c) => sum + shareRatios[c]! * value(demand), 0);
  const demandSeconds = over(({ serviceTimeSeconds }) => serviceTimeSeconds);
  const visitRatio = over(({ serviceTimeSeconds }) => (serviceTimeSeconds > 0 ? 1 : 0));
  const second = over((one) => (1 + one.squaredVariation) * one.serviceTimeSeconds ** 2);
  return {
    serverCount,
    visitRatio,
    demandSeconds,
    meanServiceSeconds: visitRatio === 0 ? 0 : demandSeconds / visitRatio,
    residualSeconds: demandSeconds === 0 ? 0 : second / (2 * demandSeconds),
  };
}

/** The wait that a visit meets with `others` more users in the network, who waited `wait` each themselves. */
function waitAt(station: Mixed, others: number, throughput: number, wait: number): number {
  const { serverCount, visitRatio, meanServiceSeconds, residualSeconds } = station;
  if (serverCount === undefined || visitRatio === 0) return 0;
  const queue = throughput * visitRatio * wait;
  const busy = allBusy(station, others, throughput, wait);
  return (queue * meanServiceSeconds + busy * residualSeconds) / serverCount;
}

/**
 * P(all m servers busy) with `users` in the network: U for one server; for several that of a finite source whose
 * users are elsewhere for users/X less their time at the station.
 */
function allBusy(station: Mixed, users: number, throughput: number, wait: number): number {
  const { serverCount = Infinity, visitRatio, demandSeconds, meanServiceSeconds } = station;
  if (users < serverCount) return 0;
  if (serverCount === 1) return throughput * demandSeconds;
  const visitRate = throughput * visitRatio;
  const elsewhereSeconds = users / visitRate - meanServiceSeconds - wait;
  if (elsewhereSeconds <= 1e-9 * meanServiceSeconds) return 1;
  const { stateProbabilities } = finiteSource(meanServiceSeconds, serverCount, elsewhereSeconds, users);
  return stateProbabilities.slice(serverCount).reduce((sum, p) => sum + p, 0);
}

function classResponse(stations: readonly FcfsStation[], waits: readonly number[], index: number): number {
  return stations.reduce((sum, { demands }, k) => {
    const { serviceTimeSeconds } = demands[index]!;
    return serviceTimeSeconds > 0 ? sum + serviceTimeSeconds + waits[k]! : sum;
  }, 0);
}
