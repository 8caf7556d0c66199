import type { CounterSeries } from '../model/measurement.ts';

/** One reading of one quantity; readings of one source keep their order from sample to sample. */
export interface CounterReading {
  readonly source: string;
  readonly quantity: string;
  readonly unit: CounterSeries['unit'];
  readonly kind: CounterSeries['kind'];
  readonly capacity?: number;
  /** Which one it is, where the quantity is of the busiest of several. */
  readonly label?: string;
  readonly value: number;
  /** How long ago the value stood there, for sources that answer from their last finished scrape. */
  readonly ageSeconds?: number;
}

/**
 * Reads counters of something: the watched process, the machine, the generator, a metrics page.
 * `read` is synchronous and cheap (well under a millisecond), so that a sample can be taken exactly where a
 * window opens and closes. Sources behind a network answer from their last finished scrape.
 */
export interface CounterSource {
  readonly name: string;
  read(): readonly CounterReading[];
  /** Set once what was watched is gone (process ended); readings then stop. */
  readonly gone: boolean;
  /** How it went, in words. */
  readonly goneReason?: string | undefined;
  close(): void;
}
