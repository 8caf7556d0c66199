import type { Fault } from './bytes.ts';
import { ChunkedBody } from './chunked-body.ts';
import { HeadScanner } from './head-scanner.ts';
import { KnownHead, type ReadBuffer } from './known-head.ts';
import { Spares } from './spares.ts';

/** A service that sends interim answers without end would otherwise never meet the limit of a head. */
const MAX_INTERIM_ANSWERS = 100;

/**
 * Most heads are known or come whole in one read, so a few scanners serve all connections: ten thousand of their own
 * would be 12 MB.
 */
const spareHeads = new Spares(() => new HeadScanner());
const spareBodies = new Spares(() => new ChunkedBody());

/** Of a scanner that never began: a memory of its own would be a kilobyte for every connection. */
const NO_HEAD = new KnownHead(true);

/** How the end of the body is known (RFC 9112 §6.3). */
const NO_BODY = 0;
const BY_LENGTH = 1;
const BY_CHUNKS = 2;
const BY_CLOSE = 3;

/** What the next octet belongs to. */
const IN_HEAD = 0;
const IN_BODY = 1;
const COMPLETE = 2;

/**
 * Scans one HTTP/1.1 answer after another from the octets of a connection: where it ends, its status, and
 * whether the connection may carry another (RFC 9112). Interim 1xx answers are passed over. It allocates
 * nothing per answer and keeps no content. Stricter than lenient clients on purpose: whatever could make two
 * readers disagree about where an answer ends is a fault.
 */
export class ResponseScanner {
  /** Of the final answer; 0 until its status line was read. */
  status = 0;
  /** Whether another request may follow on this connection (RFC 9112 §9.3); valid when `complete`. */
  keepAlive = false;
  /** Where the answer says to go; valid when its head was read, '' when it does not say. */
  location = '';
  /** All octets of the answer so far: interim heads, head, framing and content. */
  receivedBytes = 0;
  /** Octets of content so far. */
  bodyBytes = 0;
  /** Why the answer is malformed; '' while it is not. */
  fault: Fault | '' = '';

  #state = COMPLETE;
  #framing = NO_BODY;
  #remaining = 0;
  #interimCount = 0;
  #known = NO_HEAD;
  /** While a head that is not known is read; kept by an answer that was broken off. */
  #head: HeadScanner | undefined;
  /** While a body of chunks is read; kept by an answer that was broken off. */
  #chunks: ChunkedBody | undefined;

  get complete(): boolean {
    return this.#state === COMPLETE;
  }

  /** Expects a new answer; `known` is the memory of the request it answers. */
  begin(known: KnownHead): void {
    this.status = 0;
    this.keepAlive = false;
    this.receivedBytes = 0;
    this.bodyBytes = 0;
    this.fault = '';
    this.#state = IN_HEAD;
    this.#known = known;
  }

  /** Reads the first `length` octets of the buffer. Returns true when the answer is over: `complete`, or `fault` set. */
  read(buffer: ReadBuffer, length: number): boolean {
    let at = 0;
    if (this.#state === IN_HEAD) at = this.#readHead(buffer, length);
    if (this.#state === IN_BODY && this.fault === '') at = this.#readBody(buffer.bytes, at, length);
    this.receivedBytes += at;
    if (at < length && this.fault === '') this.fault = 'bytes follow the answer';
    return this.#state === COMPLETE || this.fault !== '';
  }

  /** The connection ended. Returns whether that completes the answer (a body that ends with the connection). */
  end(): boolean {
    if (this.#state === IN_BODY && this.#framing === BY_CLOSE && this.fault === '') this.#state = COMPLETE;
    return this.#state === COMPLETE;
  }

  #readHead(buffer: ReadBuffer, length: number): number {
    if (this.receivedBytes > 0) return this.#scanHead(this.#head!, buffer.bytes, 0, length);
    const known = this.#known;
    if (known.matches(buffer, length)) {
      this.location = known.location;
      this.#startBody(known.status, known.keepAlive, known.framing, known.contentLength);
      return known.length;
    }
    const head = (this.#head ??= spareHeads.take());
    head.begin();
    this.#interimCount = 0;
    const at = this.#scanHead(head, buffer.bytes, 0, length);
    if (this.#state !== IN_HEAD && this.fault === '') this.#remember(buffer, at);
    return at;
  }

  #scanHead(head: HeadScanner, bytes: Uint8Array, from: number, to: number): number {
    let at = head.read(bytes, from, to);
    while (head.complete && head.statusLine.status < 200) {
      if (head.statusLine.status === 101) this.fault = 'answer switches protocols unasked';
      if (++this.#interimCount > MAX_INTERIM_ANSWERS) this.fault = 'more than 100 interim answers';
      if (this.fault !== '') return at;
      head.begin();
      at = head.read(bytes, at, to);
    }
    this.fault = head.fault;
    const { status, statusKnown } = head.statusLine;
    if (statusKnown && status >= 200) this.status = status;
    if (head.complete) this.#endHead(head);
    return at;
  }

  #endHead(head: HeadScanner): void {
    const { hasTransferEncoding, chunked, contentLength, close, keepAlive, location } = head;
    const { status, minorVersion } = head.statusLine;
    this.#head = undefined;
    spareHeads.give(head);
    if (hasTransferEncoding && contentLength >= 0) this.fault = 'Content-Length beside Transfer-Encoding';
    let framing = BY_CLOSE;
    if (!this.#known.expectsBody || status === 204 || status === 304) framing = NO_BODY;
    else if (chunked) framing = BY_CHUNKS;
    else if (contentLength >= 0) framing = BY_LENGTH;
    const persists = !close && (minorVersion === 1 || (keepAlive && !hasTransferEncoding));
    this.location = location;
    this.#startBody(status, persists && framing !== BY_CLOSE, framing, Math.max(0, contentLength));
  }

  #startBody(status: number, keepAlive: boolean, framing: number, contentLength: number): void {
    this.status = status;
    this.keepAlive = keepAlive;
    this.#framing = framing;
    this.#remaining = contentLength;
    if (framing === BY_CHUNKS) (this.#chunks ??= spareBodies.take()).begin();
    this.#state = framing === NO_BODY || (framing === BY_LENGTH && contentLength === 0) ? COMPLETE : IN_BODY;
  }

  /** Keeps a head that came whole in one read. */
  #remember(read: ReadBuffer, length: number): void {
    const known = this.#known;
    if (!known.remember(read, length)) return;
    known.status = this.status;
    known.keepAlive = this.keepAlive;
    known.framing = this.#framing;
    known.contentLength = this.#remaining;
    known.location = this.location;
  }

  #readBody(bytes: Uint8Array, at: number, length: number): number {
    if (this.#framing === BY_CHUNKS) return this.#readChunks(bytes, at, length);
    const taken = this.#framing === BY_LENGTH ? Math.min(this.#remaining, length - at) : length - at;
    this.bodyBytes += taken;
    if (this.#framing === BY_LENGTH) {
      this.#remaining -= taken;
      if (this.#remaining === 0) this.#state = COMPLETE;
    }
    return at + taken;
  }

  #readChunks(bytes: Uint8Array, from: number, to: number): number {
    const chunks = this.#chunks!;
    const at = chunks.read(bytes, from, to);
    this.bodyBytes = chunks.dataBytes;
    this.fault = chunks.fault;
    if (chunks.complete) {
      this.#state = COMPLETE;
      this.#chunks = undefined;
      spareBodies.give(chunks);
    }
    return at;
  }
}
