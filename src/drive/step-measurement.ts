import type { Step } from '../model/load.ts';
import type {
  CounterSeries,
  Frame,
  GeneratorHealth,
  Interference,
  RouteMeasurement,
  Slice,
  StepMeasurement,
  WorkerHealth,
} from '../model/measurement.ts';
import { mergeHistograms } from '../stats/histogram.ts';

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
  const byRoute = first.routes.map((_, i) => mergeRoutes(frames.map((frame) => frame.routes[i]!)));
  const sum = (pick: (frame: Frame) => number): number =>
    frames.reduce((total, frame) => total + pick(frame), 0);
  const count = (pick: (route: RouteMeasurement) => number): number =>
    byRoute.reduce((total, route) => total + pick(route), 0);
  const okCount = count((route) => route.okCount);
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
    meanInFlight: sum((frame) => frame.inFlightSeconds) / windowSeconds,
    ...(thinkTimeCount > 0 && {
      meanThinking: sum((frame) => frame.thinkingSeconds) / windowSeconds,
      thinkTimeSeconds: sum((frame) => frame.thinkTimeSumSeconds) / thinkTimeCount,
    }),
    retriedCount: sum((frame) => frame.retriedCount),
    slices: frames.map(sliceOf),
    counters,
    generator: mergeGenerators(
      frames.map((frame) => frame.generator),
      windowSeconds,
    ),
    notices: [],
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

/** Adds what frames have of each pair of routes. */
export function mergeInterference(frames: readonly Frame[]): readonly Interference[] {
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

function mergeGenerators(parts: readonly GeneratorHealth[], windowSeconds: number): GeneratorHealth {
  const cpuSeconds = parts.reduce((total, part) => total + part.cpuSeconds, 0);
  const coreCount = Math.max(...parts.map((part) => part.coreCount));
  const workers = parts.flatMap((part) => part.workers ?? []);
  return {
    cpuSeconds,
    coreCount,
    utilizationRatio: windowSeconds > 0 ? cpuSeconds / (windowSeconds * coreCount) : 0,
    scheduleLag: mergeHistograms(parts.map((part) => part.scheduleLag)),
    eventLoopDelayMaxSeconds: Math.max(...parts.map((part) => part.eventLoopDelayMaxSeconds)),
    ...(workers.length > 0 && { workers: mergeWorkers(workers, windowSeconds) }),
  };
}

/** Adds the seconds of each worker, by name in order of first appearance. */
function mergeWorkers(parts: readonly WorkerHealth[], windowSeconds: number): readonly WorkerHealth[] {
  const names = [...new Set(parts.map((part) => part.name))];
  return names.map((name) => {
    const own = parts.filter((part) => part.name === name);
    const cpuSeconds = own.reduce((total, part) => total + part.cpuSeconds, 0);
    return {
      name,
      cpuSeconds,
      utilizationRatio: windowSeconds > 0 ? cpuSeconds / windowSeconds : 0,
      scheduleLag: mergeHistograms(own.map((part) => part.scheduleLag)),
      eventLoopDelayMaxSeconds: Math.max(...own.map((part) => part.eventLoopDelayMaxSeconds)),
    };
  });
}

function sliceOf(frame: Frame): Slice {
  const durationSeconds = frame.endedAtSeconds - frame.startedAtSeconds;
  const sum = (pick: (route: RouteMeasurement) => number): number =>
    frame.routes.reduce((total, route) => total + pick(route), 0);
  const responseCount = sum((route) => route.responseTime.totalCount);
  return {
    atSeconds: frame.startedAtSeconds,
    durationSeconds,
    okCount: sum((route) => route.okCount),
    errorCount: sum((route) => route.errorCount),
    timeoutCount: sum((route) => route.timeoutCount),
    meanInFlight: durationSeconds > 0 ? frame.inFlightSeconds / durationSeconds : 0,
    ...(responseCount > 0 && {
      meanResponseTimeSeconds: sum((route) => route.responseTime.sumSeconds) / responseCount,
    }),
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
