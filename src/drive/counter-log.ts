import type { CounterReading, CounterSource } from '../counters/counter-source.ts';
import type { CounterSeries } from '../model/measurement.ts';

/** All sources read at one moment. */
export interface CounterSample {
  readonly atSeconds: number;
  readonly readings: readonly CounterReading[];
}

/** Reads every source now. `atSeconds` is the caller's time since the run's start. */
export function sampleCounters(sources: readonly CounterSource[], atSeconds: number): CounterSample {
  return { atSeconds, readings: sources.flatMap((source) => source.read()) };
}

/** Turns samples into one series per source and quantity, in order of first appearance; capacity and label are the last ones. */
export function toSeries(samples: readonly CounterSample[]): readonly CounterSeries[] {
  const series = new Map<string, { head: CounterReading; points: [number, number][] }>();
  for (const { atSeconds, readings } of samples) {
    for (const reading of readings) {
      const key = `${reading.source}\n${reading.quantity}`;
      const known = series.get(key);
      const point: [number, number] = [atSeconds - (reading.ageSeconds ?? 0), reading.value];
      if (known === undefined) series.set(key, { head: reading, points: [point] });
      else {
        known.head = reading;
        known.points.push(point);
      }
    }
  }
  return [...series.values()].map(({ head, points }) => ({
    source: head.source,
    quantity: head.quantity,
    unit: head.unit,
    kind: head.kind,
    ...(head.capacity !== undefined && { capacity: head.capacity }),
    ...(head.label !== undefined && { label: head.label }),
    points,
  }));
}
