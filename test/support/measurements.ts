import { EMPTY_HISTOGRAM, Histogram } from '../../src/stats/histogram.ts';
import type { HistogramData } from '../../src/model/histogram.ts';
import type { CounterSeries, RouteMeasurement, StepMeasurement } from '../../src/model/measurement.ts';

/** A histogram of given durations, seconds. */
export function histogramOf(seconds: readonly number[]): HistogramData {
  const histogram = new Histogram();
  for (const value of seconds) histogram.record(value);
  return histogram.toData();
}

/** A cumulative counter that grows evenly from the window's start to its end, sampled every second. */
export function cumulative(
  source: string,
  quantity: string,
  perSecond: number,
  windowSeconds: number,
  capacity?: number,
): CounterSeries {
  const points = Array.from({ length: windowSeconds + 1 }, (_, i) => [100 + i, 7 + i * perSecond] as const);
  return { source, quantity, unit: 'seconds', kind: 'cumulative', points, ...(capacity && { capacity }) };
}

/** Counts and times of one route. */
export function routeOf(
  route: string,
  seconds: readonly number[],
  more: Partial<RouteMeasurement> = {},
): RouteMeasurement {
  return {
    requestClassId: `GET ${route}`,
    route,
    sentCount: seconds.length,
    okCount: seconds.length,
    errorCount: 0,
    timeoutCount: 0,
    droppedCount: 0,
    receivedBytes: 0,
    responseTime: histogramOf(seconds),
    sendToReplyTime: histogramOf(seconds),
    failureTime: EMPTY_HISTOGRAM,
    ...more,
  };
}

/**
 * A minute of a sound closed step: 20 users, Z = 1.9 s, R = 0.1 s, so X = 10/s and C = 600, and a second-by-second
 * record that varies by one request.
 */
export function soundStep(more: Partial<StepMeasurement> = {}): StepMeasurement {
  const windowSeconds = 60;
  const seconds = Array.from({ length: 600 }, () => 0.1);
  return {
    step: {
      index: 0,
      label: '20 users',
      driver: { kind: 'closed', users: 20 },
      warmupSeconds: 20,
      measureSeconds: windowSeconds,
    },
    startedAtSeconds: 100,
    windowSeconds,
    completionCount: 600,
    outcomeCounts: { ok: 600, error: 0, timeout: 0, dropped: 0 },
    errorCodes: {},
    statusCounts: { '200': 600 },
    responseTime: histogramOf(seconds),
    sendToReplyTime: histogramOf(seconds),
    byRoute: [routeOf('/books/[id]', seconds)],
    interference: [],
    meanInFlight: 1,
    meanThinking: 19,
    thinkTimeSeconds: 1.9,
    retriedCount: 0,
    slices: Array.from({ length: windowSeconds }, (_, i) => ({
      atSeconds: 100 + i,
      durationSeconds: 1,
      okCount: i % 2 === 0 ? 9 : 11,
      errorCount: 0,
      timeoutCount: 0,
      meanInFlight: 1,
    })),
    counters: [],
    generator: {
      cpuSeconds: 3,
      coreCount: 1,
      utilizationRatio: 0.05,
      scheduleLag: histogramOf([0.001]),
      eventLoopDelayMaxSeconds: 0.002,
    },
    notices: [],
    ...more,
  };
}
