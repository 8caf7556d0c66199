import { ShiploadError } from '../errors.ts';
import type { Segment } from '../host/segments.ts';
import type { RunManifest } from '../model/record.ts';
import type { MetricSnapshot } from './metric.ts';
import { RunMetrics } from './run-metrics.ts';

/** The metrics after every stored second of a run, at the time they had. Throws `record-invalid` where there is none. */
export function snapshotsOf(
  { label, startedAt, plan }: RunManifest,
  segments: readonly Segment[],
): readonly MetricSnapshot[] {
  const startedAtMilliseconds = Date.parse(startedAt);
  if (segments.length === 0 || !Number.isFinite(startedAtMilliseconds))
    throw new ShiploadError('record-invalid', `the run "${label}" has no stored second to export`);
  const metrics = new RunMetrics(label, startedAtMilliseconds);
  return segments.map((segment) => {
    metrics.addStored(segment, plan);
    return metrics.snapshot();
  });
}
