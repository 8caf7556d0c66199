import type { LoadPlan, Step } from '../../model/load.ts';

/** What a shape is asked for; options a shape does not know are refused before it is called. */
export interface ShapeOptions {
  /** Loads of the steps: users with think time, or workers without. */
  readonly loads: readonly number[];
  /** Whole length of a step, warm-up included. */
  readonly stepSeconds: number;
  readonly warmupSeconds: number;
  /** How fast users join; missing: all at once. */
  readonly usersPerSecond?: number;
  readonly thinkTime?: LoadPlan['thinkTimeSeconds'];
}

/** A named way to vary the load. Every shape reduces to steps of a closed or an open driver. */
export interface LoadShape {
  readonly name: string;
  /** One line for help and docs. */
  readonly summary: string;
  /** Throws a RangeError naming the option when the options make no sense together. */
  plan(options: ShapeOptions): readonly Step[];
}
