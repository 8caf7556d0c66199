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
  /** Values that exist but were not asked for in the log, at least: Chao1 less those seen; missing when none is likely. */
  readonly unseenCount?: number;
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

/** Requests that no user made, by what made them. */
export interface AutomatedTraffic {
  readonly kind: 'bot' | 'health-check' | 'scanner';
  readonly clientCount: number;
  readonly requestCount: number;
  /** Share of all requests of the model, 0–1. */
  readonly shareRatio: number;
}

/** What another session timeout would make of the same log. */
export interface TimeoutPoint {
  readonly timeoutSeconds: number;
  readonly sessionCount: number;
  /** Z with that timeout. */
  readonly thinkTimeSeconds: number;
  /** M with that timeout. */
  readonly activeUsers: number;
}

/** A parameter whose values were replaced because they look like secrets or personal data. */
export interface ReplacedValues {
  readonly name: string;
  readonly in: 'path' | 'query';
  /** Distinct values replaced. */
  readonly valueCount: number;
}

/** So many sessions of so many steps. */
export interface SessionSize {
  /** A mean, and no whole number, where sizes are put together. */
  readonly stepCount: number;
  readonly sessionCount: number;
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
  /** From the first to the last request start in the window, at least 1 s; the window's own length where it was cut. */
  readonly spanSeconds: number;
  /** X = requests / span. */
  readonly throughputPerSecond: number;
  /** Fullest minute of the clock (UTC), as other tools count; of a window cut from the log the fullest of its own. */
  readonly busiestMinutePerSecond: number;
  /** Requests per 60 s bin from the first request; empty for a log of more than a year. */
  readonly requestsPerMinute: readonly number[];
  /**
   * What the lines themselves say, bad requests with them, for comparison with other counts of the log: stamps are as
   * logged, those of ends where the log stamps ends. Missing where no line is stamped.
   */
  readonly logged?: {
    readonly clientCount: number;
    readonly firstSeconds: number;
    readonly lastSeconds: number;
    /** The minute of the clock (UTC) with the most lines, the earliest of several. */
    readonly busiestMinute: { readonly fromSeconds: number; readonly lineCount: number };
  };
  /** The whole log around a window that was cut from it; bins of 60 s or whole multiples, at most 1,440. */
  readonly wholeLog?: {
    readonly fromSeconds: number;
    readonly binSeconds: number;
    readonly requestsPerBin: readonly number[];
  };
  /** Z, from gaps between a client's requests (previous end to next start) within sessions. `mean` = `meanSeconds`. */
  readonly thinkTimeSeconds?: {
    readonly mean: number;
    readonly p50: number;
    readonly count: number;
    readonly distribution: Distribution;
    /** Half the width of the 95 % interval of the mean, clients being the independent pieces. */
    readonly marginSeconds?: number;
    /** Gaps of less than a step of the stamps, either way: their length is not known, but they count in the mean. */
    readonly unresolvedCount?: number;
    /** Gaps negative by a step of the stamps or more: the next request began before the last one ended. */
    readonly negativeCount?: number;
  };
  /** R; missing when the log has no durations, or too few to speak for all requests. */
  readonly responseTimeSeconds?: TimeSummary;
  /** Requests with a duration, where only some have one; then R weights each class by its share of all requests. */
  readonly timedRequestCount?: number;
  /**
   * M = X(R + Z), the users who must loop to make X; missing where Z is not known. X, R and Z are those of the
   * users' steps (`steps`), which are the requests themselves where nothing was set apart.
   */
  readonly activeUsers?: number;
  /**
   * Pause before each single request with which M users make the whole X, where a step is several requests or
   * some requests are automated; elsewhere it is Z itself and missing.
   */
  readonly requestThinkTimeSeconds?: Distribution;
  /** What tells one client from another, the best that the log has. */
  readonly clientKey?: 'user' | 'address-and-agent' | 'address';
  /** What users do: a page with all that it loads, or calls fired together, is one step. */
  readonly steps?: {
    readonly count: number;
    readonly perSecond: number;
    readonly requestsPerStep: number;
    /** Mean from the first start to the last end of a step; 0 in a log without durations. */
    readonly responseTimeSeconds: number;
  };
  /** Bots, health checks and scanners: in X and the mix, apart from users and think time. Missing: none. */
  readonly automated?: readonly AutomatedTraffic[];
  /** Clients that stand for several users each; Z is taken from the others. Missing: none. */
  readonly sharedClients?: { readonly clientCount: number; readonly requestCount: number };
  readonly sessions?: {
    readonly timeoutSeconds: number;
    readonly count: number;
    readonly requestsPerSession: number;
    readonly stepsPerSession?: number;
    readonly perSecond?: number;
    /** From the first start to the last end. */
    readonly meanLengthSeconds?: number;
    /** Time average of open sessions = sessions per second · mean length; less than M by the pause after the last step. */
    readonly activeMean?: number;
    /** Sessions of one step: they have no think time. */
    readonly singleStepCount?: number;
    /** Sessions that may go on beyond an edge of the window. */
    readonly atEdgeCount?: number;
    /** Sessions by their number of steps, in rising order, at most 200; clients of several users left out. */
    readonly sizes?: readonly SessionSize[];
    readonly timeoutCurve?: readonly TimeoutPoint[];
  };
  /** Replaced in targets, top values and examples; missing: none. */
  readonly replacedValues?: readonly ReplacedValues[];
  readonly requestClasses: readonly RequestClass[];
  readonly warnings: readonly Notice[];
}
