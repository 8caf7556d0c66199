import type { RouteMeasurement, StepMeasurement } from '../../model/measurement.ts';
import { COARSE_BITS, Histogram, mergeHistograms } from '../../stats/histogram.ts';
import { loadText } from '../../stats/wording.ts';
import type { Sample } from './sample.ts';
import { SliceCounter, type SliceCounts } from './slice-counter.ts';
import type { Stretch } from './stretches.ts';

/** More routes than this are put together: each holds a histogram. */
const MOST_ROUTES = 100;
export const OTHER_ROUTES = '(other routes)';
const MOST_ERROR_CODES = 100;

interface RouteCounts {
  readonly id: string;
  readonly route: string;
  sent: number;
  ok: number;
  error: number;
  timeout: number;
  bytes: number;
  bytesKnown: boolean;
  readonly responseTime: Histogram;
  failureTime: Histogram | undefined;
}

/** Adds the requests of one stretch up to the measurement of a step. Memory grows with routes and seconds, not with requests. */
export class StepBuilder {
  readonly #stretch: Stretch;
  readonly #isLast: boolean;
  readonly #errorsUnknown: boolean;
  readonly #slices: SliceCounter;
  readonly #routes = new Map<string, RouteCounts>();
  readonly #errorCodes = new Map<string, number>();
  readonly #statusCounts = new Map<string, number>();

  constructor(stretch: Stretch, isLast: boolean, errorsUnknown = false) {
    this.#stretch = stretch;
    this.#errorsUnknown = errorsUnknown;
    this.#isLast = isLast;
    this.#slices = new SliceCounter(stretch);
  }

  get windowSeconds(): number {
    return this.#stretch.toSeconds - this.#stretch.fromSeconds;
  }

  /** Takes a request that may lie in the stretch: it counts where it ended, and is in flight from its start to its end. */
  add(sample: Sample): void {
    const { fromSeconds, toSeconds } = this.#stretch;
    const { startSeconds, responseTimeSeconds } = sample;
    const end = startSeconds + responseTimeSeconds;
    if (end < fromSeconds || startSeconds > toSeconds) return;
    this.#slices.addInFlight(Math.max(startSeconds, fromSeconds), Math.min(end, toSeconds));
    const began = startSeconds >= fromSeconds;
    if (began) this.#slices.at(startSeconds).began += 1;
    const isIn = end < toSeconds || (this.#isLast && end <= toSeconds);
    if (!isIn) {
      if (began) this.#routeOf(sample).sent += 1;
      return;
    }
    this.#count(sample, began, this.#slices.at(end));
  }

  #count(sample: Sample, began: boolean, slice: SliceCounts): void {
    const { outcome, responseTimeSeconds, status, receivedBytes } = sample;
    const route = this.#routeOf(sample);
    if (began) route.sent += 1;
    if (receivedBytes === undefined) route.bytesKnown = false;
    else route.bytes += receivedBytes;
    if (status !== undefined) addOne(this.#statusCounts, String(status));
    if (outcome !== 'ok')
      addOne(this.#errorCodes, outcome === 'timeout' ? 'timeout' : (sample.errorCode ?? 'failed'));
    if (outcome === 'error') {
      route.error += 1;
      slice.error += 1;
      (route.failureTime ??= new Histogram()).record(responseTimeSeconds);
      return;
    }
    if (outcome === 'timeout') {
      route.timeout += 1;
      slice.timeout += 1;
    } else {
      route.ok += 1;
      slice.ok += 1;
    }
    route.responseTime.record(responseTimeSeconds);
    (slice.responseTime ??= new Histogram(COARSE_BITS)).record(responseTimeSeconds);
  }

  /** The step's measurement; `originSeconds` is when the run began. */
  measurement(index: number, originSeconds: number): StepMeasurement {
    const { load, fromSeconds } = this.#stretch;
    const byRoute = [...this.#routes.values()].map(routeMeasurement);
    const sum = (of: (route: RouteMeasurement) => number): number =>
      byRoute.reduce((total, route) => total + of(route), 0);
    const okCount = sum((route) => route.okCount);
    const responseTime = mergeHistograms(byRoute.map((route) => route.responseTime));
    const { slices, inFlightSeconds } = this.#slices.toData(originSeconds);
    return {
      step: {
        index,
        label: loadText({ index, [load.kind]: load.value }),
        driver:
          load.kind === 'arrivalRatePerSecond'
            ? {
                kind: 'open',
                arrivalRatePerSecond: load.value,
                arrivals: 'constant',
                maxInFlight: Number.MAX_SAFE_INTEGER,
              }
            : { kind: 'closed', users: load.value },
        warmupSeconds: 0,
        measureSeconds: this.windowSeconds,
      },
      importedLoad: load,
      ...(this.#errorsUnknown && { errorsUnknown: true }),
      startedAtSeconds: fromSeconds - originSeconds,
      windowSeconds: this.windowSeconds,
      completionCount: okCount,
      outcomeCounts: {
        ok: okCount,
        error: sum((route) => route.errorCount),
        timeout: sum((route) => route.timeoutCount),
        dropped: 0,
      },
      errorCodes: Object.fromEntries(this.#errorCodes),
      statusCounts: Object.fromEntries(this.#statusCounts),
      responseTime,
      sendToReplyTime: responseTime,
      byRoute,
      interference: [],
      meanInFlight: this.windowSeconds > 0 ? inFlightSeconds / this.windowSeconds : 0,
      slices,
      counters: [],
      notices: [],
    };
  }

  #routeOf({ method, route }: Sample): RouteCounts {
    const id = method === undefined ? route : `${method} ${route}`;
    const known = this.#routes.get(id);
    if (known !== undefined) return known;
    const isOther = this.#routes.size >= MOST_ROUTES;
    if (isOther && this.#routes.has(OTHER_ROUTES)) return this.#routes.get(OTHER_ROUTES)!;
    const counts: RouteCounts = {
      id: isOther ? OTHER_ROUTES : id,
      route: isOther ? OTHER_ROUTES : route,
      sent: 0,
      ok: 0,
      error: 0,
      timeout: 0,
      bytes: 0,
      bytesKnown: true,
      responseTime: new Histogram(),
      failureTime: undefined,
    };
    this.#routes.set(counts.id, counts);
    return counts;
  }
}

function routeMeasurement(counts: RouteCounts): RouteMeasurement {
  const responseTime = counts.responseTime.toData();
  return {
    requestClassId: counts.id,
    route: counts.route,
    sentCount: counts.sent,
    okCount: counts.ok,
    errorCount: counts.error,
    timeoutCount: counts.timeout,
    droppedCount: 0,
    ...(counts.bytesKnown && { receivedBytes: counts.bytes }),
    responseTime,
    sendToReplyTime: responseTime,
    failureTime: (counts.failureTime ?? EMPTY).toData(),
  };
}

const EMPTY = new Histogram();

/** Counts by name; past a number of names, new ones are counted as others. */
function addOne(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < MOST_ERROR_CODES ? name : 'others';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
