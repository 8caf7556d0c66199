import { Histogram, meanOf, percentileOf } from '../../stats/histogram.ts';

/** What the pool service knows of itself, under the names that its `/stats` gives them. */
export interface PoolStatistics {
  readonly in_flight: number;
  readonly max_in_flight: number;
  readonly pool?: PoolUse;
  readonly process_cpu_s: number;
  /** By route, from the request's arrival to the answer's end, as the service itself sees it. */
  readonly latency_ms: Readonly<Record<string, RouteLatency>>;
}

export interface PoolUse {
  readonly in_use: number;
  readonly size: number;
  readonly waiting: number;
}

export interface RouteLatency {
  readonly count: number;
  readonly mean?: number;
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
  readonly max?: number;
  /** How many so far took at most so many milliseconds. */
  readonly buckets: readonly (readonly [upToMilliseconds: number, count: number])[];
}

export interface StatisticsKeeper {
  /** A request of `route` came; the result is to be called when its answer is out. */
  begin(route: string): () => void;
  read(): PoolStatistics;
}

/** Neighbouring limits of buckets are so far apart: a quantile read from them is off by at most as much. */
const BUCKET_RATIO = 1.02;

interface Latency {
  readonly histogram: Histogram;
  /** Counts by the power of the bucket ratio that is the upper limit, in milliseconds. */
  readonly byPower: Map<number, number>;
}

export function keepStatistics(): StatisticsKeeper {
  const latencies = new Map<string, Latency>();
  let inFlight = 0;
  let maxInFlight = 0;
  return {
    begin(route) {
      const startedAt = performance.now();
      inFlight += 1;
      maxInFlight = Math.max(maxInFlight, inFlight);
      return () => {
        inFlight -= 1;
        const latency = latencies.get(route) ?? { histogram: new Histogram(), byPower: new Map() };
        latencies.set(route, latency);
        const milliseconds = performance.now() - startedAt;
        latency.histogram.record(milliseconds / 1e3);
        const power = Math.ceil(Math.log(milliseconds) / Math.log(BUCKET_RATIO));
        latency.byPower.set(power, (latency.byPower.get(power) ?? 0) + 1);
      };
    },
    read() {
      const { user, system } = process.cpuUsage();
      return {
        in_flight: inFlight,
        max_in_flight: maxInFlight,
        process_cpu_s: (user + system) / 1e6,
        latency_ms: Object.fromEntries([...latencies].map(([route, latency]) => [route, latencyOf(latency)])),
      };
    },
  };
}

function latencyOf({ histogram, byPower }: Latency): RouteLatency {
  const data = histogram.toData();
  const figures = {
    mean: meanOf(data),
    p50: percentileOf(data, 50),
    p95: percentileOf(data, 95),
    p99: percentileOf(data, 99),
    max: data.maxSeconds,
  };
  const known = Object.entries(figures).flatMap(([name, seconds]) =>
    seconds === undefined ? [] : [[name, Number((seconds * 1e3).toFixed(3))] as const],
  );
  return { count: data.totalCount, ...Object.fromEntries(known), buckets: bucketsOf(byPower) };
}

/** Both ends of each bucket that is not empty, so that nobody takes a gap for a wide bucket. */
function bucketsOf(byPower: ReadonlyMap<number, number>): RouteLatency['buckets'] {
  const buckets: [number, number][] = [];
  const limitOf = (power: number): number => Number((BUCKET_RATIO ** power).toPrecision(6));
  let count = 0;
  for (const [power, own] of [...byPower].sort((a, b) => a[0] - b[0])) {
    if (buckets.at(-1)?.[0] !== limitOf(power - 1)) buckets.push([limitOf(power - 1), count]);
    count += own;
    buckets.push([limitOf(power), count]);
  }
  return buckets;
}
