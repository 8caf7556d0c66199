import type { CounterSeries } from '../model/measurement.ts';
import type { CounterReading, CounterSource } from './counter-source.ts';

/** Readings of several sources on one clock. */
export interface Sampler {
  /** Reads every source now and files the values under `atSeconds` (seconds since the run's start). */
  sample(atSeconds: number): void;
  /** All series, cut to the samples of [fromSeconds, toSeconds]; a series without a point there is left out. */
  between(fromSeconds: number, toSeconds: number): readonly CounterSeries[];
  /** Names of the sources whose object has ended. */
  goneSources(): readonly string[];
  close(): void;
}

interface GrowingSeries extends Omit<CounterSeries, 'points'> {
  readonly points: [atSeconds: number, value: number][];
}

/** Samples `sources` together, so that all counters of one sample belong to one moment. */
export function createSampler(sources: readonly CounterSource[]): Sampler {
  const series = new Map<string, GrowingSeries>();
  return {
    sample(atSeconds) {
      for (const source of sources) {
        for (const reading of source.read())
          seriesOf(series, reading).points.push([atSeconds, reading.value]);
      }
    },
    between: (fromSeconds, toSeconds) =>
      [...series.values()]
        .map((one) => ({
          ...one,
          points: one.points.filter(([atSeconds]) => atSeconds >= fromSeconds && atSeconds <= toSeconds),
        }))
        .filter((one) => one.points.length > 0),
    goneSources: () => sources.filter((source) => source.gone).map((source) => source.name),
    close: () => sources.forEach((source) => source.close()),
  };
}

function seriesOf(series: Map<string, GrowingSeries>, reading: CounterReading): GrowingSeries {
  const key = `${reading.source} ${reading.quantity}`;
  const known = series.get(key);
  if (known !== undefined) return known;
  const { value: _, ...description } = reading;
  const created = { ...description, points: [] };
  series.set(key, created);
  return created;
}
