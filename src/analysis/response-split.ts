import type { ResponseSplit, StepRow } from '../model/analysis.ts';
import type { CounterSeries, StepMeasurement } from '../model/measurement.ts';
import { measurementOfStep, serviceCounter } from './counter-window.ts';
import { present } from './present.ts';

/**
 * The service's own median and p95 of each step beside the client's. Where the service tells them of every
 * second (from a histogram's growth), those of the step are the means of the seconds, weighted by their requests; where it
 * tells its own figure over a time of its own choice, the last one of the window.
 */
export function responseSplits(
  rows: readonly StepRow[],
  measurements: readonly StepMeasurement[],
): readonly ResponseSplit[] {
  return rows.flatMap((row): ResponseSplit[] => {
    const measurement = measurementOfStep(measurements, row.index);
    const { p50Seconds: clientP50Seconds, p95Seconds } = row.overall;
    const own = measurement && ownQuantile(measurement, 'serviceTimeP50Seconds');
    if (measurement === undefined || own === undefined || !clientP50Seconds) return [];
    return [
      {
        stepIndex: row.index,
        clientP50Seconds,
        serviceP50Seconds: own,
        ...present({
          clientP95Seconds: p95Seconds,
          serviceP95Seconds: ownQuantile(measurement, 'serviceTimeP95Seconds'),
        }),
        insideRatio: own / clientP50Seconds,
      },
    ];
  });
}

function ownQuantile(measurement: StepMeasurement, quantity: string): number | undefined {
  const series = serviceCounter(measurement, quantity);
  if (series === undefined || series.points.length === 0) return undefined;
  if (series.label === 'as the service tells it') return series.points.at(-1)![1];
  return weightedMean(series, serviceCounter(measurement, 'serviceTimeCount'), measurement.startedAtSeconds);
}

/** Mean of the seconds of the window, each by the requests that ended in it; alike where no counts are known. */
function weightedMean(
  series: CounterSeries,
  counts: CounterSeries | undefined,
  windowFromSeconds: number,
): number | undefined {
  const countAt = new Map(counts?.points.map(([at], i) => [at, i]));
  let [sum, weights] = [0, 0];
  for (const [at, value] of series.points) {
    const i = countAt.get(at);
    const before = i === undefined ? undefined : counts?.points[i - 1];
    // A page from before the window tells of the warm-up.
    if (at <= windowFromSeconds) continue;
    const weight = before === undefined ? 1 : counts!.points[i!]![1] - before[1];
    if (!(weight > 0)) continue;
    sum += weight * value;
    weights += weight;
  }
  return weights > 0 ? sum / weights : undefined;
}
