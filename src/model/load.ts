import type { Distribution } from './distribution.ts';
import type { TargetSet } from './workload.ts';

/** What is sent for one class of requests. */
export interface PlannedRequest {
  readonly id: string;
  readonly method: string;
  readonly route: string;
  /** Weight in the mix; weights of a plan sum to 1. */
  readonly shareRatio: number;
  readonly targets: TargetSet;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Every named shape reduces to steps of these two. */
export type Driver =
  | { readonly kind: 'closed'; readonly users: number }
  | {
      readonly kind: 'open';
      readonly arrivalRatePerSecond: number;
      /** `log`: the times of a log, which the run is given beside the plan; the rate is then their mean. */
      readonly arrivals: 'poisson' | 'constant' | 'log';
      readonly maxInFlight: number;
    };

/** Which part of a run in time a step is, where steps are not the points of a curve: a window of a soak, the burst. */
export interface StepPart {
  readonly name: string;
  /** Not meant to be steady: the burst of a spike, and what comes after it. */
  readonly isTransient?: true;
}

export interface Step {
  readonly index: number;
  readonly label: string;
  readonly part?: StepPart;
  readonly driver: Driver;
  /** Share of the plan's write in what is sent; the other requests keep their proportions. Missing: the plan's shares. */
  readonly writeRatio?: number;
  /** Before the warm-up, nothing is sent for so long: what an overload left behind drains. Missing: none. */
  readonly restSeconds?: number;
  /** From the step's start (users still joining) to the opening of the measured window. */
  readonly warmupSeconds: number;
  /** Length of the measured window. */
  readonly measureSeconds: number;
}

/** A run ends when more than `ratio` of the requests of the last `seconds` failed or timed out. */
export interface ErrorStop {
  readonly ratio: number;
  readonly seconds: number;
}

/** What a run may not exceed, whatever its steps ask for. */
export interface SafetyLimits {
  readonly maxUsers: number;
  readonly maxRatePerSecond: number;
  /** Missing: switched off by the user. */
  readonly stopOnErrors?: ErrorStop;
}

/** How requests travel. What is missing takes its usual form: HTTP/1.1, kept connections, redirects as answers. */
export interface Transport {
  readonly httpVersion?: '1.1' | '2';
  /** HTTP/2: most requests in flight on one connection; missing: 1. */
  readonly streamsPerConnection?: number;
  /** Requests that a connection carries before it is replaced (1: a fresh one for each); missing: no limit. */
  readonly requestsPerConnection?: number;
  /** Most redirects followed for one request; missing: none, a redirect is an answer like others. */
  readonly maxRedirects?: number;
  /** How long a connection may take to stand, TLS included, within the request's timeout. */
  readonly connectTimeoutSeconds?: number;
  /** How long the first byte of an answer may take from the send, within the request's timeout. */
  readonly firstByteTimeoutSeconds?: number;
  /** Who answers was not checked (TLS without verification). */
  readonly tlsUnverified?: boolean;
}
/**
 * How a plan goes on when its steps are done: from what was measured, up to a bound. `search`: between the loads
 * that meet the targets and those that do not. `stress`: on until the service breaks. `extend`: on until the curve
 * has bent.
 */
export type Growth =
  | {
      readonly kind: 'search';
      /** Done when the lowest load that fails is at most so much above the highest that passes (users: or one above). */
      readonly precisionRatio: number;
      /** Loads whose verdict is less sure are repeated, up to `longestRepeat` steps each. */
      readonly confidenceRatio: number;
      readonly longestRepeat: number;
      readonly highestLoad: number;
      readonly mostSteps: number;
    }
  | {
      readonly kind: 'stress';
      readonly errorLimitRatio: number;
      /** Limit of the 95th percentile. */
      readonly responseLimitSeconds: number;
      readonly highestLoad: number;
    }
  | { readonly kind: 'extend'; readonly highestLoad: number };

/** All that the driver needs; made by a load shape from a workload and options. Pure data, seeded. */
export interface LoadPlan {
  readonly seed: number;
  readonly shape: string;
  readonly requests: readonly PlannedRequest[];
  /** Missing: no think time (workers). */
  readonly thinkTimeSeconds?: Distribution;
  /** How fast users join at the start of a step; missing: all at once. */
  readonly usersPerSecond?: number;
  readonly requestTimeoutSeconds: number;
  readonly transport?: Transport;
  readonly steps: readonly Step[];
  /** Missing: the plan ends with its steps. */
  readonly growth?: Growth;
  /** Id of the request whose share the steps vary. */
  readonly writeId?: string;
  /** Of a replay: how many times faster than the log. */
  readonly speedFactor?: number;
  /** Missing: a rehearsal or an older record. */
  readonly safety?: SafetyLimits;
}
