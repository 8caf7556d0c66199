import type { Clock, Task } from '../../host/host.ts';
import type { Channel, Protocol, ProtocolOptions } from '../protocol.ts';
import { BatchClock } from './batch-clock.ts';
import { type ChannelHost, Http1Channel } from './channel.ts';
import { Connection } from './connection.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';
import { ReadBuffer } from './known-head.ts';
import { prepareRequest, type PreparedRequest } from './prepared-request.ts';

const READ_BUFFER_BYTES = 64 * 1024;
/** Timeouts are noticed by a sweep this often, so they are up to this much late; no request has a timer. */
const SWEEP_SECONDS = 0.1;

/**
 * HTTP/1.1 over TCP, TLS or a unix socket: one request in flight per channel, connections kept alive.
 *
 * An answer of 400 and above ends as `error` with `http-<status>`; so do failures, with the system's code
 * (`ECONNREFUSED`, `ECONNRESET`, …), `connection-closed` for an answer cut short, or `malformed-response`
 * with the fault as `errorDetail`. Redirects are answers like others. A connection is opened at a channel's
 * first request and again whenever it was closed; connecting is part of the response time, not of the time
 * from send to reply. Timeouts run from `send`.
 * @throws ShiploadError `url-invalid` or `option-invalid` for what HTTP/1.1 cannot carry.
 */
export function createHttp1Protocol(options: ProtocolOptions, clock: Clock): Protocol {
  return new Http1Protocol(options, clock);
}

class Http1Protocol implements Protocol, ChannelHost, Task {
  readonly name = 'http1';
  readonly requests: readonly PreparedRequest[];
  readonly buffer = new ReadBuffer(READ_BUFFER_BYTES);

  readonly #endpoint: Endpoint;
  readonly #clock: Clock;
  readonly #batchClock: BatchClock;
  readonly #requestTimeoutSeconds: number;
  readonly #channels = new Set<Http1Channel>();
  readonly #connections = new Set<Connection>();
  #sweeping = false;
  #closing: { readonly done: Promise<void>; readonly resolve: () => void } | undefined;

  constructor(options: ProtocolOptions, clock: Clock) {
    const { authority } = (this.#endpoint = endpointOf(options, this.buffer));
    const headers = { ...authorizationOf(options.url), ...options.headers };
    this.requests = options.requests.map((request) => prepareRequest(request, authority, headers));
    this.#clock = clock;
    this.#batchClock = new BatchClock(clock);
    this.#requestTimeoutSeconds = options.requestTimeoutSeconds;
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  openChannel(onDone: (channel: Channel) => void): Channel {
    return new Http1Channel(this, onDone);
  }

  close(): Promise<void> {
    this.#closing ??= deferred();
    for (const channel of this.#channels) channel.close();
    for (const connection of this.#connections) connection.drop();
    if (this.#connections.size === 0) this.#closing.resolve();
    return this.#closing.done;
  }

  nowSeconds(): number {
    return this.#clock.nowSeconds();
  }

  readTimeSeconds(): number {
    return this.#batchClock.nowSeconds(this.#connections.size);
  }

  connect(owner: Http1Channel): Connection {
    if (this.#closing !== undefined) throw new Error('send was called after close');
    this.#channels.add(owner);
    const connection = new Connection(this.#endpoint, owner, (closed) => this.#onClosed(closed));
    this.#connections.add(connection);
    return connection;
  }

  watch(atSeconds: number): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    this.#clock.schedule(atSeconds + SWEEP_SECONDS, this);
  }

  forget(channel: Http1Channel): void {
    this.#channels.delete(channel);
  }

  /** Sweeps over the requests in flight, and again later as long as there are any. */
  onTime(): void {
    const now = this.#clock.nowSeconds();
    this.#sweeping = false;
    for (const channel of this.#channels) {
      if (channel.startedAtSeconds === Infinity) continue;
      if (now - channel.startedAtSeconds >= this.#requestTimeoutSeconds) channel.expire(now);
      this.watch(now);
    }
  }

  #onClosed(connection: Connection): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#closing?.resolve();
  }
}

/** Basic credentials of a url's user part (RFC 7617). */
function authorizationOf(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {};
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { Authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` };
}

function deferred(): { done: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const done = new Promise<void>((settle) => (resolve = settle));
  return { done, resolve };
}
