/** A load that a search tried, over all its steps. */
export interface LoadTrial {
  readonly load: number;
  readonly stepCount: number;
  readonly passes: boolean;
  /** Probability that every target holds there with its margin, by what was measured. */
  readonly passProbability: number;
  /** Why the step says nothing of the service (the generator was the limit, a target cannot be observed). */
  readonly blocked?: string;
}

/** The highest load that meets the targets with margin. */
export interface SearchResult {
  readonly kind: 'search';
  /** In order of load. */
  readonly trials: readonly LoadTrial[];
  readonly highestPassing?: number;
  readonly lowestFailing?: number;
  /** The border lies between these two with the confidence below, by all trials; missing on a side that is open. */
  readonly borderLow?: number;
  readonly borderHigh?: number;
  /** Missing where neither is known. In older runs: how sure both ends above were read right. */
  readonly confidenceRatio?: number;
  /** The two are as close as was asked for. */
  readonly isNarrow: boolean;
  readonly reason: string;
}

/** Where a service broke under a load that went on growing. */
export interface StressResult {
  readonly kind: 'stress';
  readonly brokenAt?: number;
  /** The highest load before it. */
  readonly highestHeld?: number;
  readonly reason: string;
}

/** How a service came back from a burst. */
export interface SpikeResult {
  readonly kind: 'spike';
  readonly recovered: boolean;
  /** From the end of the burst; missing: not within `observedSeconds`. */
  readonly recoveredAfterSeconds?: number;
  readonly observedSeconds: number;
  /** From the end of the burst until all that had queued up was answered; missing: not within what was watched. */
  readonly drainedAfterSeconds?: number;
  /** The least that the capacity allows: (λs − μ)·Ts/(μ − λb). Missing: μ did not show, or the loop is closed. */
  readonly expectedDrainSeconds?: number;
  readonly capacityPerSecond?: number;
  readonly baselineP95Seconds?: number;
  readonly worstP95Seconds?: number;
  /** In the burst and after it: failed, timed out, or never sent. Missing in older runs without a minute of base. */
  readonly lostCount?: number;
  /** Still in flight when the run ended; missing where all was answered. */
  readonly waitingCount?: number;
  readonly metastable: boolean;
  readonly reason: string;
}

/** One mix of a run that varies the share of writes. */
export interface WriteMix {
  readonly writeRatio: number;
  /** Share of writes among what was answered. */
  readonly measuredWriteRatio: number;
  readonly load: number;
  readonly throughputPerSecond: number;
  /** D = U·m/X of the mix; missing where no CPU was watched. */
  readonly serviceDemandSeconds?: number;
}

/** What a write costs beside a read, from two mixes: D = w·D_write + (1 − w)·D_read, twice. */
export interface WriteCostResult {
  readonly kind: 'write-cost';
  readonly mixes: readonly WriteMix[];
  readonly readDemandSeconds?: number;
  readonly writeDemandSeconds?: number;
  /** D_write/D_read; missing where the two mixes do not tell them apart. */
  readonly costRatio?: number;
  /** `demand`: from the service's CPU; `throughput`: from the highest X of each mix. */
  readonly basis: 'demand' | 'throughput';
  readonly reason: string;
}

/** What a run's shape set out to find. */
export type ShapeResult = SearchResult | StressResult | SpikeResult | WriteCostResult;
