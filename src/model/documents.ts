import type { CheckCount, ScenarioPart } from './measurement.ts';
import type { Analysis, Confirmation, Isolation, RemedyOption } from './analysis.ts';
import type { Explanation } from './explanation.ts';
import type { ScoredGuess } from './guess.ts';
import type { ImportedRun } from './imported.ts';
import type { Growth, Step } from './load.ts';
import type { Prediction } from './prediction.ts';
import type { Comparison, RunManifest } from './record.ts';
import type { ShapeResult } from './shape-result.ts';
import type { Check, Target, Verdict } from './verdict.ts';
import type { WorkloadModel } from './workload.ts';

/** The load plan without its request targets: what was asked for, on one screen. */
export interface PlanSummary {
  readonly seed: number;
  readonly shape: string;
  readonly requests: readonly {
    readonly id: string;
    readonly method: string;
    readonly route: string;
    readonly shareRatio: number;
    readonly distinctTargetCount: number;
  }[];
  readonly thinkTimeSeconds?: {
    readonly mean: number;
    readonly min?: number;
    readonly max?: number;
    readonly kind: string;
  };
  readonly usersPerSecond?: number;
  readonly requestTimeoutSeconds: number;
  readonly steps: readonly Step[];
  readonly growth?: Growth;
  readonly writeId?: string;
  readonly speedFactor?: number;
}

/** The workload's figures without its targets and values. */
export interface WorkloadSummary {
  readonly files: readonly string[];
  readonly format: string;
  readonly window: WorkloadModel['window'];
  readonly requestCount: number;
  readonly clientCount: number;
  readonly spanSeconds: number;
  readonly throughputPerSecond: number;
  readonly busiestMinutePerSecond: number;
  readonly thinkTimeMeanSeconds?: number;
  readonly activeUsers?: number;
}

/** A check with its target as written; the parsed target stands beside it. */
export interface CheckDocument extends Omit<Check, 'target'> {
  readonly target: string;
  readonly goal: Target;
}

/** What `run`, `report` and `analyze` print with `--json`: the record without measurements and histograms. */
export interface ReportDocument extends Analysis {
  readonly kind: 'report';
  readonly schemaVersion: 1;
  readonly label: string;
  readonly startedAt: string;
  readonly state: RunManifest['state'];
  readonly command: readonly string[];
  readonly service: RunManifest['service'];
  readonly environment: RunManifest['environment'];
  /** Machines that made the load; missing: this process. */
  readonly agents?: NonNullable<RunManifest['agents']>;
  readonly peakLoad?: number;
  readonly plan: PlanSummary;
  readonly workload?: WorkloadSummary;
  /** Of a run that another tool made. */
  readonly imported?: Omit<ImportedRun, 'notices' | 'steps' | 'rows'>;
  readonly shapeResult?: ShapeResult;
  /** Of a run of a scenario, over the measured windows of all steps. */
  readonly scenario?: ScenarioSummary;
  readonly verdict: Omit<Verdict, 'checks'> & { readonly checks: readonly CheckDocument[] };
  readonly isolation?: Isolation;
  readonly options: readonly RemedyOption[];
  readonly guesses?: readonly ScoredGuess[];
  readonly confirmations?: readonly Confirmation[];
  readonly limits: readonly string[];
}

/** Journeys and checks of a scenario. */
export interface ScenarioSummary {
  readonly parts: readonly (Omit<ScenarioPart, 'duration'> & {
    readonly p50Seconds?: number;
    readonly p95Seconds?: number;
    readonly p99Seconds?: number;
  })[];
  readonly checks: readonly CheckCount[];
}

/** What `isolate` prints with `--json`. */
export interface IsolationDocument extends Isolation {
  readonly kind: 'isolation';
  readonly schemaVersion: 1;
}

/** What `compare` prints with `--json`. */
export interface ComparisonDocument extends Comparison {
  readonly kind: 'comparison';
  readonly schemaVersion: 1;
}

/** What `predict` prints with `--json`. */
export interface PredictionDocument extends Prediction {
  readonly kind: 'prediction';
  readonly schemaVersion: 1;
}

/** A run that a broker keeps. */
export interface BrokerRun {
  readonly runId: string;
  readonly startedAt: string;
  readonly label: string;
  readonly url: string;
  readonly agentCount: number;
  /** Whether its coordinator came to the end; otherwise it goes on, or the coordinator is gone. */
  readonly isConcluded: boolean;
}

/** What `report --nats URL` prints with `--json`: the runs that the broker keeps, the oldest first. */
export interface BrokerRunsDocument {
  readonly kind: 'broker-runs';
  readonly schemaVersion: 1;
  readonly runs: readonly BrokerRun[];
}

/** What `explain` prints with `--json`. */
export interface ExplanationDocument extends Explanation {
  readonly kind: 'explanation';
  readonly schemaVersion: 1;
}
