import type { Socket } from 'node:net';
import type { Endpoint } from './endpoint.ts';

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

/** One socket, from its opening to its end. Tells its owner what happens until it is dropped or retired. */
export class Connection {
  /** Whether a request may be written. */
  ready = false;
  /** Answers read to the last octet on this connection. */
  answerCount = 0;

  readonly #socket: Socket;
  #owner: ConnectionOwner | undefined;

  constructor(endpoint: Endpoint, owner: ConnectionOwner, onClosed: (connection: Connection) => void) {
    this.#owner = owner;
    const socket = endpoint.open((byteCount) => {
      this.#owner?.onRead(byteCount);
      return true;
    });
    this.#socket = socket;
    socket.on(endpoint.readyEvent, () => {
      this.ready = true;
      this.#owner?.onReady(this);
    });
    socket.on('end', () => this.#owner?.onEnd());
    socket.on('error', (error: NodeJS.ErrnoException) => this.#owner?.onFailure(error.code ?? error.name));
    socket.on('close', () => {
      this.ready = false;
      onClosed(this);
      this.#owner?.onEnd();
    });
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
