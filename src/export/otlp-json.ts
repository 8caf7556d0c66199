import type { HistogramMetric, Labels, Metric, MetricSnapshot } from './metric.ts';

const CUMULATIVE = 2;

/**
 * An OTLP `ExportMetricsServiceRequest` in its JSON form: 64-bit integers are strings, enumerations are numbers.
 * Source: opentelemetry-proto, `metrics/v1/metrics.proto`, and the OTLP specification on JSON encoding.
 */
export function otlpRequest(snapshot: MetricSnapshot): Readonly<Record<string, unknown>> {
  return {
    resourceMetrics: [
      {
        resource: { attributes: attributes({ 'service.name': 'shipload', run: snapshot.runLabel }) },
        scopeMetrics: [
          {
            scope: { name: 'shipload' },
            metrics: snapshot.metrics
              .filter(({ points }) => points.length > 0)
              .map((metric) => otlpMetric(metric, snapshot)),
          },
        ],
      },
    ],
  };
}

function otlpMetric(metric: Metric, snapshot: MetricSnapshot): Readonly<Record<string, unknown>> {
  const times = {
    startTimeUnixNano: nanoseconds(snapshot.startedAtMilliseconds),
    timeUnixNano: nanoseconds(snapshot.atMilliseconds),
  };
  const head = { name: metric.name, description: metric.help };
  if (metric.kind === 'histogram') return { ...head, unit: 's', histogram: histogram(metric, times) };
  const dataPoints = metric.points.map(({ labels, value }) => ({
    attributes: attributes(labels),
    ...times,
    asDouble: value,
  }));
  return metric.kind === 'gauge'
    ? { ...head, gauge: { dataPoints } }
    : { ...head, sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } };
}

/** OTLP counts each bucket for itself, where ours count what lies below too. */
function histogram(
  { bounds, points }: HistogramMetric,
  times: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const dataPoints = points.map(({ labels, counts, sum }) => ({
    attributes: attributes(labels),
    ...times,
    count: String(counts.at(-1)!),
    sum,
    bucketCounts: counts.map((count, i) => String(count - (counts[i - 1] ?? 0))),
    explicitBounds: bounds,
  }));
  return { dataPoints, aggregationTemporality: CUMULATIVE };
}

const attributes = (labels: Labels): readonly Readonly<Record<string, unknown>>[] =>
  Object.entries(labels).map(([key, stringValue]) => ({ key, value: { stringValue } }));

const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds)}000000`;
