import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Endpoint } from '../endpoint.ts';

/** Octets in flight that a stream, and a connection, may have unacknowledged: a body should not wait for us. */
const STREAM_WINDOW_BYTES = 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;

/** A channel that waits for a connection to stand. */
export interface ConnectionUser {
  onReady(connection: Http2Connection): void;
  onConnectFailure(code: string): void;
}

export interface ConnectionListener {
  onOpened(connection: Http2Connection): void;
  onClosed(connection: Http2Connection): void;
}

/** One HTTP/2 session from its opening to its end, and the requests that wait for it to stand. */
export class Http2Connection {
  readonly begunAtSeconds: number;
  ready = false;
  /** No further request may be begun on it: it ends, has ended, or has carried as many as it may. */
  ending = false;
  /** Requests begun on it. */
  requestCount = 0;
  /** The last stream the service says it has looked at; Infinity while it has not said it stops. */
  lastStreamId = Infinity;
  /** Why the connection as a whole failed; '' while it has not. */
  failureCode = '';

  readonly #session: ClientHttp2Session;
  readonly #waiting = new Set<ConnectionUser>();
  /** Streams begun and not yet over. */
  #streamCount = 0;
  #retired = false;

  constructor(endpoint: Endpoint, begunAtSeconds: number, listener: ConnectionListener) {
    this.begunAtSeconds = begunAtSeconds;
    const socket = endpoint.open();
    this.#session = connect(`${endpoint.scheme}://${endpoint.authority}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
    });
    const session = this.#session;
    socket.once(endpoint.readyEvent, () => this.#checkProtocol(socket, endpoint));
    socket.once('error', (error) => this.#fail(failureCodeOf(error)));
    socket.once('end', () => this.#fail('connection-closed'));
    socket.once('close', () => this.#fail('connection-closed'));
    session.once('connect', () => this.#open(listener));
    session.on('goaway', (_code, lastStreamId) => {
      this.ending = true;
      this.lastStreamId = lastStreamId;
    });
    session.on('error', (error: NodeJS.ErrnoException) => this.#fail(failureCodeOf(error)));
    session.once('close', () => {
      this.#fail('connection-closed');
      this.#tellFailure();
      listener.onClosed(this);
    });
  }

  /** Calls back as soon as a request may be begun, at once where the connection stands. */
  await(user: ConnectionUser): void {
    if (this.ready) user.onReady(this);
    else this.#waiting.add(user);
  }

  leave(user: ConnectionUser): void {
    this.#waiting.delete(user);
  }

  request(fields: Readonly<Record<string, string>>, hasBody: boolean): ClientHttp2Stream {
    this.#streamCount += 1;
    const stream = this.#session.request(fields, { endStream: !hasBody });
    return stream.once('close', () => {
      this.#streamCount -= 1;
      this.#endWhenIdle();
    });
  }

  /** Ends the connection once the requests that were given to it are answered. */
  retire(): void {
    this.ending = true;
    this.#retired = true;
    this.#endWhenIdle();
  }

  /** Ends the connection at once. */
  drop(): void {
    this.ending = true;
    this.#waiting.clear();
    this.#session.destroy();
  }

  /** A service that knows nothing of HTTP/2 says so by choosing no protocol (RFC 9113 §3.2). */
  #checkProtocol(socket: Socket, endpoint: Endpoint): void {
    if (endpoint.scheme === 'http' || (socket as TLSSocket).alpnProtocol === 'h2') return;
    this.#fail('http2-not-offered');
    this.#session.destroy();
  }

  #open(listener: ConnectionListener): void {
    if (this.#session.destroyed) return;
    this.ready = true;
    this.#session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    listener.onOpened(this);
    for (const user of this.#waiting) user.onReady(this);
    this.#waiting.clear();
  }

  /** Not before the last answer: Node gives up streams that it has not written yet when a session is closed. */
  #endWhenIdle(): void {
    if (this.#retired && this.#streamCount + this.#waiting.size === 0) this.#session.close();
  }

  #fail(code: string): void {
    this.ending = true;
    this.failureCode ||= code;
  }

  /** Told in a later turn of the event loop: a caller that tries again at once must not keep it from turning. */
  #tellFailure(): void {
    const waiting = Array.from(this.#waiting);
    this.#waiting.clear();
    setImmediate(() => {
      for (const user of waiting) user.onConnectFailure(this.failureCode);
    });
  }
}

/** The service's TLS knows ALPN and has no HTTP/2; one that knows no ALPN chooses nothing. */
const NO_COMMON_PROTOCOL = 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';

/** The system's or TLS's own code; what breaks RFC 9113 is a malformed answer. */
export function failureCodeOf(error: NodeJS.ErrnoException): string {
  if (error.code === NO_COMMON_PROTOCOL) return 'http2-not-offered';
  if (error.code === 'ERR_HTTP2_ERROR') return 'malformed-response';
  if (error.code === 'ERR_HTTP2_SOCKET_UNBOUND' || error.code === 'ERR_SOCKET_CLOSED')
    return 'connection-closed';
  return error.code ?? error.name;
}
