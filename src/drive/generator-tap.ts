import type { CounterReading, CounterSource } from '../counters/counter-source.ts';
import type { GeneratorProbe } from './recorder.ts';

/** Lets the frame and the counter sample of a second tell the same reading of the generator's own counters. */
export function tapGenerator(source: CounterSource): {
  readonly generator: CounterSource;
  readonly probe: GeneratorProbe;
} {
  let latest = source.read();
  let cpuSecondsBefore = valueOf(latest, 'cpuSeconds');
  return {
    generator: {
      name: source.name,
      get gone() {
        return source.gone;
      },
      read: () => (latest = source.read()),
      close: () => source.close(),
    },
    probe: {
      read: () => {
        const cpuSeconds = valueOf(latest, 'cpuSeconds');
        const used = cpuSeconds - cpuSecondsBefore;
        cpuSecondsBefore = cpuSeconds;
        return { cpuSeconds: used, eventLoopDelayMaxSeconds: valueOf(latest, 'eventLoopDelayMaxSeconds') };
      },
    },
  };
}

function valueOf(readings: readonly CounterReading[], quantity: string): number {
  return readings.find((reading) => reading.quantity === quantity)?.value ?? 0;
}
