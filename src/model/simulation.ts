import type { Distribution } from './distribution.ts';

/** A place where requests are served in a simulated service. */
export interface Station {
  readonly name: string;
  /** Servers side by side; missing: as many as asked for (a delay, no queue). */
  readonly serverCount?: number;
}

/** One stay at a station. */
export interface Visit {
  readonly station: string;
  readonly service: Distribution;
  /** CPU seconds used per second of service: 1 on a processor, 0 in a wait. Missing: 1. */
  readonly cpuRatio?: number;
}

/**
 * A service made of first-come-first-served stations: the system that the virtual clock runs against, and
 * the model from which effects of a remedy are predicted.
 */
export interface SimulatedService {
  readonly stations: readonly Station[];
  /** By request class id: the visits of a request, one after the other. */
  readonly visits: Readonly<Record<string, readonly Visit[]>>;
}
