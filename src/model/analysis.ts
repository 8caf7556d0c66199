import type { Interval } from './distribution.ts';
import type { Notice } from './notice.ts';

/** Percentiles of one route at one step. Missing: not measured, or not in the table that was imported. */
export interface RoutePercentiles {
  readonly p50Seconds?: number;
  readonly p95Seconds?: number;
  readonly p99Seconds?: number;
  readonly meanSeconds?: number;
  readonly maxSeconds?: number;
  /** Samples behind the percentiles; missing when not known (imported tables). */
  readonly sampleCount?: number;
  /** 95 % order-statistic intervals, where the counts are known; `high` missing: no finite upper limit at this count. */
  readonly p95Interval?: { readonly low: number; readonly high?: number };
  readonly p99Interval?: { readonly low: number; readonly high?: number };
  /** Of a tool that tells percentiles and no samples: all it told, as percentile (0–100) and seconds. They never join others. */
  readonly reported?: {
    readonly by: string;
    readonly percentiles: readonly (readonly [percentile: number, seconds: number])[];
  };
  readonly throughputPerSecond?: number;
}

/** Resource name → value. Names: `cpu`, `busiestThread`, `machineCpu`, `disk`, `generator` … */
export type ByResource = Readonly<Record<string, number>>;

/** One row of the step table: one step over its steady part. SI units. */
export interface StepRow {
  readonly index: number;
  /** Of a run whose steps are parts in time and not the points of a curve: `window 3`, `burst`. */
  readonly part?: string;
  /** Closed loop with think time: users N. Exactly one of the three is present. */
  readonly users?: number;
  /** Closed loop without think time: workers. */
  readonly concurrency?: number;
  readonly arrivalRatePerSecond?: number;
  /** Share of writes asked for, in a run that varies it. */
  readonly writeRatio?: number;
  /** Open loop: requests sent a second, to hold against the rate asked for; missing in imported tables. */
  readonly sentPerSecond?: number;
  /** Open loop: arrivals that found `maxInFlight` requests unanswered, and were not sent. */
  readonly droppedCount?: number;
  /** T, first to last counter sample. Missing in imported tables that do not say. */
  readonly windowSeconds?: number;
  /** C, successful completions in the window. */
  readonly completionCount?: number;
  /** X = C / T. */
  readonly throughputPerSecond: number;
  /** Standard error of X by batch means; missing when slices are not known. */
  readonly throughputStandardErrorPerSecond?: number;
  readonly errorCount: number;
  readonly errorRatio: number;
  /** The table says nothing of how many requests failed: `errorCount` is 0 for want of a figure. */
  readonly errorCountUnknown?: true;
  /** The table says nothing of the share that failed: `errorRatio` is 0 for want of a figure. */
  readonly errorRatioUnknown?: true;
  /** R: mean response time of successes and timeouts. */
  readonly responseTimeSeconds?: number;
  /** Percentiles over all routes. */
  readonly overall: RoutePercentiles;
  readonly byRoute: Readonly<Record<string, RoutePercentiles>>;
  /** Z as realised. */
  readonly thinkTimeSeconds?: number;
  readonly meanInFlight?: number;
  /** B: busy CPU seconds of the watched process in the window. */
  readonly busySeconds?: ByResource;
  /** U = busy seconds / (T·m); gauges of use (machine CPU, disk) stand here too. */
  readonly utilizationRatio: ByResource;
  /** D = U·m / X. */
  readonly serviceDemandSeconds: ByResource;
  readonly serverCount: ByResource;
  /** (X(R+Z) − N) / N, signed; missing where a term is. */
  readonly littleResidualRatio?: number;
  readonly machineCpuRatio?: number;
  readonly machineCoreCount?: number;
  readonly loadPerCore?: number;
  readonly runQueuePerCore?: number;
  readonly diskBusyRatio?: number;
  readonly residentBytes?: number;
  /** RSS at the end minus at the start of the window. */
  readonly residentGrowthBytes?: number;
  readonly descriptorCount?: number;
  readonly threadCount?: number;
  /** Hits over hits and misses of the service's cache in the window, where it counts them. */
  readonly cacheHitRatio?: number;
  readonly generator?: GeneratorRow;
  readonly valid: boolean;
  /** Why not, or what is doubtful. */
  readonly notices: readonly Notice[];
}

/** How the generator of a step was. */
export interface GeneratorRow {
  readonly utilizationRatio: number;
  readonly scheduleLagP99Seconds?: number;
  /** Each worker by name, where several made the load. */
  readonly workers?: readonly GeneratorWorkerRow[];
}

export interface GeneratorWorkerRow {
  readonly name: string;
  readonly cpuSeconds: number;
  readonly utilizationRatio: number;
  readonly scheduleLagP99Seconds?: number;
  readonly eventLoopDelayMaxSeconds: number;
}

/** N*: where the light-load line and the plateau cross, where the data carry it. */
export interface Knee {
  readonly seen: boolean;
  /** Why it was or was not seen, in a line with figures. */
  readonly reason: string;
  readonly users?: number;
  readonly interval?: Interval;
  /** When not seen: N* is higher than this in 97.5 %. */
  readonly lowerBound?: number;
  /** When the sweep may start above the knee: N* is lower than this in 97.5 %. */
  readonly upperBound?: number;
  /** [last step before the bend, first step after]. */
  readonly bend?: Interval;
  /** Load and throughput of the step with the highest X. `reached`: X fell after it, or was level there. */
  readonly peak?: { readonly load: number; readonly throughputPerSecond: number; readonly reached: boolean };
  /** X rose beyond its error up to the last step: no plateau was reached, the highest X is a lower bound of C. */
  readonly rise?: CurveRise;
  /** C: the plateau where X levelled off; else the saturation estimate, then named in `capacitySource`. */
  readonly capacityPerSecond?: number;
  /** `highest-measured`: C and what is planned on it are lower bounds. */
  readonly capacitySource?: 'plateau' | 'asymptote' | 'highest-measured';
  /** 0.70 · C. */
  readonly planForPerSecond?: number;
  /** The loads that use 50–70 % of the capacity. */
  readonly operatingBand?: Interval;
  /** Throughput falls beyond the peak by more than noise. */
  readonly degradation?: {
    readonly fromLoad: number;
    readonly lossRatio: number;
    /** Only the last step is lower: a step more must tell whether X stays there. */
    readonly isLastStepOnly?: true;
  };
}

/** How X still rose at the end of a curve: by `gainRatio` of the highest X between two loads. */
export interface CurveRise {
  readonly fromLoad: number;
  readonly toLoad: number;
  readonly gainRatio: number;
}

/** The crossing from the asymptotes: (R0+Z)·X_plateau and (D+Z)/Dmax. */
export interface Saturation {
  readonly users: number;
  /** It rests on the highest X alone, and that still rose: the crossing lies here or beyond. */
  readonly isLowerBound?: true;
  /** The sweep may start above the knee, where N/X is more than R₀ + Z: the crossing lies below the interval's end. */
  readonly isUpperBound?: true;
  readonly interval: Interval;
  readonly method: string;
}

/** Another method's answer to the same question, printed beside ours. */
export interface CrossCheck {
  readonly method: string;
  /** Missing: the method gives no answer here. */
  readonly users?: number;
  readonly standardError?: number;
  readonly note: string;
}

export interface UslFit {
  readonly throughputAtOnePerSecond: number;
  /** α ≥ 0 and β ≥ 0 (held at the bound where the free optimum is below). */
  readonly contention: number;
  readonly contentionStandardError: number;
  readonly coherency: number;
  readonly coherencyStandardError: number;
  /** √((1−α)/β), only when β is beyond its error and the peak lies within the data. */
  readonly peakUsers?: number;
  readonly note: string;
}

export interface Evidence {
  readonly stepIndex?: number;
  readonly quantity: string;
  readonly value: number;
  readonly unit: string;
  /** A line for a reader. */
  readonly text: string;
}

/** What an experiment reads: after over before is compared with the experiment's limits. */
export type ExperimentQuantity =
  | 'throughputPerSecond'
  | 'responseTimeSeconds'
  | 'p50Seconds'
  | 'p95Seconds'
  | 'errorRatio'
  | 'utilizationRatio.cpu'
  | 'residentBytes'
  | 'residentGrowthBytes'
  | 'descriptorCount';

/** Limits of a ratio; both missing: never within. */
export interface RatioLimits {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/**
 * An experiment that would decide a finding, as `--confirm` runs it.
 *
 * - `leave-out-route`: the same load without `route`, the others at their rates.
 * - `double-load`: twice the users (workers, arrivals).
 * - `light-load`: one user, or a tenth of the arrivals.
 * - `load-off`: nothing for a while; then the gauges are read again.
 * - `repeat-load`: the same step once more.
 */
export interface Experiment {
  readonly kind: 'leave-out-route' | 'double-load' | 'light-load' | 'load-off' | 'repeat-load';
  readonly route?: string;
  /** The step it starts from and is compared with; missing: the valid step of the highest load. */
  readonly stepIndex?: number;
  readonly reads: { readonly quantity: ExperimentQuantity; readonly route?: string };
  /** The finding holds where after / before lies within, and does not where it lies within `refutes`. */
  readonly supports: RatioLimits;
  readonly refutes: RatioLimits;
}

/** What a diagnosis rule claims, with what speaks for and against it. */
export interface Finding {
  readonly ruleId: string;
  readonly claim: string;
  readonly confidence: 'high' | 'medium' | 'low';
  readonly resource?: string;
  /** The route the finding is about: for a one-lane bridge the route that blocks. */
  readonly route?: string;
  readonly evidence: readonly Evidence[];
  readonly counterEvidence: readonly Evidence[];
  /** The cheapest experiment that would decide. */
  readonly nextExperiment?: string;
  /** The same as something that can be run. */
  readonly experiment?: Experiment;
}

/** An experiment that was made (or not), and what it says of the finding that asked for it. */
export interface Confirmation {
  readonly ruleId: string;
  readonly route?: string;
  readonly experiment: Experiment;
  /** The quantity it reads, before and after, and after / before; missing where either is not known. */
  readonly before?: number;
  readonly after?: number;
  readonly ratio?: number;
  readonly outcome: 'supports' | 'refutes' | 'undecided' | 'not-run';
  readonly text: string;
  /** How long it took. */
  readonly seconds: number;
}

/** One route alone. */
export interface IsolatedRoute {
  readonly route: string;
  readonly requestClassId: string;
  /** Share of requests in the workload. */
  readonly shareRatio: number;
  readonly users: number;
  readonly completionCount: number;
  readonly throughputPerSecond: number;
  readonly windowSeconds: number;
  /** U = busy / (T·m). */
  readonly utilizationRatio: number;
  /** D_cpu = busy CPU seconds / completions. */
  readonly serviceDemandSeconds: number;
  /** Response time when nothing waits: the lower percentiles of the isolated run. */
  readonly p50Seconds: number;
  readonly p95Seconds: number;
  /** R0: mean response time of one user alone, or at a CPU that idles; missing where requests waited. */
  readonly meanSeconds?: number;
  /** Quantiles of order i / 100 of the same response times. */
  readonly quantileSeconds?: readonly number[];
  /** Time a lock was held a request, as the service counts it (`lockHeldSeconds`); missing where it does not. */
  readonly lockHeldSeconds?: number;
  /** CPU seconds of a request on the busiest thread, a part of D; missing where threads are not told apart. */
  readonly threadDemandSeconds?: number;
  /** Users at whom D, the thread's part and the lock's time were measured; missing where `users` are. */
  readonly demandUsers?: number;
  readonly errorCount: number;
  /** shareRatio·D / Σ(shareRatio·D). */
  readonly shareOfWorkRatio: number;
}

export interface Isolation {
  readonly routes: readonly IsolatedRoute[];
  /** Largest demand over smallest. */
  readonly demandRatio: number;
  /** D of the mix: Σ shareRatio·D. */
  readonly mixDemandSeconds: number;
  readonly serverCount: number;
  readonly notices: readonly Notice[];
}

/** What could be done about the bottleneck, with the effect predicted at the peak. */
export interface RemedyOption {
  readonly id: string;
  readonly option: string;
  readonly effect: string;
  readonly predicted: {
    readonly users: number;
    readonly throughputPerSecond: number;
    readonly utilizationRatio: number;
    readonly saturationUsers: number;
    readonly p95ByRoute: Readonly<Record<string, number>>;
  };
  readonly verdict: 'chosen' | 'fallback' | 'partial' | 'no';
  readonly reason: string;
  /** Why the option cannot be taken here; `predicted` is then the peak as measured. */
  readonly notOpen?: string;
}

/** Resources of the USE table, in its order. */
export type UseResource =
  | 'cpu'
  | 'busiestThread'
  | 'pool'
  | 'databaseLock'
  | 'disk'
  | 'network'
  | 'connections'
  | 'memory';

/** A figure of the USE table with a line for a reader. */
export interface UseFigure {
  readonly value: number;
  readonly unit: 'ratio' | 'perSecond' | 'bytesPerSecond' | 'count';
  readonly text: string;
}

/**
 * One resource at one step: how busy it was, how much waited for it, what failed at it (Gregg's USE method). A figure that
 * no counter gives is missing; `unknown` where nothing is known of the resource at all.
 */
export interface UseRow {
  readonly resource: UseResource;
  readonly utilization?: UseFigure;
  readonly saturation?: UseFigure;
  readonly errors?: UseFigure;
  readonly verdict: 'full' | 'busy' | 'free' | 'unknown';
  readonly reason: string;
}

/** The USE table of the valid step of the highest load. */
export interface UseTable {
  readonly stepIndex: number;
  readonly rows: readonly UseRow[];
}

/** Response times of one step as the service counts them itself, beside the client's. */
export interface ResponseSplit {
  readonly stepIndex: number;
  readonly clientP50Seconds: number;
  readonly clientP95Seconds?: number;
  readonly serviceP50Seconds: number;
  readonly serviceP95Seconds?: number;
  /** Service over client, medians: what of the time goes by inside the service. */
  readonly insideRatio: number;
}

export interface Analysis {
  readonly steps: readonly StepRow[];
  readonly knee: Knee;
  readonly saturation?: Saturation;
  readonly usl?: UslFit;
  readonly crossChecks: readonly CrossCheck[];
  readonly findings: readonly Finding[];
  readonly notices: readonly Notice[];
  readonly useTable?: UseTable;
  /** Of every step of which the service tells its own medians. */
  readonly responseSplits?: readonly ResponseSplit[];
}
