import { Histogram, meanOf, percentileOf } from '../../stats/histogram.ts';

/** What the pool service knows of itself, under the names that its `/stats` gives them. */
export interface PoolStatistics {
  readonly in_flight: number;
  readonly max_in_flight: number;
  readonly process_cpu_s: number;
  /** By route, from the request's arrival to the answer's end, as the service itself sees it. */
  readonly latency_ms: Readonly<Record<string, RouteLatency>>;
}

export interface RouteLatency {
  readonly count: number;
  readonly mean?: number;
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
  readonly max?: number;
}

export interface StatisticsKeeper {
  /** A request of `route` came; the result is to be called when its answer is out. */
  begin(route: string): () => void;
  read(): PoolStatistics;
}

export function keepStatistics(): StatisticsKeeper {
  const latencies = new Map<string, Histogram>();
  let inFlight = 0;
  let maxInFlight = 0;
  return {
    begin(route) {
      const startedAt = performance.now();
      inFlight += 1;
      maxInFlight = Math.max(maxInFlight, inFlight);
      return () => {
        inFlight -= 1;
        const histogram = latencies.get(route) ?? new Histogram();
        latencies.set(route, histogram);
        histogram.record((performance.now() - startedAt) / 1e3);
      };
    },
    read() {
      const { user, system } = process.cpuUsage();
      return {
        in_flight: inFlight,
        max_in_flight: maxInFlight,
        process_cpu_s: (user + system) / 1e6,
        latency_ms: Object.fromEntries(
          [...latencies].map(([route, histogram]) => [route, latencyOf(histogram)]),
        ),
      };
    },
  };
}

function latencyOf(histogram: Histogram): RouteLatency {
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
  return { count: data.totalCount, ...Object.fromEntries(known) };
}
