import type { ClientHttp2Stream, IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2';
import type { Channel } from '../protocol.ts';
import { wireTarget } from '../request-fields.ts';
import { statusErrorCode } from '../status-error.ts';
import { type TimeLimits, type TimeoutCode, timeoutOf } from '../time-limits.ts';
import type { TimeoutSweep, Watched } from '../timeout-sweep.ts';
import { type ConnectionUser, failureCodeOf, type Http2Connection } from './connection.ts';
import { CANCEL, errorNameOf, NO_ERROR, REFUSED_STREAM } from './error-names.ts';
import type { PreparedHttp2Request } from './prepared-request.ts';

/** What the channels of one protocol share. */
export interface ChannelHost {
  readonly requests: readonly PreparedHttp2Request[];
  nowSeconds(): number;
  /** An answer is dealt with: what has come due meanwhile need not wait for its timer. */
  catchUp(): void;
  /** Watches the timeouts of the requests that are begun. */
  readonly timeouts: TimeoutSweep<Http2Channel>;
  forget(channel: Http2Channel): void;
}

/** Gives a channel the connection for its next request. */
export interface ConnectionPlace {
  take(): Http2Connection;
}

/** One stream at a time on a connection that it shares with others. */
export class Http2Channel implements Channel, ConnectionUser, Watched {
  outcome: Channel['outcome'] = 'ok';
  status = 0;
  errorCode = '';
  errorDetail = '';
  location = '';
  receivedBytes = 0;
  sentAtSeconds = 0;
  endedAtSeconds = 0;
  retried = false;
  /** Since when the request in flight is waited for; Infinity when none is. */
  startedAtSeconds = Infinity;

  readonly #host: ChannelHost;
  readonly #place: ConnectionPlace;
  readonly #onDone: (channel: Channel) => void;
  #connection: Http2Connection | undefined;
  #stream: ClientHttp2Stream | undefined;
  #request: PreparedHttp2Request | undefined;
  #path = '';

  constructor(host: ChannelHost, place: ConnectionPlace, onDone: (channel: Channel) => void) {
    this.#host = host;
    this.#place = place;
    this.#onDone = onDone;
  }

  /** @throws Error when a request is in flight, or the plan has no request of this index: faults of the caller. */
  send(requestIndex: number, target: string, waitingSinceSeconds?: number): void {
    const request = this.#host.requests[requestIndex];
    if (this.startedAtSeconds !== Infinity) throw new Error('send was called while a request is in flight');
    if (request === undefined) throw new Error(`the plan has no request ${requestIndex}`);
    this.#request = request;
    this.#path = wireTarget(target);
    this.retried = false;
    const now = this.#host.nowSeconds();
    this.startedAtSeconds = waitingSinceSeconds ?? now;
    this.sentAtSeconds = now;
    this.#host.timeouts.watch(now);
    this.#begin();
  }

  close(): void {
    this.startedAtSeconds = Infinity;
    this.#abandon();
    this.#host.forget(this);
  }

  onReady(connection: Http2Connection): void {
    if (!this.retried) this.sentAtSeconds = this.#host.nowSeconds();
    const { fields, body } = this.#request!;
    const stream = connection.request({ ...fields, ':path': this.#path }, body !== undefined);
    this.#stream = stream;
    let failure: NodeJS.ErrnoException | undefined;
    stream.on('error', (error) => (failure = error));
    // A stream that was given up may still speak; only the one in hand is listened to.
    stream.on('response', (headers) => {
      if (this.#stream === stream) this.#onHead(headers);
    });
    stream.on('data', (data: Buffer) => {
      if (this.#stream === stream) this.receivedBytes += data.length;
    });
    stream.on('end', () => {
      if (this.#stream === stream) this.#onEnd(stream);
    });
    stream.on('close', () => {
      if (this.#stream === stream) this.#onCut(stream, failure);
    });
    if (body !== undefined) stream.end(body);
  }

  onConnectFailure(code: string): void {
    if (this.startedAtSeconds !== Infinity) this.#finish('error', code);
  }

  /** The timeout that the request in flight has met. */
  overdue(nowSeconds: number, limits: TimeLimits): TimeoutCode | undefined {
    const phase = this.#stream === undefined ? 'connecting' : this.status === 0 ? 'waiting' : 'reading';
    return timeoutOf(phase, nowSeconds - this.startedAtSeconds, nowSeconds - this.sentAtSeconds, limits);
  }

  /** The request in flight has waited too long; the stream is cancelled, the connection goes on. */
  expire(nowSeconds: number, code: TimeoutCode): void {
    this.#abandon();
    this.#finish('timeout', code, nowSeconds);
  }

  #begin(): void {
    this.status = 0;
    this.location = '';
    this.receivedBytes = 0;
    this.errorDetail = '';
    this.#connection = this.#place.take();
    this.#connection.await(this);
  }

  #onHead(headers: IncomingHttpHeaders & IncomingHttpStatusHeader): void {
    this.status = headers[':status'] ?? 0;
    this.location = headers.location ?? '';
  }

  /** The last octet; but a stream that was cut short ends too. */
  #onEnd(stream: ClientHttp2Stream): void {
    const isCut = stream.aborted || stream.rstCode !== NO_ERROR || this.status === 0;
    if (isCut) return;
    // An answer ahead of the rest of its request: what is left need not be sent.
    if (!stream.writableFinished) stream.close(NO_ERROR);
    if (this.status < 400) this.#finish('ok', '');
    else this.#finish('error', statusErrorCode(this.status));
  }

  /**
   * The stream is over and its answer is not whole. Sent again, once, where the service said that it had not
   * looked at the request (RFC 9113 §8.7): REFUSED_STREAM, or a stream above the last one of a GOAWAY.
   */
  #onCut(stream: ClientHttp2Stream, failure: NodeJS.ErrnoException | undefined): void {
    const connection = this.#connection!;
    const isUnseen = stream.rstCode === REFUSED_STREAM || (stream.id ?? 0) > connection.lastStreamId;
    if (isUnseen && !this.retried) {
      this.retried = true;
      this.#stream = undefined;
      this.#begin();
      return;
    }
    if (failure !== undefined) this.errorDetail = failure.message;
    this.#finish('error', cutCodeOf(stream, connection, failure));
  }

  #abandon(): void {
    this.#connection?.leave(this);
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.close(CANCEL);
  }

  #finish(outcome: Channel['outcome'], errorCode: string, endedAtSeconds = this.#host.nowSeconds()): void {
    this.startedAtSeconds = Infinity;
    this.#stream = undefined;
    this.outcome = outcome;
    this.errorCode = errorCode;
    this.endedAtSeconds = endedAtSeconds;
    this.#onDone(this);
    this.#host.catchUp();
  }
}

function cutCodeOf(
  stream: ClientHttp2Stream,
  connection: Http2Connection,
  failure: NodeJS.ErrnoException | undefined,
): string {
  const isCodeOfStream =
    failure?.code === undefined || /^ERR_HTTP2_(STREAM|SESSION)_ERROR$/.test(failure.code);
  if (!isCodeOfStream) return failureCodeOf(failure);
  const code = stream.rstCode ?? NO_ERROR;
  const saysNothing = code === NO_ERROR || code === CANCEL;
  if (saysNothing && connection.failureCode !== '') return connection.failureCode;
  return code === NO_ERROR ? 'connection-closed' : errorNameOf(code);
}
