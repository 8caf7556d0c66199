import type { RoutePercentiles, StepRow } from '../../src/model/analysis.ts';
import type { StepMeasurement } from '../../src/model/measurement.ts';
import { Histogram, percentileOf } from '../../src/stats/histogram.ts';
import { createRandom, drawExponential, weightedSampler } from '../../src/stats/random.ts';
import { stepMeasurement } from './step-measurement.ts';
import { stepRow } from './step-rows.ts';

/** A route of the simulated service: `cpuSeconds` in a lane, then `waitSeconds` elsewhere (a delay). */
export interface SimulatedRoute {
  readonly route: string;
  readonly shareRatio: number;
  readonly cpuSeconds: number;
  readonly waitSeconds?: number;
}

export interface LaneSimulation {
  readonly routes: readonly SimulatedRoute[];
  readonly arrivalRatePerSecond: number;
  readonly seconds: number;
  /** First-come-first-served lanes behind one queue. */
  readonly laneCount?: number;
  /** The whole service stands still for `lengthSeconds` once every `everySeconds`. */
  readonly pauses?: { readonly everySeconds: number; readonly lengthSeconds: number };
  readonly seed: number;
}

interface Served {
  readonly route: string;
  readonly sentAt: number;
  readonly endedAt: number;
  /** The other routes that had a request in flight when this one was sent. */
  readonly beside: ReadonlySet<string>;
}

/** Poisson arrivals at first-come-first-served lanes: what a generator would have recorded of one step. */
export function simulateLane(
  index: number,
  users: number,
  simulation: LaneSimulation,
): { readonly row: StepRow; readonly measurement: StepMeasurement } {
  const served = serve(simulation);
  const { routes, seconds, laneCount = 1 } = simulation;
  const names = routes.map(({ route }) => route);
  const throughputPerSecond = served.length / seconds;
  const byRoute = Object.fromEntries(names.map((name) => [name, percentilesOf(served, name, seconds)]));
  const cpu = cpuSeconds(simulation, served) / (seconds * laneCount);
  const interference = names.flatMap((route) =>
    names
      .filter((other) => other !== route)
      .map((otherRoute) => ({
        route,
        otherRoute,
        withOther: histogramOf(served.filter((r) => r.route === route && r.beside.has(otherRoute))),
        withoutOther: histogramOf(served.filter((r) => r.route === route && !r.beside.has(otherRoute))),
      })),
  );
  const row = stepRow({
    index,
    users,
    throughputPerSecond,
    byRoute,
    utilizationRatio: { cpu },
    serviceDemandSeconds: { cpu: (cpu * laneCount) / throughputPerSecond },
    serverCount: { cpu: laneCount },
  });
  return { row, measurement: stepMeasurement(index, { interference, responseTime: histogramOf(served) }) };
}

function serve({
  routes,
  arrivalRatePerSecond,
  seconds,
  laneCount = 1,
  pauses,
  seed,
}: LaneSimulation): Served[] {
  const random = createRandom(seed);
  const pick = weightedSampler(routes.map(({ shareRatio }) => shareRatio));
  const laneFreeAt = Array.from({ length: laneCount }, () => 0);
  const inFlightUntil = new Map<string, number>();
  const served: Served[] = [];
  const running = (at: number): number => {
    if (pauses === undefined) return at;
    const into = at % pauses.everySeconds;
    return into < pauses.lengthSeconds ? at - into + pauses.lengthSeconds : at;
  };
  for (let at = 0; at < seconds; at += drawExponential(random, 1 / arrivalRatePerSecond)) {
    const { route, cpuSeconds, waitSeconds = 0 } = routes[pick(random)]!;
    const lane = laneFreeAt.indexOf(Math.min(...laneFreeAt));
    laneFreeAt[lane] = running(Math.max(at, laneFreeAt[lane]!)) + cpuSeconds;
    const endedAt = waitSeconds === 0 ? laneFreeAt[lane] : running(laneFreeAt[lane] + waitSeconds);
    const beside = new Set([...inFlightUntil].filter(([, until]) => until > at).map(([name]) => name));
    served.push({ route, sentAt: at, endedAt, beside });
    inFlightUntil.set(route, Math.max(inFlightUntil.get(route) ?? 0, endedAt));
  }
  return served;
}

function cpuSeconds({ routes, pauses, seconds }: LaneSimulation, served: readonly Served[]): number {
  const perRoute = new Map(routes.map(({ route, cpuSeconds }) => [route, cpuSeconds]));
  const work = served.reduce((sum, { route }) => sum + perRoute.get(route)!, 0);
  return work + (pauses === undefined ? 0 : (seconds / pauses.everySeconds) * pauses.lengthSeconds);
}

function histogramOf(served: readonly Served[]) {
  const histogram = new Histogram();
  for (const { sentAt, endedAt } of served) histogram.record(endedAt - sentAt);
  return histogram.toData();
}

function percentilesOf(served: readonly Served[], route: string, seconds: number): RoutePercentiles {
  const data = histogramOf(served.filter((request) => request.route === route));
  return {
    p50Seconds: percentileOf(data, 50) ?? 0,
    p95Seconds: percentileOf(data, 95) ?? 0,
    sampleCount: data.totalCount,
    throughputPerSecond: data.totalCount / seconds,
  };
}
