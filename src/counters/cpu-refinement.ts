/**
 * CPU seconds of a process, finer than clock ticks.
 *
 * The kernel prints utime and stime each cut down to a tick, so that the truth lies in [T, T + 2 ticks). The
 * run time of the living threads is exact to the nanosecond, but forgets threads that have ended. Their
 * difference only moves when a thread ends: the estimate is the run time plus an offset, and the offset is
 * moved as little as needed to keep the estimate inside the interval. The estimate is never further from the
 * truth than two ticks, and exact in its differences while threads stay.
 */
export interface CpuRefinement {
  /**
   * The estimate for ticks T (in seconds) and the summed run time of living threads; never falls. Where the
   * kernel keeps no run times (sum 0) it answers T.
   */
  estimate(tickSeconds: number, liveRunSeconds: number): number;
}

export function createCpuRefinement(secondsPerTick: number): CpuRefinement {
  let offset = 0;
  let highest = 0;
  return {
    estimate(tickSeconds, liveRunSeconds) {
      const free = liveRunSeconds + offset;
      const held = Math.min(Math.max(free, tickSeconds), tickSeconds + 2 * secondsPerTick);
      offset += held - free;
      highest = Math.max(highest, held);
      return highest;
    },
  };
}
