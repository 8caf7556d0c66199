import type { PlannedRequest, Transport } from '../model/load.ts';

/** A request whose parts were worked out for this once. The target is a path of the service. */
export interface DrawnRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer as it was received, kept for those who read on in it. */
export interface KeptAnswer {
  readonly fields: readonly (readonly [name: string, value: string])[];
  /**
   * Content without framing and content coding. Throws a RangeError where the answer was longer than what is kept,
   * and what zlib throws for content that is not coded as it says.
   */
  body(): Uint8Array;
  /** The content as text where it is ASCII in one piece, as most JSON is; undefined where octets have to be decoded. */
  asciiText?(): string | undefined;
}
import type { TransportMeasurement } from '../model/measurement.ts';

/**
 * One lane that carries one request at a time: a keep-alive connection, a stream of HTTP/2, or a simulated one.
 * The result fields are valid inside `onDone` only; they are fields, not an object, so that a request
 * allocates nothing.
 */
export interface Channel {
  /**
   * Sends the request `requests[requestIndex]` for `target` (path and query as drawn). `onDone` of the
   * channel follows exactly once, never synchronously. Calling `send` while a request is in flight is a fault.
   * Timeouts run from now, or from `waitingSinceSeconds` where somebody has waited longer already.
   */
  send(requestIndex: number, target: string, waitingSinceSeconds?: number): void;
  /**
   * Sends a request that no plan holds, and keeps its answer. Missing where the way to the service carries
   * prepared requests only. Throws `option-invalid` for a field, method or target that HTTP cannot carry, before
   * anything is sent. Otherwise as `send`.
   */
  sendDrawn?(request: DrawnRequest, waitingSinceSeconds?: number): void;
  /** After `sendDrawn`, inside `onDone`: what was received; undefined where no answer came. */
  readonly keptAnswer?: KeptAnswer | undefined;
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
  /** Where the answer redirects to, as it was sent; '' or missing when it does not say. */
  readonly location?: string;
  receivedBytes: number;
  /** Clock reading when the first byte of the request was handed to the system. */
  sentAtSeconds: number;
  /** Clock reading at the last byte of the answer (or at the failure). */
  endedAtSeconds: number;
  /** Whether the request was sent again: a keep-alive race (HTTP/1.1), or a stream that was not looked at (HTTP/2). */
  retried: boolean;
}

/** Where requests go. Opened once per run with the requests of the plan. */
export interface Protocol {
  readonly name: string;
  /** A new channel; connects lazily at its first `send`. `onDone` is called with the channel that finished. */
  openChannel(onDone: (channel: Channel) => void): Channel;
  /** Connections open now. */
  readonly connectionCount: number;
  /** What happened beneath the requests since the last call; missing where there is nothing beneath them. */
  takeTransport?(): TransportMeasurement;
  /** Closes every channel and resolves when the sockets are gone. */
  close(): Promise<void>;
}

/** Certificates and key as PEM text. Missing: the system's trust, verification on, the lowest version Node allows. */
export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
}

/** Plain data but for the url, so that it can be handed to another thread. */
export interface ProtocolOptions {
  readonly url: URL;
  readonly requests: readonly PlannedRequest[];
  readonly requestTimeoutSeconds: number;
  readonly transport?: Transport;
  /** Extra headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Connect to these addresses in turn, those that were found to be the user's own. Missing: whatever the name leads to. */
  readonly connectAddresses?: readonly string[];
  /** Look the name behind them up again from time to time. */
  readonly lookUpAgain?: boolean;
  /** Connect to this unix socket instead of the url's address. */
  readonly socketPath?: string;
  /** For `https:`. */
  readonly tls?: TlsOptions;
}
