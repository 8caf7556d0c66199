import type { Driver, Growth, LoadPlan, Step } from '../../model/load.ts';
import { countText, figure, type LoadKind } from '../../stats/wording.ts';

/** What a shape is asked for; options a shape does not know are refused before it is called. */
export interface ShapeOptions {
  /** What the loads count: users with think time, workers without (`concurrency`), or arrivals per second. */
  readonly loadKind: LoadKind;
  readonly loads: readonly number[];
  /** Whole length of a step, warm-up included. */
  readonly stepSeconds: number;
  readonly warmupSeconds: number;
  /** How fast users join; missing: all at once. */
  readonly usersPerSecond?: number;
  readonly thinkTime?: LoadPlan['thinkTimeSeconds'];
  readonly arrivals?: 'poisson' | 'constant';
  readonly maxInFlight?: number;
}

/** Bounds of a plan that grows; missing ones have defaults. */
export interface GrowthOptions {
  /** How narrow the border of a search must get, as a share of the load. */
  readonly precisionRatio?: number;
  /** Stress ends where more than this share of the requests fails, or p95 is longer than this. */
  readonly errorLimitRatio?: number;
  readonly responseLimitSeconds?: number;
  readonly highestLoad?: number;
}

/** A named way to vary the load. Every shape reduces to steps of a closed or an open driver. */
export interface LoadShape {
  readonly name: string;
  /** One line for help and docs. */
  readonly summary: string;
  /** The kinds of load it can vary, the usual one first. */
  readonly loadKinds: readonly LoadKind[];
  /** How many loads it takes; missing: any number of rising ones, to which loads of targets are added. */
  readonly loadCount?: number;
  /** Loads where none are given; missing: those of the log's ladder, or they must be given. */
  readonly defaultLoads?: readonly number[];
  /** Throws a RangeError naming the option when the options make no sense together. */
  plan(options: ShapeOptions): readonly Step[];
  /** How it goes on past its steps, `topLoad` being the highest of them; missing: it ends with them. */
  growth?(options: GrowthOptions, topLoad: number): Growth;
}

/** Above this many requests in flight further arrivals are dropped, unless the user says otherwise. */
export const DEFAULT_MAX_IN_FLIGHT = 10_000;

/** The driver that puts `load` on the service. */
export function driverOf(load: number, options: ShapeOptions): Driver {
  if (options.loadKind !== 'arrivalRatePerSecond') return { kind: 'closed', users: load };
  return {
    kind: 'open',
    arrivalRatePerSecond: load,
    arrivals: options.arrivals ?? 'poisson',
    maxInFlight: options.maxInFlight ?? DEFAULT_MAX_IN_FLIGHT,
  };
}

/** `200 users`, `8 workers`, `50/s`. */
export function loadLabel(load: number, kind: LoadKind): string {
  if (kind === 'arrivalRatePerSecond') return `${figure(load)}/s`;
  return countText(load, kind === 'users' ? 'user' : 'worker');
}

/** Throws a RangeError when a step leaves less than a second to measure. */
export function requireWindow(label: string, stepSeconds: number, warmupSeconds: number): void {
  if (stepSeconds - warmupSeconds >= 1) return;
  throw new RangeError(
    `the step of ${label} leaves nothing to measure: ${stepSeconds} s less ` +
      `${warmupSeconds.toFixed(1)} s of warm-up and joining; at least 1 s is needed`,
  );
}
