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
  WorkerHealth,
} from '../model/measurement.ts';
import { generatorNotices } from './generator-notices.ts';
import { meanOf, mergeHistograms, percentileOf } from '../stats/histogram.ts';
import { mergeScenarios } from '../stats/scenario-counts.ts';

/** Frames kept apart before they are joined: a soak of hours must not keep an hour of histograms. */
const MOST_FRAMES = 16;

/** Adds up the frames of a step's window as they come. Memory does not grow with its length but for the slices. */
export class StepWindow {
  #frames: Frame[] = [];
  readonly #slices: Slice[] = [];
  #longest: Frame | undefined;

  get isEmpty(): boolean {
    return this.#slices.length === 0;
  }

  add(frame: Frame): void {
    this.#slices.push(sliceOf(frame));
    if (this.#longest === undefined || durationOf(frame) > durationOf(this.#longest)) this.#longest = frame;
    this.#frames.push(frame);
    if (this.#frames.length === MOST_FRAMES) this.#frames = [joinFrames(this.#frames)];
  }

  /** The step's measurement. Throws a RangeError without frames. */
  measurement(step: Step, counters: readonly CounterSeries[], endedEarly?: string): StepMeasurement {
    if (this.isEmpty) throw new RangeError(`step ${step.index} has no frames`);
    const whole = joinFrames(this.#frames);
    const { startedAtSeconds, endedAtSeconds } = whole;
    const { startedAtSeconds: from, endedAtSeconds: to } = this.#longest!;
    const windowSeconds = endedAtSeconds - startedAtSeconds;
    const count = (pick: (route: RouteMeasurement) => number): number => sumOf(whole.routes, pick);
    const okCount = count((route) => route.okCount);
    return {
      step,
      startedAtSeconds,
      windowSeconds,
      completionCount: okCount,
      outcomeCounts: {
        ok: okCount,
        error: count((route) => route.errorCount),
        timeout: count((route) => route.timeoutCount),
        dropped: count((route) => route.droppedCount),
      },
      errorCodes: whole.errorCodes,
      statusCounts: whole.statusCounts,
      responseTime: mergeHistograms(whole.routes.map((route) => route.responseTime)),
      sendToReplyTime: mergeHistograms(whole.routes.map((route) => route.sendToReplyTime)),
      byRoute: whole.routes,
      interference: whole.interference,
      ...(whole.answerGap !== undefined && { answerGap: whole.answerGap }),
      meanInFlight: whole.inFlightSeconds / windowSeconds,
      ...(whole.thinkTimeCount > 0 && {
        meanThinking: whole.thinkingSeconds / windowSeconds,
        thinkTimeSeconds: whole.thinkTimeSumSeconds / whole.thinkTimeCount,
      }),
      retriedCount: whole.retriedCount,
      ...(whole.transport !== undefined && { transport: whole.transport }),
      ...(whole.scenario !== undefined && { scenario: whole.scenario }),
      slices: this.#slices,
      counters,
      generator: whole.generator,
      // All that happened, and the longest stretch in which no frame was cut.
      notices: generatorNotices([{ ...whole, startedAtSeconds: from, endedAtSeconds: to }], counters),
      ...(endedEarly !== undefined && { endedEarly }),
    };
  }
}

/**
 * Adds the frames of a window up to the step's measurement: of a run as it goes, or of one that was killed and is
 * read back from its stored frames. Throws a RangeError without frames.
 */
export function measureStep(
  step: Step,
  frames: readonly Frame[],
  counters: readonly CounterSeries[],
  endedEarly?: string,
): StepMeasurement {
  const window = new StepWindow();
  for (const frame of frames) window.add(frame);
  return window.measurement(step, counters, endedEarly);
}

const sumOf = <Part>(parts: readonly Part[], pick: (part: Part) => number): number =>
  parts.reduce((total, part) => total + pick(part), 0);

const durationOf = (frame: Frame): number => frame.endedAtSeconds - frame.startedAtSeconds;

/** Frames that follow one another, as one. */
function joinFrames(frames: readonly Frame[]): Frame {
  const first = frames[0]!;
  const last = frames.at(-1)!;
  const sum = (pick: (frame: Frame) => number): number => sumOf(frames, pick);
  const transport = mergeTransports(frames.flatMap((frame) => frame.transport ?? []));
  const scenario = mergeScenarios(frames.flatMap((frame) => frame.scenario ?? []));
  return {
    ...last,
    startedAtSeconds: first.startedAtSeconds,
    // Routes are only ever added, at the end: those of a scenario show while it runs.
    routes: last.routes.map((_, i) => mergeRoutes(frames.flatMap((frame) => frame.routes[i] ?? []))),
    errorCodes: addCounts(frames.map((frame) => frame.errorCodes)),
    statusCounts: addCounts(frames.map((frame) => frame.statusCounts)),
    inFlightSeconds: sum((frame) => frame.inFlightSeconds),
    thinkingSeconds: sum((frame) => frame.thinkingSeconds),
    thinkTimeSumSeconds: sum((frame) => frame.thinkTimeSumSeconds),
    thinkTimeCount: sum((frame) => frame.thinkTimeCount),
    retriedCount: sum((frame) => frame.retriedCount),
    interference: mergeInterference(frames),
    ...(first.answerGap !== undefined && {
      answerGap: mergeHistograms(frames.flatMap((frame) => frame.answerGap ?? [])),
    }),
    ...(transport !== undefined && { transport }),
    ...(scenario !== undefined && { scenario }),
    generator: mergeGenerators(
      frames.map((frame) => frame.generator),
      last.endedAtSeconds - first.startedAtSeconds,
    ),
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
    ...(parts.every((part) => part.receivedBytes !== undefined) && {
      receivedBytes: sum((part) => part.receivedBytes ?? 0),
    }),
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
  const heldCount = sum((part) => part.heldCount ?? 0);
  return {
    connectionsOpenedCount: sum((part) => part.connectionsOpenedCount),
    redirectsFollowedCount: sum((part) => part.redirectsFollowedCount),
    connectTime: mergeHistograms(parts.map((part) => part.connectTime)),
    ...(heldCount > 0 && { heldCount }),
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
