import type { GeneratorHealth, StepMeasurement } from '../../src/model/measurement.ts';
import { EMPTY_HISTOGRAM } from '../../src/stats/histogram.ts';

/** A step's measurement with everything that a test does not care about. */
export function stepMeasurement(
  index: number,
  fields: Partial<StepMeasurement> = {},
): StepMeasurement & { readonly generator: GeneratorHealth } {
  return {
    step: {
      index,
      label: `step ${index}`,
      driver: { kind: 'closed', users: 1 },
      warmupSeconds: 0,
      measureSeconds: 60,
    },
    startedAtSeconds: 60 * index,
    windowSeconds: 60,
    completionCount: 0,
    outcomeCounts: { ok: 0, error: 0, timeout: 0, dropped: 0 },
    errorCodes: {},
    statusCounts: {},
    responseTime: EMPTY_HISTOGRAM,
    sendToReplyTime: EMPTY_HISTOGRAM,
    byRoute: [],
    interference: [],
    meanInFlight: 0,
    retriedCount: 0,
    slices: [],
    counters: [],
    generator: {
      cpuSeconds: 0,
      coreCount: 1,
      utilizationRatio: 0,
      scheduleLag: EMPTY_HISTOGRAM,
      eventLoopDelayMaxSeconds: 0,
    },
    notices: [],
    ...fields,
  };
}
