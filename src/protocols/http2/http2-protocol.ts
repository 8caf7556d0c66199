import type { Clock } from '../../host/host.ts';
import type { TransportMeasurement } from '../../model/measurement.ts';
import { type Deferred, deferred } from '../deferred.ts';
import { type Endpoint, endpointOf } from '../endpoint.ts';
import type { Channel, Protocol, ProtocolOptions } from '../protocol.ts';
import { authorizationOf } from '../request-fields.ts';
import { timeLimitsOf } from '../time-limits.ts';
import { TimeoutSweep } from '../timeout-sweep.ts';
import { TransportMeter } from '../transport-meter.ts';
import { type ChannelHost, type ConnectionPlace, Http2Channel } from './channel.ts';
import { type ConnectionListener, Http2Connection } from './connection.ts';
import { type PreparedHttp2Request, prepareHttp2Request } from './prepared-request.ts';

/**
 * HTTP/2 (RFC 9113) over TLS by ALPN, or in clear text with prior knowledge, on Node's own http2: a channel is a
 * stream, and `streamsPerConnection` channels share a connection.
 *
 * Outcomes are those of HTTP/1.1; a stream that was reset ends as `http2-<name of the error>`, a service
 * without HTTP/2 as `http2-not-offered` or `malformed-response`. `receivedBytes` are the octets of content;
 * compressed header blocks belong to no one stream. Only what the service says it did not look at is sent again.
 * @throws ShiploadError `url-invalid` or `option-invalid` for what HTTP/2 cannot carry.
 */
export function createHttp2Protocol(options: ProtocolOptions, clock: Clock): Protocol {
  return new Http2Protocol(options, clock);
}

class Http2Protocol implements Protocol, ChannelHost, ConnectionListener {
  readonly name = 'http2';
  readonly requests: readonly PreparedHttp2Request[];
  readonly timeouts: TimeoutSweep<Http2Channel>;

  readonly #endpoint: Endpoint;
  readonly #clock: Clock;
  readonly #meter = new TransportMeter();
  readonly #streamsPerConnection: number;
  readonly #requestsPerConnection: number;
  readonly #connections = new Set<Http2Connection>();
  #place: Place | undefined;
  #closing: Deferred | undefined;

  constructor(options: ProtocolOptions, clock: Clock) {
    const { scheme, authority } = (this.#endpoint = endpointOf(options, 'h2'));
    const headers = { ...authorizationOf(options.url), ...options.headers };
    this.requests = options.requests.map((request) =>
      prepareHttp2Request(request, scheme, authority, headers),
    );
    this.#clock = clock;
    this.timeouts = new TimeoutSweep(clock, timeLimitsOf(options));
    this.#streamsPerConnection = options.transport?.streamsPerConnection ?? 1;
    this.#requestsPerConnection = options.transport?.requestsPerConnection ?? Infinity;
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  takeTransport(): TransportMeasurement {
    return this.#meter.take();
  }

  /** Channels take places in the order they come: a connection is filled before the next one is opened. */
  openChannel(onDone: (channel: Channel) => void): Channel {
    if (this.#place === undefined || this.#place.channelCount === this.#streamsPerConnection) {
      this.#place = new Place(() => this.#connect(), this.#requestsPerConnection);
    }
    this.#place.channelCount += 1;
    const channel = new Http2Channel(this, this.#place, onDone);
    this.timeouts.channels.add(channel);
    return channel;
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

  forget(channel: Http2Channel): void {
    this.timeouts.channels.delete(channel);
  }

  onOpened(connection: Http2Connection): void {
    this.#meter.opened(this.#clock.nowSeconds() - connection.begunAtSeconds);
  }

  onClosed(connection: Http2Connection): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#closing?.resolve();
  }

  #connect(): Http2Connection {
    if (this.#closing !== undefined) throw new Error('send was called after close');
    const connection = new Http2Connection(this.#endpoint, this.#clock.nowSeconds(), this);
    this.#connections.add(connection);
    return connection;
  }
}

/** The connection that a number of channels share, and its successors. */
class Place implements ConnectionPlace {
  channelCount = 0;

  readonly #connect: () => Http2Connection;
  readonly #requestsPerConnection: number;
  #connection: Http2Connection | undefined;

  constructor(connect: () => Http2Connection, requestsPerConnection: number) {
    this.#connect = connect;
    this.#requestsPerConnection = requestsPerConnection;
  }

  take(): Http2Connection {
    let connection = this.#connection;
    if (connection !== undefined && connection.requestCount >= this.#requestsPerConnection) {
      connection.retire();
    }
    if (connection === undefined || connection.ending) connection = this.#connection = this.#connect();
    connection.requestCount += 1;
    return connection;
  }
}
