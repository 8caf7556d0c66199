import type { Clock } from '../host/host.ts';
import type { TransportMeasurement } from '../model/measurement.ts';
import { ForwardedChannel } from '../protocols/forwarded-channel.ts';
import type { Channel, DrawnRequest, Protocol } from '../protocols/protocol.ts';

/**
 * Lets nothing through once `isOpen` says no: what is sent then ends at once with the error `agent-cut-off`. An agent
 * that stood still (stopped, swapped out) finds many requests due when it wakes, before its timers can end the load;
 * none of them may reach the service.
 */
export function gateProtocol(protocol: Protocol, clock: Clock, isOpen: () => boolean): Protocol {
  return new Gated(protocol, clock, isOpen);
}

class Gated implements Protocol {
  /** Missing where there is nothing beneath the requests. */
  readonly takeTransport?: () => TransportMeasurement;
  readonly #protocol: Protocol;
  readonly #clock: Clock;
  readonly #isOpen: () => boolean;

  constructor(protocol: Protocol, clock: Clock, isOpen: () => boolean) {
    this.#protocol = protocol;
    this.#clock = clock;
    this.#isOpen = isOpen;
    const take = protocol.takeTransport?.bind(protocol);
    if (take !== undefined) this.takeTransport = take;
  }

  get name(): string {
    return this.#protocol.name;
  }

  get connectionCount(): number {
    return this.#protocol.connectionCount;
  }

  openChannel(onDone: (channel: Channel) => void): Channel {
    const refuse = (): void => {
      const now = this.#clock.nowSeconds();
      this.#clock.schedule(now, { onTime: () => onDone(new CutOff(now)) });
    };
    return new GatedChannel(this.#protocol, onDone, this.#isOpen, refuse);
  }

  close(): Promise<void> {
    return this.#protocol.close();
  }
}

class GatedChannel extends ForwardedChannel {
  readonly #isOpen: () => boolean;
  readonly #refuse: () => void;

  constructor(
    protocol: Protocol,
    onDone: (channel: Channel) => void,
    isOpen: () => boolean,
    refuse: () => void,
  ) {
    super(protocol, onDone);
    this.#isOpen = isOpen;
    this.#refuse = refuse;
    if (this.inner.sendDrawn !== undefined) this.sendDrawn = this.#sendDrawn;
  }

  send(requestIndex: number, target: string, waitingSinceSeconds?: number): void {
    if (this.#isOpen()) this.inner.send(requestIndex, target, waitingSinceSeconds);
    else this.#refuse();
  }

  readonly #sendDrawn = (request: DrawnRequest, waitingSinceSeconds?: number): void => {
    if (this.#isOpen()) this.inner.sendDrawn!(request, waitingSinceSeconds);
    else this.#refuse();
  };
}

/** What became of a request that was not let through. */
class CutOff implements Channel {
  outcome = 'error' as const;
  status = 0;
  errorCode = 'agent-cut-off';
  receivedBytes = 0;
  sentAtSeconds: number;
  endedAtSeconds: number;
  retried = false;

  constructor(nowSeconds: number) {
    this.sentAtSeconds = nowSeconds;
    this.endedAtSeconds = nowSeconds;
  }

  send(): void {}
  close(): void {}
}
