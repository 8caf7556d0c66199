import type { Analysis, Confirmation, Isolation, RemedyOption } from './analysis.ts';
import type { Guess, ScoredGuess } from './guess.ts';
import type { Interval } from './distribution.ts';
import type { ImportedRun } from './imported.ts';
import type { LoadPlan } from './load.ts';
import type { RunTotals, StepMeasurement } from './measurement.ts';
import type { Notice } from './notice.ts';
import type { ShapeResult } from './shape-result.ts';
import type { Target, Verdict } from './verdict.ts';
import type { WorkloadModel } from './workload.ts';

export interface Environment {
  readonly shiploadVersion: string;
  readonly nodeVersion: string;
  readonly platform: string;
  readonly cpuModel: string;
  /** Logical processors of the machine, and how many this process may use. */
  readonly machineCoreCount: number;
  readonly usableCoreCount: number;
  readonly memoryBytes: number;
  /** Missing: the system moved everything as it liked. */
  readonly pinning?: Pinning;
}

/** Cores by number that the generator, and a service that was started, were kept to. */
export interface Pinning {
  readonly generatorCores: readonly number[];
  /** Missing: the service ran already and was left where it was. */
  readonly serviceCores?: readonly number[];
}

/** A machine that made a part of the load. Times are seconds. */
export interface AgentRecord {
  readonly name: string;
  readonly nodeVersion: string;
  readonly platform: string;
  readonly coreCount: number;
  /** Why it might load the service, found by itself. */
  readonly proof: string;
  /** How far its seconds may lie beside the coordinator's (± half of the shortest round trip), and drifted beyond. */
  readonly clockUncertaintySeconds: number;
  readonly clockDriftSeconds: number;
  /** Its wall clock less the coordinator's: to read its logs, and used for nothing else. */
  readonly wallClockOffsetSeconds: number;
  /** Actual less set start, by its own clock; missing: it never said. */
  readonly startLateSeconds?: number;
  /** Events it sent, and requests they add up to. */
  readonly eventCount: number;
  readonly sentCount: number;
  /** Whether all its events are here and add up to what it says that it sent. */
  readonly isWhole: boolean;
  readonly lost?: { readonly atSeconds: number; readonly reason: string };
}

/** How the service was reached, started and watched. */
export interface ServiceUnderTest {
  /** Where the load went; of a table that was imported, the name of its file. */
  readonly url: string;
  readonly startCommand?: string;
  readonly pid?: number;
  /** m: cores the service can use, and where the figure comes from. */
  readonly serverCount?: number;
  readonly serverCountSource?: string;
  readonly sameHost: boolean;
  /** Why load may go there: `own address`, `container db`, `allowed at 50/s until …`, `token on the service`. */
  readonly proof?: string;
}

/** What was run, with which options: enough for another engineer to run it again. */
export interface RunManifest {
  readonly kind: 'run';
  readonly schemaVersion: 1;
  readonly label: string;
  readonly startedAt: string;
  /** How it ended; `running` in a folder whose run was killed. */
  readonly state: 'running' | 'completed' | 'interrupted' | 'service-gone' | 'too-many-errors' | 'agent-lost';
  /** The command line, so that it can be repeated. */
  readonly command: readonly string[];
  readonly plan: LoadPlan;
  readonly service: ServiceUnderTest;
  readonly targets: readonly Target[];
  readonly marginRatio: number;
  /** Load of the judged step where a target names none: the log's M. */
  readonly peakLoad?: number;
  /** What a person expected, said before the run. */
  readonly guess?: Guess;
  readonly environment: Environment;
  /** Missing: the load was made by this process. */
  readonly agents?: readonly AgentRecord[];
}

/** Everything of one run. It holds the measurements, so that newer rules can read old runs again. */
export interface RunRecord {
  readonly manifest: RunManifest;
  readonly workload?: WorkloadModel;
  /** Of a run that another tool made. */
  readonly imported?: ImportedRun;
  readonly measurements: readonly StepMeasurement[];
  readonly totals?: RunTotals;
  /** Missing: the shape only measures. */
  readonly shapeResult?: ShapeResult;
  readonly analysis: Analysis;
  readonly verdict: Verdict;
  readonly isolation?: Isolation;
  readonly options?: readonly RemedyOption[];
  /** The guesses of the manifest beside what was measured. */
  readonly guesses?: readonly ScoredGuess[];
  /** The experiments that `--confirm` made; the findings' confidences take them into account. */
  readonly confirmations?: readonly Confirmation[];
  /** What was said of the plan before the run. */
  readonly planNotices?: readonly Notice[];
  /** What carries over from this run and what does not. */
  readonly limits: readonly string[];
}

export interface ComparedMetric {
  /** `throughputPerSecond at 200 users`, `p95 /search at 200 users`, `utilizationRatio.cpu at 200 users` … */
  readonly name: string;
  readonly load?: number;
  readonly before: number;
  readonly after: number;
  /** after / before; missing when before is 0. */
  readonly ratio?: number;
  readonly interval?: Interval;
  /** Of the stored A/A runs of this plan: differences within ± this share are noise. */
  readonly noiseFloorRatio?: number;
  readonly unit: 'seconds' | 'perSecond' | 'ratio' | 'count' | 'bytes' | 'users';
  readonly better: 'lower' | 'higher';
  readonly verdict: 'changed' | 'no change shown' | 'indicative';
}

/** One figure over several runs of one plan. */
export type MetricSpread = Pick<ComparedMetric, 'name' | 'load' | 'unit' | 'better'> & {
  readonly median: number;
  readonly low: number;
  readonly high: number;
};

/** How far equal runs of one plan on one machine lie apart. */
export interface NoiseFloor {
  readonly kind: 'noise-floor';
  readonly schemaVersion: 1;
  /** What two plans share whose runs can be compared. */
  readonly planHash: string;
  readonly machine: string;
  readonly runCount: number;
  /** Metric → the 95 % quantile, over all pairs of runs, of the larger value over the smaller, less 1. */
  readonly ratios: Readonly<Record<string, number>>;
}

/** A prediction made before the change, beside what was measured after it. */
export interface ScoredPrediction {
  readonly option: string;
  readonly quantity: string;
  readonly predicted: number;
  readonly measured: number;
  readonly unit: ComparedMetric['unit'];
  /** measured / predicted − 1; missing when predicted is 0. */
  readonly errorRatio?: number;
  /** The largest error, either way, at which the prediction is kept; missing where none is set. */
  readonly limitRatio?: number;
  /** Where a limit is set. */
  readonly outcome?: 'kept' | 'missed';
}

/** Did the knee move? Medians over the runs of each side, with the widest of their intervals. */
export interface KneeShift {
  readonly before?: number;
  readonly beforeInterval?: Interval;
  readonly after?: number;
  readonly afterInterval?: Interval;
  /** `not shown`: the intervals overlap; `unknown`: a side has no knee. */
  readonly verdict: 'moved' | 'not shown' | 'unknown';
  /** One sentence with the figures. */
  readonly text: string;
}

export interface Comparison {
  readonly before: {
    readonly label: string;
    readonly runCount: number;
    readonly decision: Verdict['decision'];
  };
  readonly after: {
    readonly label: string;
    readonly runCount: number;
    readonly decision: Verdict['decision'];
  };
  readonly metrics: readonly ComparedMetric[];
  readonly kneeShift?: KneeShift;
  readonly predictions: readonly ScoredPrediction[];
  readonly regression: boolean;
  readonly notices: readonly Notice[];
}
