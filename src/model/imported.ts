import type { StepRow } from './analysis.ts';
import type { Notice } from './notice.ts';

/** The load of a step of another tool's run. */
export interface ImportedLoad {
  readonly kind: 'users' | 'concurrency' | 'arrivalRatePerSecond';
  readonly value: number;
  /** `reported` by the tool, `given` by who imports, `estimated` from the samples or from X·R. */
  readonly source: 'reported' | 'given' | 'estimated';
}

/** Response times as another tool summed them up. They are not samples: two of them cannot be added. */
export interface ReportedTimes {
  /** Percentile (0–100) and seconds, rising; by the tool's own definition and to its own precision. */
  readonly percentiles: readonly (readonly [percentile: number, seconds: number])[];
  readonly meanSeconds?: number;
  readonly maxSeconds?: number;
  readonly sampleCount?: number;
  readonly throughputPerSecond?: number;
}

/** One step as another tool reported it, where it tells no single request. What it does not tell is missing. */
export interface ReportedStep {
  readonly load: ImportedLoad;
  readonly windowSeconds?: number;
  /** Requests that ended, failed ones too. */
  readonly requestCount?: number;
  readonly errorCount?: number;
  /** Successes a second. */
  readonly throughputPerSecond: number;
  readonly throughputStandardErrorPerSecond?: number;
  readonly overall: ReportedTimes;
  readonly byRoute: Readonly<Record<string, ReportedTimes>>;
  readonly notices: readonly Notice[];
}

/** A line of a file that was not read, and why. */
export interface UnreadLine {
  readonly line: number;
  readonly reason: string;
  /** Its beginning. */
  readonly text: string;
}

/** How a run came here that another tool made. */
export interface ImportedRun {
  readonly tool: string;
  /** Name in the list of result formats: `k6-json`, `jtl-csv`, `wrk` … */
  readonly format: string;
  /** What the format was known by; `--format` where it was given. */
  readonly detectedBy: string;
  readonly files: readonly string[];
  /** When its first request was sent, ISO 8601; missing where the file tells no dates. */
  readonly startedAt?: string;
  readonly lines: {
    readonly total: number;
    readonly unread: number;
    readonly examples: readonly UnreadLine[];
  };
  /** Single requests behind the steps, or the tool's own summary figures. */
  readonly basis: 'samples' | 'summary' | 'table';
  /** What the file does not tell, in words. */
  readonly missing: readonly string[];
  /** What its figures mean, one sentence each. */
  readonly meaning: readonly string[];
  readonly notices: readonly Notice[];
  /** Of `summary`: the steps as reported. */
  readonly steps?: readonly ReportedStep[];
  /** Of `table`: its rows. */
  readonly rows?: readonly StepRow[];
}
