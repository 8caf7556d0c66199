import { flatten, type FlatSample, type Metric, type MetricSnapshot } from './metric.ts';

export const PROMETHEUS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The Prometheus text format 0.0.4, without timestamps: what was scraped is now. */
export function prometheusText({ metrics }: MetricSnapshot): string {
  return metrics
    .filter(({ points }) => points.length > 0)
    .map((metric) => [head(metric), ...flatten(metric).map(sampleLine), ''].join('\n'))
    .join('');
}

function head(metric: Metric): string {
  const name = metric.kind === 'counter' ? `${metric.name}_total` : metric.name;
  return `# HELP ${name} ${metric.help}\n# TYPE ${name} ${metric.kind}`;
}

function sampleLine({ name, labels, value }: FlatSample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
  return `${name}{${pairs.join(',')}} ${value}`;
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
