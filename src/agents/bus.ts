/** A message as it came. */
export interface BusMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Answers a request; nothing where nobody asked. */
  respond(data: Uint8Array): void;
}

/**
 * What agents and coordinator need of a message system: words that may be lost, requests with an answer, a stream
 * that keeps what was acknowledged, and a store of objects. `NatsBus` is the one users run; tests have one in
 * memory on a virtual clock. Names of subjects: `subjects.ts`.
 */
export interface Bus {
  /** Sends to whoever listens now; lost where nobody does, or while the broker is away. */
  publish(subject: string, data: Uint8Array): void;
  /** `*` stands for one word of a subject. Returns what ends the subscription. */
  subscribe(subject: string, onMessage: (message: BusMessage) => void): () => void;
  /** The first answer. Rejects with a `BusError` after `timeoutSeconds`, or at once where nobody listens. */
  request(subject: string, data: Uint8Array, timeoutSeconds: number): Promise<Uint8Array>;
  /** Makes the stream of a run. */
  openStream(runId: string): Promise<void>;
  /** Takes the stream of a run away, with all that it keeps. */
  dropStream(runId: string): Promise<void>;
  /** Appends to a run's stream. Resolves once it is kept; rejects with a `BusError` when that is not known in time. */
  store(subject: string, data: Uint8Array, messageId: string, timeoutSeconds: number): Promise<void>;
  /** The message that a run's stream keeps under this very subject; undefined where there is none. */
  stored(runId: string, subject: string): Promise<Uint8Array | undefined>;
  /** What a run's stream keeps under subjects that fit one of the patterns, in the order it came. */
  replay(
    runId: string,
    patterns: readonly string[],
  ): AsyncIterable<{ readonly subject: string; readonly data: Uint8Array }>;
  /** Runs that have a stream. */
  runs(): Promise<readonly string[]>;
  /** Lays a named part of a run's bundle where its agents fetch it. */
  putBundle(runId: string, name: string, data: Uint8Array): Promise<void>;
  /** Undefined where there is none of that name. */
  getBundle(runId: string, name: string): Promise<Uint8Array | undefined>;
  /** Takes the run's whole bundle away, from the broker's disk too; nothing where there is none. */
  dropBundle(runId: string): Promise<void>;
  putObject(name: string, data: Uint8Array): Promise<void>;
  /** Undefined where there is none of that name. */
  getObject(name: string): Promise<Uint8Array | undefined>;
  /** Gives up the way to the broker and looks for a new one, where it seems to be dead. */
  renew(): void;
  /** Most bytes of one message. */
  readonly mostBytes: number;
  close(): Promise<void>;
}

/** What went wrong between here and the broker: worth another try. */
export class BusError extends Error {
  /** Whether the broker answered that nobody listens. */
  readonly nobodyListens: boolean;

  constructor(message: string, more: { readonly nobodyListens?: boolean; readonly cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'BusError';
    this.nobodyListens = more.nobodyListens ?? false;
  }
}
