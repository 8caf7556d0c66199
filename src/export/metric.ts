/** What tells one point of a metric from another. */
export type Labels = Readonly<Record<string, string>>;

export interface NumberPoint {
  readonly labels: Labels;
  readonly value: number;
}

/** Counts of what lies at or below each bound, the last bound being infinite. */
export interface BucketPoint {
  readonly labels: Labels;
  /** Cumulative, one longer than `bounds`. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** A value now, or one that only grows. */
export interface NumberMetric {
  readonly kind: 'counter' | 'gauge';
  /** Without `_total`; the formats that want it add it. */
  readonly name: string;
  readonly help: string;
  readonly points: readonly NumberPoint[];
}

export interface HistogramMetric {
  readonly kind: 'histogram';
  readonly name: string;
  readonly help: string;
  /** Upper bounds in rising order, seconds; the infinite one is left out. */
  readonly bounds: readonly number[];
  readonly points: readonly BucketPoint[];
}

/** A metric as every tool outside understands it; names and units follow OpenMetrics. */
export type Metric = NumberMetric | HistogramMetric;

/** The metrics of a run at one moment. */
export interface MetricSnapshot {
  /** Milliseconds since the epoch, of this moment and of the run's start. */
  readonly atMilliseconds: number;
  readonly startedAtMilliseconds: number;
  readonly runLabel: string;
  readonly metrics: readonly Metric[];
}

/** A number with its name: what formats without types of their own carry. */
export interface FlatSample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Every number of a metric under its Prometheus name. */
export function flatten(metric: Metric): readonly FlatSample[] {
  const { name } = metric;
  if (metric.kind === 'histogram') return flatHistogram(metric);
  const full = metric.kind === 'counter' ? `${name}_total` : name;
  return metric.points.map((point) => ({ name: full, ...point }));
}

function flatHistogram({ name, bounds, points }: HistogramMetric): readonly FlatSample[] {
  const ends = [...bounds.map(String), '+Inf'];
  return points.flatMap(({ labels, counts, sum }) => [
    ...ends.map((le, i) => ({ name: `${name}_bucket`, labels: { ...labels, le }, value: counts[i]! })),
    { name: `${name}_sum`, labels, value: sum },
    { name: `${name}_count`, labels, value: counts.at(-1)! },
  ]);
}
