import type { CounterReading } from '../counters/counter-source.ts';
import { hideSecretsIn } from '../host/secret-values.ts';
import type { Segment } from '../host/segments.ts';
import type { LoadPlan, Step } from '../model/load.ts';
import type { Frame, Outcome, RouteMeasurement } from '../model/measurement.ts';
import { binsOf } from '../stats/histogram.ts';
import type { Labels, Metric, MetricSnapshot } from './metric.ts';

/** 1, 2.5 and 5 a decade: from what a cache answers to what a user no longer waits for. */
const BOUNDS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;

interface RouteTotals {
  readonly labels: Labels;
  readonly counts: Record<Outcome, number>;
  sentCount: number;
  receivedBytes: number;
  /** Of the response times, by bucket; not yet cumulative. */
  readonly buckets: number[];
  sumSeconds: number;
}

/**
 * The metrics of a run, added up second by second, warm-up and drain included: at the end they are the run's totals.
 * A response time is counted in the bucket that holds the upper end of its bin, at most 0.1 % above it.
 */
export class RunMetrics {
  readonly #label: string;
  readonly #startedAtMilliseconds: number;
  readonly #routes = new Map<string, RouteTotals>();
  #last:
    | { readonly frame: Frame; readonly step: Step; readonly readings: readonly CounterReading[] }
    | undefined;

  constructor(label: string, startedAtMilliseconds: number) {
    this.#label = label;
    this.#startedAtMilliseconds = startedAtMilliseconds;
  }

  /** Adds a second of the run. */
  add({ frame, sample }: Segment, step: Step): void {
    for (const route of frame.routes) this.#addRoute(route);
    this.#last = { frame, step, readings: sample.readings };
  }

  /** A stored second, of a step of its plan. */
  addStored(segment: Segment, plan: LoadPlan): void {
    const step = plan.steps[segment.frame.stepIndex];
    if (step !== undefined) this.add(segment, step);
  }

  snapshot(): MetricSnapshot {
    const endSeconds = this.#last?.frame.endedAtSeconds ?? 0;
    return {
      atMilliseconds: Math.round(this.#startedAtMilliseconds + 1000 * endSeconds),
      startedAtMilliseconds: this.#startedAtMilliseconds,
      runLabel: this.#label,
      metrics: [...this.#requestMetrics(), ...this.#stateMetrics()],
    };
  }

  #addRoute(route: RouteMeasurement): void {
    const totals = this.#routes.get(route.requestClassId) ?? {
      labels: hideSecretsIn({ run: this.#label, request: route.requestClassId, route: route.route }),
      counts: { ok: 0, error: 0, timeout: 0, dropped: 0 },
      sentCount: 0,
      receivedBytes: 0,
      buckets: Array.from({ length: BOUNDS_SECONDS.length + 1 }, () => 0),
      sumSeconds: 0,
    };
    this.#routes.set(route.requestClassId, totals);
    totals.counts.ok += route.okCount;
    totals.counts.error += route.errorCount;
    totals.counts.timeout += route.timeoutCount;
    totals.counts.dropped += route.droppedCount;
    totals.sentCount += route.sentCount;
    totals.receivedBytes += route.receivedBytes ?? 0;
    totals.sumSeconds += route.responseTime.sumSeconds;
    for (const { highSeconds, count } of binsOf(route.responseTime)) {
      const bucket = BOUNDS_SECONDS.findIndex((bound) => highSeconds <= bound);
      totals.buckets[bucket < 0 ? BOUNDS_SECONDS.length : bucket]! += count;
    }
  }

  #requestMetrics(): readonly Metric[] {
    const routes = [...this.#routes.values()];
    return [
      {
        kind: 'counter',
        name: 'shipload_requests',
        help: 'Requests by how they ended; dropped ones were never sent.',
        points: routes.flatMap(({ labels, counts }) =>
          Object.entries(counts).map(([outcome, value]) => ({ labels: { ...labels, outcome }, value })),
        ),
      },
      counterOf('shipload_requests_sent', 'Requests written to the wire.', routes, (one) => one.sentCount),
      counterOf('shipload_received_bytes', 'Bytes of the answers.', routes, (one) => one.receivedBytes),
      {
        kind: 'histogram',
        name: 'shipload_response_time_seconds',
        help: 'From the intended start to the last byte, successes and timeouts.',
        bounds: BOUNDS_SECONDS,
        points: routes.map(({ labels, buckets, sumSeconds }) => {
          let below = 0;
          return { labels, counts: buckets.map((count) => (below += count)), sum: sumSeconds };
        }),
      },
    ];
  }

  #stateMetrics(): readonly Metric[] {
    if (this.#last === undefined) return [];
    const { frame, step, readings } = this.#last;
    const { driver } = step;
    const labels = { run: this.#label };
    const seconds = frame.endedAtSeconds - frame.startedAtSeconds;
    const gauge = (name: string, help: string, value: number): Metric => ({
      kind: 'gauge',
      name,
      help,
      points: [{ labels, value }],
    });
    return [
      gauge(
        'shipload_load',
        'Users, workers or arrivals a second of the step.',
        driver.kind === 'closed' ? driver.users : driver.arrivalRatePerSecond,
      ),
      gauge('shipload_step', 'Number of the step, from 1.', step.index + 1),
      gauge(
        'shipload_measuring',
        '1 in the measured window of a step, else 0.',
        Number(frame.phase === 'measure'),
      ),
      gauge(
        'shipload_in_flight',
        'Mean requests in flight.',
        seconds > 0 ? frame.inFlightSeconds / seconds : 0,
      ),
      gauge(
        'shipload_generator_utilization_ratio',
        'CPU of the load generator over its cores; beyond 0.8 it may be what is measured.',
        frame.generator.utilizationRatio,
      ),
      ...counterMetrics(readings, this.#label),
    ];
  }
}

function counterOf(
  name: string,
  help: string,
  routes: readonly RouteTotals[],
  valueOf: (route: RouteTotals) => number,
): Metric {
  return {
    kind: 'counter',
    name,
    help,
    points: routes.map((one) => ({ labels: one.labels, value: valueOf(one) })),
  };
}

/** What was read of the service, the machine and the generator, those that only grow apart from the gauges. */
function counterMetrics(readings: readonly CounterReading[], run: string): readonly Metric[] {
  const pointsOf = (kind: CounterReading['kind']) =>
    readings
      .filter((reading) => reading.kind === kind && Number.isFinite(reading.value))
      .map(({ source, quantity, value }) => ({ labels: { run, source, quantity }, value }));
  return [
    {
      kind: 'counter',
      name: 'shipload_resource',
      help: 'Counters of the service, the machine and the generator, by source and quantity.',
      points: pointsOf('cumulative'),
    },
    {
      kind: 'gauge',
      name: 'shipload_resource_level',
      help: 'Gauges of the service, the machine and the generator, by source and quantity.',
      points: pointsOf('gauge'),
    },
  ];
}
