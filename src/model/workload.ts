import type { LineCounts, LineExample, TimestampMeaning } from './access-log.ts';
import type { Distribution } from './distribution.ts';
import type { Notice } from './notice.ts';

/** One value of a parameter and how often the log has it. */
export interface ParameterValue {
  readonly value: string;
  readonly count: number;
}

/** How often each value of one route parameter was asked for. */
export interface ParameterPopularity {
  /** `id` for `[id]` in the path, the query name for a query parameter. */
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly requestCount: number;
  readonly distinctCount: number;
  /** Maximum-likelihood Zipf exponent over ranks; 0 is uniform. */
  readonly zipfExponent: number;
  /** `uniform` when a Zipf fit is no better than equal shares. */
  readonly kind: 'uniform' | 'zipf' | 'too-few-repeats' | 'constant';
  /** Most frequent first, at most 20; ties in order of value. */
  readonly top: readonly ParameterValue[];
}

/**
 * The concrete request targets (path and query as sent) of one class. Whole targets, not single values, so
 * that parameters that belong together stay together.
 */
export interface TargetSet {
  /** `uniform`: every target equally likely. `counted`: in proportion to `counts`. */
  readonly draw: 'uniform' | 'counted';
  readonly targets: readonly string[];
  /** Beside `targets`; missing when `draw` is `uniform`. */
  readonly counts?: readonly number[];
  /** Distinct targets in the log; more than `targets.length` when the list was capped. */
  readonly distinctCount: number;
}

/** Requests that belong together: one method and one route. */
export interface RequestClass {
  /** `GET /books/[id]`: unique in the model. */
  readonly id: string;
  readonly method: string;
  readonly route: string;
  readonly requestCount: number;
  /** Share of all requests of the model, 0–1; shares sum to 1. */
  readonly shareRatio: number;
  readonly responseTimeSeconds?: TimeSummary;
  readonly parameters: readonly ParameterPopularity[];
  readonly targets: TargetSet;
}

export interface TimeSummary {
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly count: number;
}

/** The workload a log carries: what `shipload model --json` prints and `workload.json` holds. */
export interface WorkloadModel {
  readonly kind: 'workload';
  readonly schemaVersion: 1;
  /** File names without folders. */
  readonly files: readonly string[];
  /** Name of the log format, from the format list. */
  readonly format: string;
  readonly timestampMeaning: TimestampMeaning;
  readonly lines: LineCounts;
  readonly lineExamples: readonly LineExample[];
  /** Seconds since the epoch; `rule` is what was asked for (`all`, `busiest:15m`, `FROM..TO`). */
  readonly window: { readonly rule: string; readonly fromSeconds: number; readonly toSeconds: number };
  readonly requestCount: number;
  readonly clientCount: number;
  /** From the first to the last request start in the window, or the window's own length where it was cut. */
  readonly spanSeconds: number;
  /** X = requests / span. */
  readonly throughputPerSecond: number;
  /** Fullest 60 s bin, bins counted from the first request. */
  readonly busiestMinutePerSecond: number;
  /** Requests per 60 s bin from the first request. */
  readonly requestsPerMinute: readonly number[];
  /** Z, from gaps between a client's requests (previous end to next start) within sessions. `mean` = `meanSeconds`. */
  readonly thinkTimeSeconds?: {
    readonly mean: number;
    readonly p50: number;
    readonly count: number;
    readonly distribution: Distribution;
  };
  /** R; missing when the log has no durations. */
  readonly responseTimeSeconds?: TimeSummary;
  /** M = X(R + Z), the users who must loop to make X; missing where Z is not known. */
  readonly activeUsers?: number;
  readonly sessions?: {
    readonly timeoutSeconds: number;
    readonly count: number;
    readonly requestsPerSession: number;
  };
  readonly requestClasses: readonly RequestClass[];
  readonly warnings: readonly Notice[];
}
