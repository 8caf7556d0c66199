import type { HistogramData } from './histogram.ts';
import type { ImportedLoad } from './imported.ts';
import type { Step } from './load.ts';
import type { Notice } from './notice.ts';

/** How a request ended. `error`: an answer or a failure that is no success; `dropped`: never sent (over maxInFlight). */
export type Outcome = 'ok' | 'error' | 'timeout' | 'dropped';

/** One counter over a stretch of the run. Times are seconds since the run's start, monotonic. */
export interface CounterSeries {
  /** The source's name in the list of counter sources: `process`, `machine`, `generator`, `prometheus` … */
  readonly source: string;
  /** What is counted: `cpuSeconds`, `rssBytes`, `threadCount`, `descriptorCount`, `loadPerCore` … */
  readonly quantity: string;
  readonly unit: 'seconds' | 'bytes' | 'count' | 'ratio' | 'perSecond';
  /** `cumulative` only grows; a rate is its difference over time. */
  readonly kind: 'gauge' | 'cumulative';
  /** What 100 % is, where it is known (cores for CPU, limit for descriptors). */
  readonly capacity?: number;
  /** Which one it is, where the quantity is of the busiest of several: a thread's name and number. */
  readonly label?: string;
  readonly points: readonly (readonly [atSeconds: number, value: number])[];
}

/** Counts and times of one route (or of all) over a frame or a window. */
export interface RouteMeasurement {
  readonly requestClassId: string;
  readonly route: string;
  /** Requests written to the wire. */
  readonly sentCount: number;
  readonly okCount: number;
  readonly errorCount: number;
  readonly timeoutCount: number;
  readonly droppedCount: number;
  /** Missing: another tool's run that does not tell. */
  readonly receivedBytes?: number;
  /** Successes and timeouts (at the time waited), from the intended start to the last byte. */
  readonly responseTime: HistogramData;
  /** The same population from the actual send. */
  readonly sendToReplyTime: HistogramData;
  /** Failures other than timeouts, apart, so that fast errors cannot flatter. */
  readonly failureTime: HistogramData;
}

/**
 * Response times of one route split by whether a request of another route was in flight when it was sent.
 * The black-box evidence for (or against) one route holding up another.
 */
export interface Interference {
  readonly route: string;
  readonly otherRoute: string;
  /** Sent while at least one request of `otherRoute` was in flight. */
  readonly withOther: HistogramData;
  readonly withoutOther: HistogramData;
}

/** One thread (or process) of a generator that is split over several; one core each. */
export interface WorkerHealth {
  /** `worker 1` … */
  readonly name: string;
  readonly cpuSeconds: number;
  /** CPU seconds / T. */
  readonly utilizationRatio: number;
  readonly scheduleLag: HistogramData;
  readonly eventLoopDelayMaxSeconds: number;
}

/** The generator's own condition over a stretch. */
export interface GeneratorHealth {
  readonly cpuSeconds: number;
  /** Cores it may use: 1 per worker thread. */
  readonly coreCount: number;
  /** CPU seconds / (T · cores). */
  readonly utilizationRatio: number;
  /** Actual minus intended start of every request. */
  readonly scheduleLag: HistogramData;
  /** Worst event-loop delay seen, seconds. */
  readonly eventLoopDelayMaxSeconds: number;
  /** Each worker by name, where the load is split over several. */
  readonly workers?: readonly WorkerHealth[];
}

/** What happened beneath the requests: connections and the requests nobody drew. */
export interface TransportMeasurement {
  /** Connections that stood, TLS included. */
  readonly connectionsOpenedCount: number;
  /** Requests sent because an answer redirected; the service counts them, `sentCount` does not. */
  readonly redirectsFollowedCount: number;
  /** From the begin of a connection until it stood, TLS included; part of the response times. */
  readonly connectTime: HistogramData;
  /** Requests that had to wait for the ceiling of the rate; missing: none. */
  readonly heldCount?: number;
}

/** A part of a scenario that was begun and came to its end, or did not: a journey, or a group in one. */
export interface ScenarioPart {
  /** `browse` for a journey, `browse/checkout` for a group of it. */
  readonly name: string;
  readonly kind: 'journey' | 'group';
  readonly endedCount: number;
  /** Those among them that threw. */
  readonly failedCount: number;
  /** Of a journey: checks on its answers that failed. */
  readonly failedCheckCount?: number;
  /** Of a journey that threw: how often after which request, by `METHOD route`; '' is before the first. */
  readonly brokeOffAfter?: Readonly<Record<string, number>>;
  /** From begin to end, pauses included; of those that did not throw. */
  readonly duration: HistogramData;
}

/** How often a check on answers passed. */
export interface CheckCount {
  /** Route, and what was checked: `GET /books: status 200`. */
  readonly name: string;
  readonly passedCount: number;
  readonly failedCount: number;
}

/** What a scenario counted besides its requests. */
export interface ScenarioMeasurement {
  readonly parts: readonly ScenarioPart[];
  readonly checks: readonly CheckCount[];
}

/** What one generator recorded between two cuts (about a second); frames add up to windows. */
export interface Frame {
  readonly stepIndex: number;
  readonly phase: 'warmup' | 'measure' | 'drain';
  readonly startedAtSeconds: number;
  readonly endedAtSeconds: number;
  readonly routes: readonly RouteMeasurement[];
  /** `http-503`, `ECONNRESET`, `timeout`, `malformed-response` … with counts. */
  readonly errorCodes: Readonly<Record<string, number>>;
  readonly statusCounts: Readonly<Record<string, number>>;
  /** ∫ in-flight dt and ∫ thinking dt over the frame, user-seconds. */
  readonly inFlightSeconds: number;
  readonly thinkingSeconds: number;
  /** Sum and count of the think times that ended in the frame, as they really were. */
  readonly thinkTimeSumSeconds: number;
  readonly thinkTimeCount: number;
  /** Keep-alive connections the server had closed, requests sent again on fresh ones. */
  readonly retriedCount: number;
  readonly connectionCount: number;
  /** Missing where nothing lies beneath the requests (a simulated service). */
  readonly transport?: TransportMeasurement;
  /** Of a scenario. */
  readonly scenario?: ScenarioMeasurement;
  readonly interference: readonly Interference[];
  /** See `StepMeasurement`. */
  readonly answerGap?: HistogramData;
  readonly generator: GeneratorHealth;
}

/** One second (or less, at the edges) of a window, for batch means and steadiness. */
export interface Slice {
  readonly atSeconds: number;
  readonly durationSeconds: number;
  readonly okCount: number;
  readonly errorCount: number;
  readonly timeoutCount: number;
  readonly meanInFlight: number;
  /** Requests that came: sent, or dropped. */
  readonly offeredCount?: number;
  /** Mean response time of what ended in the slice; missing when nothing did. */
  readonly meanResponseTimeSeconds?: number;
  readonly p95ResponseTimeSeconds?: number;
}

/** What one step measured over its window (first to last counter sample). */
export interface StepMeasurement {
  readonly step: Step;
  /** Of a run that another tool made: its load as that tool tells it. */
  readonly importedLoad?: ImportedLoad;
  /** It does not tell which requests failed: all are counted as successes. */
  readonly errorsUnknown?: true;
  readonly startedAtSeconds: number;
  readonly windowSeconds: number;
  /** Successful completions in the window. */
  readonly completionCount: number;
  readonly outcomeCounts: Readonly<Record<Outcome, number>>;
  readonly errorCodes: Readonly<Record<string, number>>;
  readonly statusCounts: Readonly<Record<string, number>>;
  readonly responseTime: HistogramData;
  readonly sendToReplyTime: HistogramData;
  readonly byRoute: readonly RouteMeasurement[];
  readonly interference: readonly Interference[];
  /**
   * How long no answer came to any route while requests were in flight, one value an answer: since the answer
   * before, or since the first of those in flight was sent. Long values are stretches in which all stood still.
   */
  readonly answerGap?: HistogramData;
  /** Time means from integrals, counted independently of X·R. */
  readonly meanInFlight: number;
  readonly meanThinking?: number;
  /** Think time as realised, mean; missing without think time. */
  readonly thinkTimeSeconds?: number;
  /** Missing: another tool's run. */
  readonly retriedCount?: number;
  readonly transport?: TransportMeasurement;
  readonly scenario?: ScenarioMeasurement;
  readonly slices: readonly Slice[];
  readonly counters: readonly CounterSeries[];
  /** Missing: another tool's run, whose generator nobody watched. */
  readonly generator?: GeneratorHealth;
  readonly notices: readonly Notice[];
  /** Present when the window was cut short: `interrupted`, `service-gone` … */
  readonly endedEarly?: string;
}

/** Whole-run counts, warm-up and drain included: what the service's own counters must agree with. */
export interface RunTotals {
  readonly byRoute: readonly {
    readonly requestClassId: string;
    readonly route: string;
    readonly sentCount: number;
    /** Answers of any status, read to the last byte. */
    readonly answeredCount: number;
    readonly okCount: number;
    readonly errorCount: number;
    readonly timeoutCount: number;
    readonly droppedCount: number;
  }[];
  readonly retriedCount: number;
  /** Requests sent because an answer redirected, above the `sentCount`s. */
  readonly redirectsFollowedCount?: number;
}
