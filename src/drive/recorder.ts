import type {
  Frame,
  GeneratorHealth,
  Interference,
  RouteMeasurement,
  RunTotals,
} from '../model/measurement.ts';
import type { PlannedRequest } from '../model/load.ts';
import { COARSE_BITS, Histogram } from '../stats/histogram.ts';
import type { Channel } from '../protocols/protocol.ts';
import { type InFlight, MOST_MASKED_CLASSES, OwnInFlight } from './in-flight.ts';

/** Whole-run counts of one route; frames count the same things from cut to cut. */
interface RouteTotals {
  sentCount: number;
  answeredCount: number;
  okCount: number;
  errorCount: number;
  timeoutCount: number;
  droppedCount: number;
}

/** What a class of requests is called. */
export type RecordedRoute = Pick<PlannedRequest, 'id' | 'route'>;

class RouteRecorder {
  sentCount = 0;
  okCount = 0;
  errorCount = 0;
  timeoutCount = 0;
  droppedCount = 0;
  receivedBytes = 0;
  readonly responseTime = new Histogram();
  readonly sendToReplyTime = new Histogram();
  readonly failureTime = new Histogram(COARSE_BITS);
  readonly total: RouteTotals = {
    sentCount: 0,
    answeredCount: 0,
    okCount: 0,
    errorCount: 0,
    timeoutCount: 0,
    droppedCount: 0,
  };
  readonly withOther: readonly Histogram[];
  readonly withoutOther: readonly Histogram[];

  constructor(otherCount: number) {
    this.withOther = Array.from({ length: otherCount }, () => new Histogram(COARSE_BITS));
    this.withoutOther = Array.from({ length: otherCount }, () => new Histogram(COARSE_BITS));
  }

  cut(request: RecordedRoute): RouteMeasurement {
    const measurement = {
      requestClassId: request.id,
      route: request.route,
      sentCount: this.sentCount,
      okCount: this.okCount,
      errorCount: this.errorCount,
      timeoutCount: this.timeoutCount,
      droppedCount: this.droppedCount,
      receivedBytes: this.receivedBytes,
      responseTime: this.responseTime.toData(),
      sendToReplyTime: this.sendToReplyTime.toData(),
      failureTime: this.failureTime.toData(),
    };
    this.total.sentCount += this.sentCount;
    this.total.okCount += this.okCount;
    this.total.errorCount += this.errorCount;
    this.total.timeoutCount += this.timeoutCount;
    this.total.droppedCount += this.droppedCount;
    this.sentCount =
      this.okCount =
      this.errorCount =
      this.timeoutCount =
      this.droppedCount =
      this.receivedBytes =
        0;
    this.responseTime.reset();
    this.sendToReplyTime.reset();
    this.failureTime.reset();
    return measurement;
  }
}

/** What the generator says of itself between two cuts; times since the last call. */
export interface GeneratorProbe {
  read(): { readonly cpuSeconds: number; readonly eventLoopDelayMaxSeconds: number };
}

/** What is recorded of a request that ended. */
export type FinishedRequest = Pick<
  Channel,
  'outcome' | 'status' | 'errorCode' | 'receivedBytes' | 'sentAtSeconds' | 'endedAtSeconds' | 'retried'
>;

/** One finished request, for those who want every one. */
export type SampleSink = (
  endedAtSeconds: number,
  requestIndex: number,
  responseTimeSeconds: number,
  failed: boolean,
) => void;

/**
 * Accumulates what happened and gives it away in frames. Knows nothing of users, steps or sockets. Times are
 * clock readings; frames carry seconds since `originSeconds`.
 */
export class Recorder {
  readonly #requests: RecordedRoute[];
  readonly #routes: RouteRecorder[];
  readonly #originSeconds: number;
  readonly #probe: GeneratorProbe;
  readonly #onSample: SampleSink | undefined;
  readonly #scheduleLag = new Histogram(COARSE_BITS);
  readonly #answerGap = new Histogram(COARSE_BITS);
  /** Of all generators; undefined where this one sees only its own part of it. */
  readonly #allInFlight: InFlight | undefined;
  #errorCodes: Record<string, number> = {};
  #statusCounts = new Map<number, number>();
  #cutAtSeconds: number;
  #changedAtSeconds: number;
  #inFlight = 0;
  #thinking = 0;
  #inFlightSeconds = 0;
  #thinkingSeconds = 0;
  #thinkTimeSumSeconds = 0;
  #thinkTimeCount = 0;
  #retriedCount = 0;
  #retriedTotal = 0;

  constructor(
    requests: readonly PlannedRequest[],
    originSeconds: number,
    probe: GeneratorProbe,
    onSample?: SampleSink,
    allInFlight: InFlight | 'unknown' = new OwnInFlight(requests.length),
  ) {
    this.#allInFlight = allInFlight === 'unknown' ? undefined : allInFlight;
    // Pairs of routes grow with the square.
    const hasPairs = requests.length > 1 && requests.length <= MOST_MASKED_CLASSES;
    const pairs = hasPairs && allInFlight !== 'unknown' ? requests.length : 0;
    this.#requests = [...requests];
    this.#routes = requests.map(() => new RouteRecorder(pairs));
    this.#originSeconds = originSeconds;
    this.#probe = probe;
    this.#onSample = onSample;
    this.#cutAtSeconds = originSeconds;
    this.#changedAtSeconds = originSeconds;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get thinking(): number {
    return this.#thinking;
  }

  /** Records one more class, which no plan named; returns its index. Who delays whom is not kept for it. */
  addRoute(route: RecordedRoute): number {
    this.#requests.push(route);
    return this.#routes.push(new RouteRecorder(0)) - 1;
  }

  thinkingBegan(atSeconds: number): void {
    this.#advance(atSeconds);
    this.#thinking += 1;
  }

  /** A user stopped thinking without sending (left the run). */
  thinkingAbandoned(atSeconds: number): void {
    this.#advance(atSeconds);
    this.#thinking -= 1;
  }

  thinkingEnded(atSeconds: number, thoughtSeconds: number): void {
    this.thinkingAbandoned(atSeconds);
    this.#thinkTimeSumSeconds += thoughtSeconds;
    this.#thinkTimeCount += 1;
  }

  /** Returns the mask of classes that were in flight, to be handed back to `done`. */
  sent(requestIndex: number, intendedAtSeconds: number, atSeconds: number): number {
    this.#advance(atSeconds);
    this.#inFlight += 1;
    this.#routes[requestIndex]!.sentCount += 1;
    this.#scheduleLag.record(atSeconds - intendedAtSeconds);
    return this.#allInFlight?.sent(requestIndex, atSeconds - this.#originSeconds) ?? 0;
  }

  /** A request that was due and not sent: as many as allowed were in flight. */
  dropped(requestIndex: number): void {
    this.#routes[requestIndex]!.droppedCount += 1;
  }

  done(channel: FinishedRequest, requestIndex: number, intendedAtSeconds: number, mask: number): void {
    const endedAtSeconds = channel.endedAtSeconds;
    this.#advance(endedAtSeconds);
    this.#inFlight -= 1;
    const inFlight = this.#allInFlight;
    if (inFlight !== undefined)
      this.#answerGap.record(inFlight.ended(requestIndex, endedAtSeconds - this.#originSeconds));
    const route = this.#routes[requestIndex]!;
    route.receivedBytes += channel.receivedBytes;
    if (channel.retried) this.#retriedCount += 1;
    if (channel.status > 0) {
      route.total.answeredCount += 1;
      this.#statusCounts.set(channel.status, (this.#statusCounts.get(channel.status) ?? 0) + 1);
    }
    const responseTimeSeconds = endedAtSeconds - intendedAtSeconds;
    this.#onSample?.(
      endedAtSeconds - this.#originSeconds,
      requestIndex,
      responseTimeSeconds,
      channel.outcome !== 'ok',
    );
    if (channel.outcome === 'error') {
      route.errorCount += 1;
      route.failureTime.record(responseTimeSeconds);
      this.#countError(channel.errorCode);
      return;
    }
    if (channel.outcome === 'ok') {
      route.okCount += 1;
    } else {
      route.timeoutCount += 1;
      this.#countError(channel.errorCode);
    }
    route.responseTime.record(responseTimeSeconds);
    route.sendToReplyTime.record(endedAtSeconds - channel.sentAtSeconds);
    for (let other = 0; other < route.withOther.length; other += 1) {
      if (other === requestIndex) continue;
      ((mask >>> other) & 1 ? route.withOther : route.withoutOther)[other]!.record(responseTimeSeconds);
    }
  }

  /** Everything since the last cut. */
  cut(atSeconds: number, stepIndex: number, phase: Frame['phase'], connectionCount: number): Frame {
    this.#advance(atSeconds);
    const frame: Frame = {
      stepIndex,
      phase,
      startedAtSeconds: this.#cutAtSeconds - this.#originSeconds,
      endedAtSeconds: atSeconds - this.#originSeconds,
      routes: this.#routes.map((route, i) => route.cut(this.#requests[i]!)),
      errorCodes: this.#errorCodes,
      statusCounts: Object.fromEntries(this.#statusCounts),
      inFlightSeconds: this.#inFlightSeconds,
      thinkingSeconds: this.#thinkingSeconds,
      thinkTimeSumSeconds: this.#thinkTimeSumSeconds,
      thinkTimeCount: this.#thinkTimeCount,
      retriedCount: this.#retriedCount,
      connectionCount,
      interference: this.#cutInterference(),
      ...(this.#allInFlight !== undefined && { answerGap: this.#answerGap.toData() }),
      generator: this.#cutGenerator(atSeconds - this.#cutAtSeconds),
    };
    this.#retriedTotal += this.#retriedCount;
    this.#cutAtSeconds = atSeconds;
    this.#errorCodes = {};
    this.#answerGap.reset();
    this.#statusCounts = new Map();
    this.#inFlightSeconds = this.#thinkingSeconds = this.#thinkTimeSumSeconds = 0;
    this.#thinkTimeCount = this.#retriedCount = 0;
    return frame;
  }

  /** Counts of the whole run up to the last cut. */
  totals(): RunTotals {
    return {
      byRoute: this.#routes.map((route, i) => ({
        requestClassId: this.#requests[i]!.id,
        route: this.#requests[i]!.route,
        ...route.total,
      })),
      retriedCount: this.#retriedTotal,
    };
  }

  #advance(atSeconds: number): void {
    const elapsed = atSeconds - this.#changedAtSeconds;
    if (elapsed <= 0) return;
    this.#inFlightSeconds += elapsed * this.#inFlight;
    this.#thinkingSeconds += elapsed * this.#thinking;
    this.#changedAtSeconds = atSeconds;
  }

  #countError(code: string): void {
    this.#errorCodes[code] = (this.#errorCodes[code] ?? 0) + 1;
  }

  #cutGenerator(durationSeconds: number): GeneratorHealth {
    const { cpuSeconds, eventLoopDelayMaxSeconds } = this.#probe.read();
    const scheduleLag = this.#scheduleLag.toData();
    this.#scheduleLag.reset();
    return {
      cpuSeconds,
      coreCount: 1,
      utilizationRatio: durationSeconds > 0 ? cpuSeconds / durationSeconds : 0,
      scheduleLag,
      eventLoopDelayMaxSeconds,
    };
  }

  #cutInterference(): readonly Interference[] {
    const cuts: Interference[] = [];
    for (const [i, route] of this.#routes.entries()) {
      for (const [j, withOther] of route.withOther.entries()) {
        const withoutOther = route.withoutOther[j]!;
        if (i === j || withOther.totalCount + withoutOther.totalCount === 0) continue;
        cuts.push({
          route: this.#requests[i]!.route,
          otherRoute: this.#requests[j]!.route,
          withOther: withOther.toData(),
          withoutOther: withoutOther.toData(),
        });
        withOther.reset();
        withoutOther.reset();
      }
    }
    return cuts;
  }
}
