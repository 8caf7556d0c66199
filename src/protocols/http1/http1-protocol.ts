import type { Clock } from '../../host/host.ts';
import type { Channel, Protocol, ProtocolOptions } from '../protocol.ts';
import { BatchClock } from './batch-clock.ts';
import { type ChannelHost, Http1Channel } from './channel.ts';
import type { TransportMeasurement } from '../../model/measurement.ts';
import { type Deferred, deferred } from '../deferred.ts';
import { type Endpoint, endpointOf } from '../endpoint.ts';
import { authorizationOf } from '../request-fields.ts';
import { timeLimitsOf } from '../time-limits.ts';
import { TimeoutSweep } from '../timeout-sweep.ts';
import { TransportMeter } from '../transport-meter.ts';
import { Connection, type ConnectionListener } from './connection.ts';
import { ReadBuffer } from './known-head.ts';
import { prepareRequest, type PreparedRequest } from './prepared-request.ts';

const READ_BUFFER_BYTES = 64 * 1024;

/**
 * HTTP/1.1 over TCP, TLS or a unix socket: one request in flight per channel, connections kept alive, or
 * replaced after so many requests.
 *
 * An answer of 400 and above ends as `error` with `http-<status>`; so do failures, with the system's code
 * (`ECONNREFUSED`, `ECONNRESET`, …), `connection-closed` for an answer cut short, or `malformed-response`
 * with the fault as `errorDetail`. Redirects are answers like others. A connection is opened at a channel's
 * first request and again whenever it was closed; connecting is part of the response time, not of the time
 * from send to reply. Timeouts run from `send` and are named by how far the request had come.
 * @throws ShiploadError `url-invalid` or `option-invalid` for what HTTP/1.1 cannot carry.
 */
export function createHttp1Protocol(options: ProtocolOptions, clock: Clock): Protocol {
  return new Http1Protocol(options, clock);
}

class Http1Protocol implements Protocol, ChannelHost, ConnectionListener {
  readonly name = 'http1';
  readonly requests: readonly PreparedRequest[];
  readonly timeouts: TimeoutSweep<Http1Channel>;
  readonly buffer = new ReadBuffer(READ_BUFFER_BYTES);
  readonly requestsPerConnection: number;
  readonly headers: Readonly<Record<string, string>>;
  shortestConnectSeconds = Infinity;

  readonly #endpoint: Endpoint;
  readonly #clock: Clock;
  readonly #batchClock: BatchClock;
  readonly #meter = new TransportMeter();
  readonly #connections = new Set<Connection>();
  #closing: Deferred | undefined;

  constructor(options: ProtocolOptions, clock: Clock) {
    const { authority } = (this.#endpoint = endpointOf(options, 'http/1.1'));
    const headers = { ...authorizationOf(options.url), ...options.headers };
    this.requests = options.requests.map((request) => prepareRequest(request, authority, headers));
    this.headers = { Host: authority, ...headers };
    this.#clock = clock;
    this.#batchClock = new BatchClock(clock);
    this.requestsPerConnection = options.transport?.requestsPerConnection ?? Infinity;
    this.timeouts = new TimeoutSweep(clock, timeLimitsOf(options));
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  takeTransport(): TransportMeasurement {
    return this.#meter.take();
  }

  openChannel(onDone: (channel: Channel) => void): Channel {
    return new Http1Channel(this, onDone);
  }

  close(): Promise<void> {
    this.#closing ??= deferred();
    this.#endpoint.close();
    for (const channel of this.timeouts.channels) channel.close();
    for (const connection of this.#connections) connection.drop();
    if (this.#connections.size === 0) this.#closing.resolve();
    return this.#closing.done;
  }

  nowSeconds(): number {
    return this.#clock.nowSeconds();
  }

  catchUp(): void {
    this.#clock.catchUp();
  }

  readTimeSeconds(): number {
    return this.#batchClock.nowSeconds(this.#connections.size);
  }

  connect(owner: Http1Channel): Connection {
    if (this.#closing !== undefined) throw new Error('send was called after close');
    this.timeouts.channels.add(owner);
    const connection = new Connection(
      this.#endpoint,
      this.buffer.bytes,
      this.#clock.nowSeconds(),
      owner,
      this,
    );
    this.#connections.add(connection);
    return connection;
  }

  forget(channel: Http1Channel): void {
    this.timeouts.channels.delete(channel);
  }

  onOpened(connection: Connection): void {
    const connectSeconds = this.#clock.nowSeconds() - connection.begunAtSeconds;
    this.shortestConnectSeconds = Math.min(this.shortestConnectSeconds, connectSeconds);
    this.#meter.opened(connectSeconds);
  }

  onClosed(connection: Connection): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#closing?.resolve();
  }
}
