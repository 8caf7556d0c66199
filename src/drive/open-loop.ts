import type { Task } from '../host/host.ts';
import { type ArrivalTimes, arrivalTimes } from '../load/arrival-times.ts';
import type { RequestStream } from '../load/request-stream.ts';
import type { Driver } from '../model/load.ts';
import type { Channel } from '../protocols/protocol.ts';
import { createRandom, mixSeed, type Random } from '../stats/random.ts';
import type { LoadLoop, LoopHost } from './load-loop.ts';
import { isOwn, ownShare } from './plan-part.ts';

type OpenDriver = Extract<Driver, { kind: 'open' }>;
/** Leaves what is sent next in two fields. */
type RequestSource = Pick<RequestStream, 'requestIndex' | 'target' | 'draw'>;

/** Salts, so that when requests come does not depend on how many draws it takes to choose them. */
const ARRIVALS_SALT = -1;
const CHOICE_SALT = -2;

/**
 * Requests that come at their own times whether or not earlier ones were answered. Each keeps its intended
 * time: response time runs from there, so a late generator shows as response time and as schedule lag, never as
 * a lower rate. A tick sends all that is due. Above `maxInFlight` an arrival is counted as dropped and not sent.
 */
export class OpenLoop implements LoadLoop, Task {
  readonly #host: LoopHost;
  readonly #choice: Random;
  readonly #arrivals: Random;
  /** Last in, first out: few connections stay warm instead of many growing cold. */
  readonly #idle: Lane[] = [];
  #inFlight = 0;
  #maxInFlight = 0;
  #nextArrival: ArrivalTimes = () => Infinity;
  #nextAtSeconds = Infinity;
  /** Number in the step of the arrival after `#nextAtSeconds`. */
  #arrivalNumber = 0;
  #endsAtSeconds = 0;
  /** What says which request comes next. */
  #source: RequestSource;
  #replayOriginSeconds: number | undefined;
  #onIdle: (() => void) | undefined;

  constructor(host: LoopHost) {
    this.#host = host;
    this.#source = host.stream;
    this.#arrivals = createRandom(mixSeed(host.seed, ARRIVALS_SALT));
    this.#choice = createRandom(mixSeed(host.seed, CHOICE_SALT));
  }

  begin(driver: Driver, startsAtSeconds: number, endsAtSeconds: number): void {
    if (driver.kind !== 'open') {
      this.#nextAtSeconds = Infinity;
      return;
    }
    // At least one, or a part would drop everything.
    this.#maxInFlight = Math.max(1, ownShare(driver.maxInFlight, this.#host.part));
    this.#arrivalNumber = 0;
    this.#nextArrival = this.#arrivalsOf(driver, startsAtSeconds);
    this.#endsAtSeconds = endsAtSeconds;
    this.#advance();
    this.#awaitNext();
  }

  /** A log goes on from step to step by one clock: its origin is the start of its first step. */
  #arrivalsOf(driver: OpenDriver, startsAtSeconds: number): ArrivalTimes {
    const { replay } = this.#host;
    this.#source = this.#host.stream;
    if (driver.arrivals !== 'log') return arrivalTimes(driver, startsAtSeconds, this.#arrivals);
    if (replay === undefined) throw new RangeError('a step replays a log, and no log was given');
    this.#source = replay.stream;
    this.#replayOriginSeconds ??= startsAtSeconds;
    return replay.stream.arrivalTimes(this.#replayOriginSeconds, replay.speedFactor);
  }

  stop(onIdle: () => void): void {
    this.#nextAtSeconds = Infinity;
    this.#onIdle = onIdle;
    this.#tellIfIdle();
  }

  onTime(): void {
    const { clock } = this.#host;
    // Only what is due now: beyond its limit the generator must still come to read answers.
    const dueUntilSeconds = clock.nowSeconds();
    // Woken for an arrival that a new step or the end has overtaken.
    if (this.#nextAtSeconds > dueUntilSeconds) return;
    while (this.#nextAtSeconds <= dueUntilSeconds) {
      this.#arrive(this.#nextAtSeconds, clock.nowSeconds());
      this.#advance();
    }
    this.#awaitNext();
  }

  #awaitNext(): void {
    if (this.#nextAtSeconds < Infinity) this.#host.clock.schedule(this.#nextAtSeconds, this);
  }

  /**
   * Arrivals of a step end with it by the plan, also when whoever begins the next step comes late. Those of other
   * parts are drawn and passed over, so that an arrival is the same whoever sends it.
   */
  #advance(): void {
    const { part } = this.#host;
    let atSeconds = this.#nextArrival();
    while (!isOwn(this.#arrivalNumber++, part) && atSeconds < this.#endsAtSeconds) {
      this.#source.draw(this.#choice);
      atSeconds = this.#nextArrival();
    }
    this.#nextAtSeconds = atSeconds < this.#endsAtSeconds ? atSeconds : Infinity;
  }

  #arrive(intendedAtSeconds: number, nowSeconds: number): void {
    const source = this.#source;
    source.draw(this.#choice);
    if (this.#inFlight >= this.#maxInFlight) {
      this.#host.recorder.dropped(source.requestIndex);
      return;
    }
    this.#inFlight += 1;
    const lane = this.#idle.pop() ?? new Lane(this.#host, this.#laneFreed);
    lane.send(source, intendedAtSeconds, nowSeconds);
  }

  readonly #laneFreed = (lane: Lane): void => {
    this.#inFlight -= 1;
    this.#idle.push(lane);
    this.#tellIfIdle();
  };

  #tellIfIdle(): void {
    if (this.#inFlight > 0) return;
    const onIdle = this.#onIdle;
    this.#onIdle = undefined;
    onIdle?.();
  }
}

/** A channel with what must be remembered of the request on it. */
class Lane {
  readonly #host: LoopHost;
  readonly #onFreed: (lane: Lane) => void;
  readonly #channel: Channel;
  #intendedAtSeconds = 0;
  #requestIndex = 0;
  #mask = 0;

  constructor(host: LoopHost, onFreed: (lane: Lane) => void) {
    this.#host = host;
    this.#onFreed = onFreed;
    this.#channel = host.protocol.openChannel(this.#onDone);
  }

  /** Sends what the source has drawn. */
  send({ requestIndex, target }: RequestSource, intendedAtSeconds: number, nowSeconds: number): void {
    this.#intendedAtSeconds = intendedAtSeconds;
    this.#requestIndex = requestIndex;
    this.#mask = this.#host.recorder.sent(requestIndex, intendedAtSeconds, nowSeconds);
    this.#channel.send(requestIndex, target);
  }

  readonly #onDone = (channel: Channel): void => {
    this.#host.recorder.done(channel, this.#requestIndex, this.#intendedAtSeconds, this.#mask);
    this.#onFreed(this);
  };
}
