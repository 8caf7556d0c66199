import { flatten, type MetricSnapshot } from './metric.ts';

/** InfluxDB line protocol: a line for each number, its name the measurement, its field `value`, nanoseconds. */
export function influxLines({ metrics, atMilliseconds }: MetricSnapshot): string {
  return metrics
    .flatMap(flatten)
    .map(({ name, labels, value }) => {
      const tags = Object.entries(labels).map(([key, text]) => `${key}=${escapeTag(text)}`);
      return `${[name, ...tags].join(',')} value=${value} ${atMilliseconds}000000\n`;
    })
    .join('');
}

/**
 * A tag value cannot be empty, and a line break would end the line. Parsers do not agree on a backslash that is
 * escaped, so it becomes a slash.
 */
const escapeTag = (text: string): string =>
  text === ''
    ? '-'
    : text
        .replaceAll(/[\r\n]+/g, ' ')
        .replaceAll('\\', '/')
        .replaceAll(/[ ,=]/g, '\\$&');
