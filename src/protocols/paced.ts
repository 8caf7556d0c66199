import type { Clock, Task } from '../host/host.ts';
import type { TransportMeasurement } from '../model/measurement.ts';
import { ForwardedChannel } from './forwarded-channel.ts';
import type { Channel, DrawnRequest, Protocol } from './protocol.ts';

/** A protocol under a ceiling, with how many requests had to wait for it. */
export interface PacedProtocol extends Protocol {
  readonly heldCount: number;
  /** Another ceiling from now on, for what waits too. */
  setLimit(maxPerSecond: number): void;
}

/** A wait shorter than this is not worth a timer of its own. */
const SHORTEST_WAIT_SECONDS = 1e-3;

/**
 * Sends at most `maxPerSecond · (T + 1)` requests in any T seconds, whatever the load asks for (a token bucket one
 * second deep). A request over it waits its turn, in order, and is counted: its response time runs on, so that a
 * step held back shows it.
 */
export function paceProtocol(protocol: Protocol, clock: Clock, maxPerSecond: number): PacedProtocol {
  return new Paced(protocol, clock, maxPerSecond);
}

class Paced implements PacedProtocol, Task {
  heldCount = 0;
  /** Missing where there is nothing beneath the requests. */
  readonly takeTransport?: () => TransportMeasurement;
  readonly #protocol: Protocol;
  readonly #clock: Clock;
  #maxPerSecond: number;
  readonly #waiting: PacedChannel[] = [];
  #takenHeldCount = 0;
  #credit: number;
  #refilledAtSeconds: number;

  constructor(protocol: Protocol, clock: Clock, maxPerSecond: number) {
    this.#protocol = protocol;
    this.#clock = clock;
    this.#maxPerSecond = maxPerSecond;
    this.#credit = Math.max(1, maxPerSecond);
    this.#refilledAtSeconds = clock.nowSeconds();
    const take = protocol.takeTransport?.bind(protocol);
    if (take !== undefined) this.takeTransport = () => this.#withHeld(take());
  }

  #withHeld(measured: TransportMeasurement): TransportMeasurement {
    const heldCount = this.heldCount - this.#takenHeldCount;
    this.#takenHeldCount = this.heldCount;
    return heldCount === 0 ? measured : { ...measured, heldCount };
  }

  setLimit(maxPerSecond: number): void {
    this.#refill();
    this.#maxPerSecond = maxPerSecond;
  }

  get name(): string {
    return this.#protocol.name;
  }

  get connectionCount(): number {
    return this.#protocol.connectionCount;
  }

  openChannel(onDone: (channel: Channel) => void): Channel {
    return new PacedChannel(this, this.#protocol, onDone);
  }

  close(): Promise<void> {
    this.#waiting.length = 0;
    return this.#protocol.close();
  }

  nowSeconds(): number {
    return this.#clock.nowSeconds();
  }

  /** Whether the channel may send now; if not, it is told when it may. The clock is asked only when credit ends. */
  admit(channel: PacedChannel): boolean {
    if (this.#waiting.length === 0 && (this.#credit >= 1 || this.#refill() >= 1)) {
      this.#credit -= 1;
      return true;
    }
    this.heldCount += 1;
    this.#waiting.push(channel);
    if (this.#waiting.length === 1) this.#wait();
    return false;
  }

  forget(channel: PacedChannel): void {
    const place = this.#waiting.indexOf(channel);
    if (place >= 0) this.#waiting.splice(place, 1);
  }

  onTime(): void {
    let due = Math.floor(this.#refill());
    while (due >= 1 && this.#waiting.length > 0) {
      due -= 1;
      this.#credit -= 1;
      this.#waiting.shift()!.release();
    }
    if (this.#waiting.length > 0) this.#wait();
  }

  #wait(): void {
    const seconds = Math.max(SHORTEST_WAIT_SECONDS, (1 - this.#credit) / this.#maxPerSecond);
    this.#clock.schedule(this.#clock.nowSeconds() + seconds, this);
  }

  #refill(): number {
    const now = this.#clock.nowSeconds();
    const earned = (now - this.#refilledAtSeconds) * this.#maxPerSecond;
    this.#refilledAtSeconds = now;
    this.#credit = Math.min(Math.max(1, this.#maxPerSecond), this.#credit + earned);
    return this.#credit;
  }
}

class PacedChannel extends ForwardedChannel {
  readonly #pace: Paced;
  #requestIndex = 0;
  #target = '';
  #waitingSinceSeconds = 0;
  #drawn: DrawnRequest | undefined;

  constructor(pace: Paced, protocol: Protocol, onDone: (channel: Channel) => void) {
    super(protocol, onDone);
    this.#pace = pace;
    if (this.inner.sendDrawn !== undefined) this.sendDrawn = this.#sendDrawn;
  }

  readonly #sendDrawn = (request: DrawnRequest, waitingSinceSeconds?: number): void => {
    if (this.#pace.admit(this)) {
      this.inner.sendDrawn!(request, waitingSinceSeconds);
      return;
    }
    this.#waitingSinceSeconds = waitingSinceSeconds ?? this.#pace.nowSeconds();
    this.#drawn = request;
  };

  send(requestIndex: number, target: string, waitingSinceSeconds?: number): void {
    if (this.#pace.admit(this)) {
      this.inner.send(requestIndex, target, waitingSinceSeconds);
      return;
    }
    this.#waitingSinceSeconds = waitingSinceSeconds ?? this.#pace.nowSeconds();
    this.#requestIndex = requestIndex;
    this.#target = target;
  }

  release(): void {
    const drawn = this.#drawn;
    this.#drawn = undefined;
    if (drawn !== undefined) this.inner.sendDrawn!(drawn, this.#waitingSinceSeconds);
    else this.inner.send(this.#requestIndex, this.#target, this.#waitingSinceSeconds);
  }

  override close(): void {
    this.#pace.forget(this);
    this.inner.close();
  }
}
