import type {
  Frame,
  GeneratorHealth,
  RouteMeasurement,
  RunTotals,
  WorkerHealth,
} from '../model/measurement.ts';
import { COARSE_BITS, EMPTY_HISTOGRAM, mergeHistograms } from '../stats/histogram.ts';
import { mergeScenarios } from '../stats/scenario-counts.ts';
import { type ClassOfRequests, RouteOrder } from './route-order.ts';
import { addCounts, mergeInterference, mergeRoutes, mergeTransports } from './step-measurement.ts';

/** A frame with the name of the generator that recorded it. */
export interface NamedFrame {
  readonly name: string;
  readonly frame: Frame;
}

const sumOf = <Part>(parts: readonly Part[], pick: (part: Part) => number): number =>
  parts.reduce((sum, part) => sum + pick(part), 0);

const meanOf = <Part>(parts: readonly Part[], pick: (part: Part) => number): number =>
  sumOf(parts, pick) / parts.length;

/**
 * What several generators recorded over one stretch of a plan, as one frame. Counts, sums and histograms add
 * without loss. The frame's edges are the means of the parts' edges, which a scheduler sets some milliseconds
 * apart: consecutive frames then neither overlap nor leave a gap. The integrals add as time means, each over its
 * own part's time: ∫ = T·Σ ∫ᵢ/Tᵢ, so that N users stay N whoever was woken late. Interference and gaps between answers
 * are in the frames of generators that share what is in flight (`InFlight`), and missing where each knows only of its
 * own. Routes come in the order of `routes`, which a scenario's generators find apart. Throws a RangeError without
 * frames.
 */
export function mergeFrames(parts: readonly NamedFrame[], routes = new RouteOrder()): Frame {
  const frames = parts.map((part) => part.frame);
  const [first] = frames;
  if (first === undefined) throw new RangeError('no frames to merge');
  const startedAtSeconds = meanOf(frames, (frame) => frame.startedAtSeconds);
  const endedAtSeconds = meanOf(frames, (frame) => frame.endedAtSeconds);
  const durationSeconds = endedAtSeconds - startedAtSeconds;
  const transport = mergeTransports(frames.flatMap((frame) => frame.transport ?? []));
  const scenario = mergeScenarios(frames.flatMap((frame) => frame.scenario ?? []));
  const answerGaps = frames.flatMap((frame) => frame.answerGap ?? []);
  const integral = (pick: (frame: Frame) => number): number =>
    sumOf(frames, (frame) => {
      const ownSeconds = frame.endedAtSeconds - frame.startedAtSeconds;
      return ownSeconds > 0 ? (pick(frame) / ownSeconds) * durationSeconds : pick(frame);
    });
  return {
    stepIndex: first.stepIndex,
    phase: first.phase,
    startedAtSeconds,
    endedAtSeconds,
    routes: routes
      .group(frames.map((frame) => frame.routes))
      .map(({ route, members }) => (members.length === 0 ? emptyRoute(route) : mergeRoutes(members))),
    errorCodes: addCounts(frames.map((frame) => frame.errorCodes)),
    statusCounts: addCounts(frames.map((frame) => frame.statusCounts)),
    inFlightSeconds: integral((frame) => frame.inFlightSeconds),
    thinkingSeconds: integral((frame) => frame.thinkingSeconds),
    thinkTimeSumSeconds: sumOf(frames, (frame) => frame.thinkTimeSumSeconds),
    thinkTimeCount: sumOf(frames, (frame) => frame.thinkTimeCount),
    retriedCount: sumOf(frames, (frame) => frame.retriedCount),
    connectionCount: sumOf(frames, (frame) => frame.connectionCount),
    interference: mergeInterference(frames),
    ...(answerGaps.length === frames.length && { answerGap: mergeHistograms(answerGaps) }),
    ...(transport !== undefined && { transport }),
    ...(scenario !== undefined && { scenario }),
    generator: mergeHealth(parts, durationSeconds),
  };
}

/** Generators side by side: their CPU and their cores add, and each is kept by name. */
function mergeHealth(parts: readonly NamedFrame[], durationSeconds: number): GeneratorHealth {
  const health = parts.map(({ frame }) => frame.generator);
  const cpuSeconds = sumOf(health, (one) => one.cpuSeconds);
  const coreCount = sumOf(health, (one) => one.coreCount);
  return {
    cpuSeconds,
    coreCount,
    utilizationRatio: durationSeconds > 0 ? cpuSeconds / (durationSeconds * coreCount) : 0,
    scheduleLag: mergeHistograms(health.map((one) => one.scheduleLag)),
    eventLoopDelayMaxSeconds: Math.max(...health.map((one) => one.eventLoopDelayMaxSeconds)),
    workers: parts.map(workerHealth),
  };
}

function workerHealth({ name, frame: { generator } }: NamedFrame): WorkerHealth {
  const { cpuSeconds, utilizationRatio, scheduleLag, eventLoopDelayMaxSeconds } = generator;
  return { name, cpuSeconds, utilizationRatio, scheduleLag, eventLoopDelayMaxSeconds };
}

/** A class of requests that was sent before, and not in these frames. */
const emptyRoute = ({ requestClassId, route }: ClassOfRequests): RouteMeasurement => ({
  requestClassId,
  route,
  sentCount: 0,
  okCount: 0,
  errorCount: 0,
  timeoutCount: 0,
  droppedCount: 0,
  receivedBytes: 0,
  responseTime: EMPTY_HISTOGRAM,
  sendToReplyTime: EMPTY_HISTOGRAM,
  failureTime: { ...EMPTY_HISTOGRAM, bits: COARSE_BITS },
});

/** Whole-run counts of several generators. Throws a RangeError without any. */
export function mergeTotals(parts: readonly RunTotals[], routes = new RouteOrder()): RunTotals {
  if (parts.length === 0) throw new RangeError('no totals to merge');
  const redirectsFollowedCount = sumOf(parts, (part) => part.redirectsFollowedCount ?? 0);
  return {
    byRoute: routes
      .group(parts.map((part) => part.byRoute))
      .map(({ route: { requestClassId, route }, members }) => ({
        requestClassId,
        route,
        sentCount: sumOf(members, (one) => one.sentCount),
        answeredCount: sumOf(members, (one) => one.answeredCount),
        okCount: sumOf(members, (one) => one.okCount),
        errorCount: sumOf(members, (one) => one.errorCount),
        timeoutCount: sumOf(members, (one) => one.timeoutCount),
        droppedCount: sumOf(members, (one) => one.droppedCount),
      })),
    retriedCount: sumOf(parts, (part) => part.retriedCount),
    ...(redirectsFollowedCount > 0 && { redirectsFollowedCount }),
  };
}
