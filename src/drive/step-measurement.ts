import type { Step } from '../model/load.ts';
import type {
  CounterSeries,
  Frame,
  GeneratorHealth,
  Interference,
  RouteMeasurement,
  Slice,
  StepMeasurement,
  TransportMeasurement,
} from '../model/measurement.ts';
import { generatorNotices } from './generator-notices.ts';
import { meanOf, mergeHistograms, percentileOf } from '../stats/histogram.ts';
import { mergeScenarios } from '../stats/scenario-counts.ts';

/**
 * Adds the frames of a window up to the step's measurement. Frames of several generators and of one second
 * after the other add in the same way, and a run that was killed is read back from its stored frames by this
 * very function. Throws a RangeError without frames.
 */
export function measureStep(
  step: Step,
  frames: readonly Frame[],
  counters: readonly CounterSeries[],
  endedEarly?: string,
): StepMeasurement {
  const first = frames[0];
  const last = frames.at(-1);
  if (first === undefined || last === undefined) throw new RangeError(`step ${step.index} has no frames`);
  const windowSeconds = last.endedAtSeconds - first.startedAtSeconds;
  // Routes are only ever added, at the end: those of a scenario show while it runs.
  const byRoute = last.routes.map((_, i) => mergeRoutes(frames.flatMap((frame) => frame.routes[i] ?? [])));
  const sum = (pick: (frame: Frame) => number): number =>
    frames.reduce((total, frame) => total + pick(frame), 0);
  const count = (pick: (route: RouteMeasurement) => number): number =>
    byRoute.reduce((total, route) => total + pick(route), 0);
  const okCount = count((route) => route.okCount);
  const transport = mergeTransports(frames.flatMap((frame) => frame.transport ?? []));
  const scenario = mergeScenarios(frames.flatMap((frame) => frame.scenario ?? []));
  const thinkTimeCount = sum((frame) => frame.thinkTimeCount);
  return {
    step,
    startedAtSeconds: first.startedAtSeconds,
    windowSeconds,
    completionCount: okCount,
    outcomeCounts: {
      ok: okCount,
      error: count((route) => route.errorCount),
      timeout: count((route) => route.timeoutCount),
      dropped: count((route) => route.droppedCount),
    },
    errorCodes: addCounts(frames.map((frame) => frame.errorCodes)),
    statusCounts: addCounts(frames.map((frame) => frame.statusCounts)),
    responseTime: mergeHistograms(byRoute.map((route) => route.responseTime)),
    sendToReplyTime: mergeHistograms(byRoute.map((route) => route.sendToReplyTime)),
    byRoute,
    interference: mergeInterference(frames),
    ...(first.answerGap !== undefined && {
      answerGap: mergeHistograms(frames.flatMap((frame) => frame.answerGap ?? [])),
    }),
    meanInFlight: sum((frame) => frame.inFlightSeconds) / windowSeconds,
    ...(thinkTimeCount > 0 && {
      meanThinking: sum((frame) => frame.thinkingSeconds) / windowSeconds,
      thinkTimeSeconds: sum((frame) => frame.thinkTimeSumSeconds) / thinkTimeCount,
    }),
    retriedCount: sum((frame) => frame.retriedCount),
    ...(transport !== undefined && { transport }),
    ...(scenario !== undefined && { scenario }),
    slices: frames.map(sliceOf),
    counters,
    generator: mergeGenerators(
      frames.map((frame) => frame.generator),
      windowSeconds,
    ),
    notices: generatorNotices(frames, counters),
    ...(endedEarly !== undefined && { endedEarly }),
  };
}

/** Adds measurements of one route. */
export function mergeRoutes(parts: readonly RouteMeasurement[]): RouteMeasurement {
  const sum = (pick: (part: RouteMeasurement) => number): number =>
    parts.reduce((total, part) => total + pick(part), 0);
  return {
    requestClassId: parts[0]!.requestClassId,
    route: parts[0]!.route,
    sentCount: sum((part) => part.sentCount),
    okCount: sum((part) => part.okCount),
    errorCount: sum((part) => part.errorCount),
    timeoutCount: sum((part) => part.timeoutCount),
    droppedCount: sum((part) => part.droppedCount),
    receivedBytes: sum((part) => part.receivedBytes),
    responseTime: mergeHistograms(parts.map((part) => part.responseTime)),
    sendToReplyTime: mergeHistograms(parts.map((part) => part.sendToReplyTime)),
    failureTime: mergeHistograms(parts.map((part) => part.failureTime)),
  };
}

/** Adds what happened beneath the requests; undefined without parts. */
export function mergeTransports(parts: readonly TransportMeasurement[]): TransportMeasurement | undefined {
  if (parts.length === 0) return undefined;
  const sum = (pick: (part: TransportMeasurement) => number): number =>
    parts.reduce((total, part) => total + pick(part), 0);
  return {
    connectionsOpenedCount: sum((part) => part.connectionsOpenedCount),
    redirectsFollowedCount: sum((part) => part.redirectsFollowedCount),
    connectTime: mergeHistograms(parts.map((part) => part.connectTime)),
  };
}

/** Adds what frames or steps saw of one route beside another. */
export function mergeInterference(frames: readonly Pick<Frame, 'interference'>[]): readonly Interference[] {
  const groups = new Map<string, Interference[]>();
  for (const part of frames.flatMap((frame) => frame.interference)) {
    const key = JSON.stringify([part.route, part.otherRoute]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [part]);
    else group.push(part);
  }
  return [...groups.values()].map((parts) => ({
    route: parts[0]!.route,
    otherRoute: parts[0]!.otherRoute,
    withOther: mergeHistograms(parts.map((part) => part.withOther)),
    withoutOther: mergeHistograms(parts.map((part) => part.withoutOther)),
  }));
}

/** Adds what generators, or one generator in several windows, saw of themselves. */
export function mergeGenerators(parts: readonly GeneratorHealth[], windowSeconds: number): GeneratorHealth {
  const cpuSeconds = parts.reduce((total, part) => total + part.cpuSeconds, 0);
  const coreCount = Math.max(...parts.map((part) => part.coreCount));
  return {
    cpuSeconds,
    coreCount,
    utilizationRatio: windowSeconds > 0 ? cpuSeconds / (windowSeconds * coreCount) : 0,
    scheduleLag: mergeHistograms(parts.map((part) => part.scheduleLag)),
    eventLoopDelayMaxSeconds: Math.max(...parts.map((part) => part.eventLoopDelayMaxSeconds)),
  };
}

function sliceOf(frame: Frame): Slice {
  const durationSeconds = frame.endedAtSeconds - frame.startedAtSeconds;
  const responseTime = mergeHistograms(frame.routes.map((route) => route.responseTime));
  const meanResponseTimeSeconds = meanOf(responseTime);
  const p95ResponseTimeSeconds = percentileOf(responseTime, 95);
  const sum = (pick: (route: RouteMeasurement) => number): number =>
    frame.routes.reduce((total, route) => total + pick(route), 0);
  return {
    atSeconds: frame.startedAtSeconds,
    durationSeconds,
    okCount: sum((route) => route.okCount),
    errorCount: sum((route) => route.errorCount),
    timeoutCount: sum((route) => route.timeoutCount),
    meanInFlight: durationSeconds > 0 ? frame.inFlightSeconds / durationSeconds : 0,
    offeredCount: sum((route) => route.sentCount + route.droppedCount),
    ...(meanResponseTimeSeconds !== undefined && { meanResponseTimeSeconds }),
    ...(p95ResponseTimeSeconds !== undefined && { p95ResponseTimeSeconds }),
  };
}

/** Adds counts by name. */
export function addCounts(
  parts: readonly Readonly<Record<string, number>>[],
): Readonly<Record<string, number>> {
  const total = new Map<string, number>();
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) total.set(key, (total.get(key) ?? 0) + value);
  }
  return Object.fromEntries(total);
}
