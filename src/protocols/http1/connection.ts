import type { Socket } from 'node:net';
import type { Endpoint } from '../endpoint.ts';

/** How long a server that announced the end of a connection may take to end it. */
const RETIREMENT_MS = 1000;

/** The channel a connection works for. */
export interface ConnectionOwner {
  /** The connection stands; a request may be written. */
  onReady(connection: Connection): void;
  /** `byteCount` octets lie at the start of the shared read buffer, until this returns. */
  onRead(byteCount: number): void;
  /** The server sends no more. */
  onEnd(): void;
  onFailure(code: string): void;
}

/** What the protocol wants to know of every connection, whoever it works for. */
export interface ConnectionListener {
  onOpened(connection: Connection): void;
  onClosed(connection: Connection): void;
}

/** One socket, from its opening to its end. Tells its owner what happens until it is dropped or retired. */
export class Connection {
  /** Whether a request may be written. */
  ready = false;
  /** Answers read to the last octet on this connection. */
  answerCount = 0;
  /** The last octet of the last answer. */
  idleSinceSeconds = 0;
  readonly begunAtSeconds: number;

  readonly #socket: Socket;
  #owner: ConnectionOwner | undefined;

  constructor(
    endpoint: Endpoint,
    buffer: Uint8Array,
    begunAtSeconds: number,
    owner: ConnectionOwner,
    listener: ConnectionListener,
  ) {
    this.begunAtSeconds = begunAtSeconds;
    this.#owner = owner;
    const callback = (byteCount: number): boolean => {
      this.#owner?.onRead(byteCount);
      return true;
    };
    const socket = endpoint.open({ buffer, callback });
    this.#socket = socket;
    socket.once(endpoint.readyEvent, () => {
      this.ready = true;
      listener.onOpened(this);
      this.#owner?.onReady(this);
    });
    socket.on('end', () => this.#owner?.onEnd());
    socket.on('error', (error: NodeJS.ErrnoException) => this.#fail(error.code ?? error.name));
    socket.on('close', () => {
      const wasReady = this.ready;
      this.ready = false;
      listener.onClosed(this);
      if (wasReady) this.#owner?.onEnd();
    });
  }

  /**
   * A connection that could not even be tried (no port, no descriptor left) fails before the event loop turns.
   * Told at once, a caller that tries again would keep the loop from ever turning.
   */
  #fail(code: string): void {
    if (this.ready) this.#owner?.onFailure(code);
    else setImmediate(() => this.#owner?.onFailure(code));
  }

  /** Whether octets handed to `write` still wait for the system to take them. */
  get sending(): boolean {
    return this.#socket.writableLength > 0;
  }

  /** Hands octets, given as latin1 text, to the system. */
  write(text: string): void {
    this.#socket.write(text, 'latin1');
  }

  /** Ends the connection at once. */
  drop(): void {
    this.#owner = undefined;
    this.#socket.destroy();
  }

  /**
   * Leaves it to the server to end the connection, as it announced: who ends first holds the port in TIME_WAIT,
   * and a generator has far fewer ports to spare than connections to make.
   */
  retire(): void {
    this.#owner = undefined;
    const timer = setTimeout(() => this.#socket.destroy(), RETIREMENT_MS).unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }
}
