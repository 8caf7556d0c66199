import type { HistogramData } from '../model/histogram.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import type { RunRecord } from '../model/record.ts';
import { FINE_BITS } from '../stats/histogram.ts';
import { encodedHistogram } from './hdr-encoding.ts';
import type { Reporter } from './reporter.ts';

/**
 * An HdrHistogram interval log (format version 1.3): an interval for each step and route, values in microseconds, the
 * maximum in milliseconds as the format's tools print it. A tag is `step-route` with all that could end it replaced.
 * Response times count from the intended start, successes and timeouts, as in the report.
 */
export function renderHlog(record: RunRecord): string {
  const startSeconds = Date.parse(record.manifest.startedAt) / 1000;
  const start = Number.isFinite(startSeconds) ? startSeconds : 0;
  return [
    '#[Histogram log format version 1.3]',
    `#[StartTime: ${start.toFixed(3)} (seconds since epoch)]`,
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
    ...record.measurements.flatMap(intervals),
    '',
  ].join('\n');
}

function intervals(measurement: StepMeasurement): readonly string[] {
  return measurement.byRoute
    .filter(({ responseTime }) => responseTime.bits === FINE_BITS && responseTime.totalCount > 0)
    .map(({ requestClassId, responseTime }) => {
      const tag = `${measurement.step.label}-${requestClassId}`.replaceAll(/[^\w./:[\]-]+/g, '_');
      return interval(tag, measurement, responseTime);
    });
}

function interval(
  tag: string,
  { startedAtSeconds, windowSeconds }: StepMeasurement,
  histogram: HistogramData,
): string {
  const fields = [
    startedAtSeconds.toFixed(3),
    windowSeconds.toFixed(3),
    ((histogram.maxSeconds ?? 0) * 1e3).toFixed(3),
    encodedHistogram(histogram),
  ];
  return `Tag=${tag},${fields.join(',')}`;
}

export const hlogReporter: Reporter = {
  name: 'hlog',
  extension: 'hlog',
  describe: 'an HdrHistogram log in µs, an interval a step and route',
  render: renderHlog,
};
