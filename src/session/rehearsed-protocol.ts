import { ScenarioFault, ShiploadError } from '../errors.ts';
import type { Clock, Task } from '../host/host.ts';
import type { PlannedRequest } from '../model/load.ts';
import type { Channel, DrawnRequest, Protocol } from '../protocols/protocol.ts';
import { drawnFields } from '../protocols/request-fields.ts';

/** A request as it would go to the service. */
export interface SentRequest {
  readonly method: string;
  readonly target: string;
  /** The class it is counted under; for a drawn request its target. */
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A service that is not there: every request is noted and answered 200 at once. */
export class RehearsedProtocol implements Protocol {
  readonly name = 'rehearsed';
  readonly connectionCount = 0;
  readonly clock: Clock;
  readonly requests: readonly PlannedRequest[];
  readonly onSent: (request: SentRequest) => void;

  constructor(clock: Clock, requests: readonly PlannedRequest[], onSent: (request: SentRequest) => void) {
    this.clock = clock;
    this.requests = requests;
    this.onSent = onSent;
  }

  openChannel(onDone: (channel: Channel) => void): Channel {
    return new RehearsedChannel(this, onDone);
  }

  async close(): Promise<void> {}
}

class RehearsedChannel implements Channel, Task {
  outcome: Channel['outcome'] = 'ok';
  status = 200;
  errorCode = '';
  receivedBytes = 0;
  sentAtSeconds = 0;
  endedAtSeconds = 0;
  retried = false;
  readonly #protocol: RehearsedProtocol;
  readonly #onDone: (channel: Channel) => void;

  constructor(protocol: RehearsedProtocol, onDone: (channel: Channel) => void) {
    this.#protocol = protocol;
    this.#onDone = onDone;
  }

  send(requestIndex: number, target: string): void {
    const { method, route, headers = {}, body } = this.#protocol.requests[requestIndex]!;
    this.#sent({ method, target, route, headers, ...(body !== undefined && { body }) });
  }

  sendDrawn(drawn: DrawnRequest): void {
    requireCarried(drawn);
    const { body, ...request } = drawn;
    const text = typeof body === 'string' || body === undefined ? body : new TextDecoder().decode(body);
    this.#sent({ ...request, route: request.target, ...(text !== undefined && { body: text }) });
  }

  close(): void {}

  onTime(): void {
    this.endedAtSeconds = this.#protocol.clock.nowSeconds();
    this.#onDone(this);
  }

  #sent(request: SentRequest): void {
    this.#protocol.onSent(request);
    this.sentAtSeconds = this.#protocol.clock.nowSeconds();
    this.#protocol.clock.schedule(this.sentAtSeconds, this);
  }
}

/** Throws a ScenarioFault for fields that HTTP cannot carry, as the way to a service would under load. */
function requireCarried(drawn: DrawnRequest): void {
  try {
    drawnFields(drawn, {});
  } catch (error) {
    throw error instanceof ShiploadError ? new ScenarioFault(error.message) : error;
  }
}
