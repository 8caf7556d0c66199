import type { ByResource } from './analysis.ts';
import type { Notice } from './notice.ts';

/** One step of a curve before it is measured; with a run, beside what was measured. SI units. */
export interface PredictedStep {
  /** Users, or workers where there is no think time. */
  readonly users: number;
  readonly throughputPerSecond: number;
  /** R = N/X − Z. */
  readonly responseTimeSeconds: number;
  /** Mean response time by route. */
  readonly byRoute: Readonly<Record<string, number>>;
  /** p95 by route, from a simulation of the same stations; missing where none was made. */
  readonly p95ByRoute?: Readonly<Record<string, number>>;
  /** U = X·D / m of `cpu`, and of the `pool` or `lock` where there is one. */
  readonly utilizationRatio: ByResource;
  readonly measured?: {
    readonly throughputPerSecond: number;
    readonly responseTimeSeconds?: number;
    readonly cpuUtilizationRatio?: number;
  };
  /** predicted / measured − 1. */
  readonly throughputErrorRatio?: number;
  readonly responseTimeErrorRatio?: number;
}

/** How far a prediction was from the run, as means of the absolute error ratios over its valid steps. */
export interface PredictionError {
  readonly stepCount: number;
  readonly throughputRatio: number;
  /** Over the steps below saturation: beyond it R follows from X. */
  readonly responseTimeRatio?: number;
}

/** The step curve that demands, cores, a pool and the think time lead to. */
export interface Prediction {
  /** Where the demands come from: `isolated routes` or `the lowest step of the run`. */
  readonly basis: string;
  readonly method: string;
  /** The changes assumed, as written. */
  readonly whatIf: readonly string[];
  readonly thinkTimeSeconds: number;
  readonly serverCount: ByResource;
  /** D of the mix: of `cpu`, of the `pool` or `lock`, and `elsewhere`. */
  readonly serviceDemandSeconds: ByResource;
  /** The resource that is full first. */
  readonly bottleneck: string;
  /** min m/D. */
  readonly throughputLimitPerSecond: number;
  /** N* = (D + Z)·(m/D of the bottleneck). */
  readonly saturationUsers: number;
  readonly steps: readonly PredictedStep[];
  readonly error?: PredictionError;
  readonly notices: readonly Notice[];
}
