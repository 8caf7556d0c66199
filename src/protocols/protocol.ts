import type { PlannedRequest } from '../model/load.ts';

/**
 * One lane that carries one request at a time: a keep-alive connection, or a simulated one. The result
 * fields are valid inside `onDone` only; they are fields, not an object, so that a request allocates nothing.
 */
export interface Channel {
  /**
   * Sends the request `requests[requestIndex]` for `target` (path and query as drawn). `onDone` of the
   * channel follows exactly once, never synchronously. Calling `send` while a request is in flight is a fault.
   */
  send(requestIndex: number, target: string): void;
  /** Drops the connection and whatever is in flight (whose `onDone` then does not come). */
  close(): void;

  /** `ok`: an answer with a status below 400, read to the last byte. */
  outcome: 'ok' | 'error' | 'timeout';
  /** 0 when no status line came. */
  status: number;
  /** '' when `outcome` is `ok`; `http-503`, `ECONNRESET`, `timeout`, `malformed-response`, … */
  errorCode: string;
  /** What was wrong, in words, where the code alone does not say (`malformed-response`); '' otherwise. */
  errorDetail?: string;
  receivedBytes: number;
  /** Clock reading when the first byte of the request was handed to the system. */
  sentAtSeconds: number;
  /** Clock reading at the last byte of the answer (or at the failure). */
  endedAtSeconds: number;
  /** Whether the request was sent again on a fresh connection because a reused one had been closed under it. */
  retried: boolean;
}

/** Where requests go. Opened once per run with the requests of the plan. */
export interface Protocol {
  readonly name: string;
  /** A new channel; connects lazily at its first `send`. `onDone` is called with the channel that finished. */
  openChannel(onDone: (channel: Channel) => void): Channel;
  /** Connections open now. */
  readonly connectionCount: number;
  /** Closes every channel and resolves when the sockets are gone. */
  close(): Promise<void>;
}

export interface ProtocolOptions {
  readonly url: URL;
  readonly requests: readonly PlannedRequest[];
  readonly requestTimeoutSeconds: number;
  /** Extra headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Connect to this address instead of looking the name up: the one that was found to be this machine's own. */
  readonly connectAddress?: string;
  /** Connect to this unix socket instead of the url's address. */
  readonly socketPath?: string;
  /** For `https:`; certificates and key as PEM text. Missing: the system's trust, and verification on. */
  readonly tls?: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly rejectUnauthorized?: boolean;
  };
}
