import type { Channel, DrawnRequest, KeptAnswer } from '../protocol.ts';
import { KeptOctets, LastHead } from './kept-answer.ts';
import type { ReadBuffer } from './known-head.ts';
import type { Connection, ConnectionOwner } from './connection.ts';
import { isKeepAliveRace } from './keep-alive-race.ts';
import { DrawnRequests, type PreparedRequest } from './prepared-request.ts';
import { wireTarget } from '../request-fields.ts';
import { statusErrorCode } from '../status-error.ts';
import { type TimeLimits, type TimeoutCode, timeoutOf } from '../time-limits.ts';
import type { TimeoutSweep, Watched } from '../timeout-sweep.ts';
import { ResponseScanner } from './scanner.ts';

/** What the channels of one protocol share. */
export interface ChannelHost {
  readonly requests: readonly PreparedRequest[];
  readonly buffer: ReadBuffer;
  /** Answers after which a connection is replaced; Infinity for no limit. */
  readonly requestsPerConnection: number;
  nowSeconds(): number;
  /** An answer is dealt with: what has come due meanwhile need not wait for its timer. */
  catchUp(): void;
  /** The time of the read being handled. */
  readTimeSeconds(): number;
  connect(owner: Http1Channel): Connection;
  /** The shortest time that connecting took so far; Infinity before any connection stood. */
  readonly shortestConnectSeconds: number;
  /** Fields of the run, on every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Watches the timeouts of the requests that are begun. */
  readonly timeouts: TimeoutSweep<Http1Channel>;
  forget(channel: Http1Channel): void;
}

/** One keep-alive connection at a time and at most one request on it. Allocates nothing per request but its text. */
export class Http1Channel implements Channel, ConnectionOwner, Watched {
  outcome: Channel['outcome'] = 'ok';
  status = 0;
  errorCode = '';
  errorDetail = '';
  receivedBytes = 0;
  sentAtSeconds = 0;
  endedAtSeconds = 0;
  retried = false;
  /** Since when the request in flight is waited for; Infinity when none is. */
  startedAtSeconds = Infinity;

  readonly #host: ChannelHost;
  readonly #onDone: (channel: Channel) => void;
  readonly #scanner = new ResponseScanner();
  #connection: Connection | undefined;
  #request: PreparedRequest | undefined;
  #text = '';
  /** What is received of an answer that is kept; undefined for requests of the plan. */
  #kept: KeptOctets | undefined;
  readonly #lastHead = new LastHead();
  #drawn: DrawnRequests | undefined;

  constructor(host: ChannelHost, onDone: (channel: Channel) => void) {
    this.#host = host;
    this.#onDone = onDone;
  }

  /** @throws Error when a request is in flight, or the plan has no request of this index: faults of the caller. */
  send(requestIndex: number, target: string, waitingSinceSeconds?: number): void {
    const request = this.#host.requests[requestIndex];
    if (this.startedAtSeconds !== Infinity) throw new Error('send was called while a request is in flight');
    if (request === undefined) throw new Error(`the plan has no request ${requestIndex}`);
    this.#kept = undefined;
    this.#begin(request, target, waitingSinceSeconds);
  }

  sendDrawn(drawn: DrawnRequest, waitingSinceSeconds?: number): void {
    if (this.startedAtSeconds !== Infinity) throw new Error('send was called while a request is in flight');
    const request = (this.#drawn ??= new DrawnRequests(this.#host.headers)).prepare(drawn);
    this.#kept = new KeptOctets(this.#lastHead);
    this.#begin(request, drawn.target, waitingSinceSeconds);
  }

  get keptAnswer(): KeptAnswer | undefined {
    return this.status > 0 ? this.#kept : undefined;
  }

  #begin(request: PreparedRequest, target: string, waitingSinceSeconds: number | undefined): void {
    this.#request = request;
    const connection = this.#connection;
    const isLast = (connection?.answerCount ?? 0) + 1 === this.#host.requestsPerConnection;
    const after = isLast ? request.afterLastTarget : request.afterTarget;
    this.#text = request.beforeTarget + wireTarget(target) + after;
    this.retried = false;
    this.#scanner.begin(request.known);
    const now = this.#host.nowSeconds();
    this.startedAtSeconds = waitingSinceSeconds ?? now;
    this.sentAtSeconds = now;
    this.#host.timeouts.watch(now);
    if (connection === undefined) this.#connection = this.#host.connect(this);
    else connection.write(this.#text);
  }

  close(): void {
    this.startedAtSeconds = Infinity;
    this.#dropConnection();
    this.#host.forget(this);
  }

  onReady(connection: Connection): void {
    if (this.startedAtSeconds === Infinity) return;
    if (!this.retried) this.sentAtSeconds = this.#host.nowSeconds();
    connection.write(this.#text);
  }

  onRead(byteCount: number): void {
    // Octets that no request asked for: what follows could not be told from the next answer.
    this.#kept?.add(this.#host.buffer.bytes, byteCount);
    if (this.startedAtSeconds === Infinity) this.#dropConnection();
    else if (this.#scanner.read(this.#host.buffer, byteCount)) this.#endAnswer();
  }

  onEnd(): void {
    if (this.startedAtSeconds === Infinity) this.#dropConnection();
    else if (this.#scanner.end()) this.#succeed(this.#host.nowSeconds());
    else this.#failOrRetry('connection-closed');
  }

  onFailure(code: string): void {
    if (this.startedAtSeconds === Infinity) this.#dropConnection();
    else this.#failOrRetry(code);
  }

  get location(): string {
    return this.#scanner.location;
  }

  /** The timeout that the request in flight has met. */
  overdue(nowSeconds: number, limits: TimeLimits): TimeoutCode | undefined {
    const isConnecting = this.#connection?.ready !== true;
    const phase = isConnecting ? 'connecting' : this.#scanner.receivedBytes === 0 ? 'waiting' : 'reading';
    return timeoutOf(phase, nowSeconds - this.startedAtSeconds, nowSeconds - this.sentAtSeconds, limits);
  }

  /** The request in flight has waited too long. */
  expire(nowSeconds: number, code: TimeoutCode): void {
    this.#dropConnection();
    this.#finish('timeout', code, '', nowSeconds);
  }

  #endAnswer(): void {
    const { fault } = this.#scanner;
    const endedAtSeconds = this.#host.readTimeSeconds();
    if (fault === '') {
      this.#succeed(endedAtSeconds);
      return;
    }
    this.#dropConnection();
    this.#finish('error', 'malformed-response', fault, endedAtSeconds);
  }

  #succeed(endedAtSeconds: number): void {
    const { status, keepAlive } = this.#scanner;
    const connection = this.#connection!;
    connection.answerCount++;
    connection.idleSinceSeconds = endedAtSeconds;
    // An answer ahead of the rest of its request leaves a connection whose state nobody knows.
    if (connection.sending) this.#dropConnection();
    else if (!keepAlive || !this.#request!.keepAlive || this.#isWornOut(connection))
      this.#retireConnection(connection);
    if (status < 400) this.#finish('ok', '', '', endedAtSeconds);
    else this.#finish('error', statusErrorCode(status), '', endedAtSeconds);
  }

  #isWornOut(connection: Connection): boolean {
    return connection.answerCount >= this.#host.requestsPerConnection;
  }

  /** A request lost in a keep-alive race is sent once more; the time already spent counts. Any other has failed. */
  #failOrRetry(errorCode: string): void {
    const nowSeconds = this.#host.nowSeconds();
    const isLost = this.#isLostInRace(this.#connection!, nowSeconds);
    this.#dropConnection();
    if (isLost) {
      this.retried = true;
      this.#connection = this.#host.connect(this);
    } else {
      this.#finish('error', errorCode, '', nowSeconds);
    }
  }

  /** What must not reach the service twice is never sent again: nobody knows that it was not read. */
  #isLostInRace({ answerCount, idleSinceSeconds }: Connection, nowSeconds: number): boolean {
    if (answerCount === 0 || this.#scanner.receivedBytes > 0 || !this.#request!.isIdempotent) return false;
    return isKeepAliveRace({
      idleSeconds: this.sentAtSeconds - idleSinceSeconds,
      sinceWriteSeconds: nowSeconds - this.sentAtSeconds,
      roundTripSeconds: this.#host.shortestConnectSeconds,
    });
  }

  #finish(outcome: Channel['outcome'], errorCode: string, errorDetail: string, endedAtSeconds: number): void {
    this.startedAtSeconds = Infinity;
    // Most users think at any moment: their last requests need not lie in memory.
    this.#text = '';
    this.outcome = outcome;
    this.errorCode = errorCode;
    this.errorDetail = errorDetail;
    this.status = this.#scanner.status;
    this.receivedBytes = this.#scanner.receivedBytes;
    this.endedAtSeconds = endedAtSeconds;
    this.#onDone(this);
    this.#host.catchUp();
  }

  #dropConnection(): void {
    this.#connection?.drop();
    this.#connection = undefined;
  }

  #retireConnection(connection: Connection): void {
    connection.retire();
    this.#connection = undefined;
  }
}
