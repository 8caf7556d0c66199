/** Methods whose request may reach the service twice without further effect (RFC 9110 §9.2.2). */
const IDEMPOTENT_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

export const isIdempotent = (method: string): boolean => IDEMPOTENT_METHODS.has(method);

/**
 * A connection used again sooner than this was not closed for idling: services keep connections for whole seconds,
 * and an answer after which the service means to close says so (RFC 9112 §9.6).
 */
const SHORTEST_IDLE_SECONDS = 0.1;

/** What one turn of a busy event loop may add to the time at which a close is seen. */
const LOOP_SECONDS = 0.01;

/** A kept connection that ended with a request on it and no octet of an answer. */
export interface LostRequest {
  /** From the last octet of the answer before until the request was written. */
  readonly idleSeconds: number;
  /** From the writing of the request until the end of the connection was seen. */
  readonly sinceWriteSeconds: number;
  /** The shortest time that connecting took: one round trip or more. */
  readonly roundTripSeconds: number;
}

/**
 * Whether the service can have closed an idle connection while the request was on its way (RFC 9112 §9.3.1, §9.5): the
 * connection had idled, and its end was seen within a round trip. An end that comes later, or on a connection in
 * steady use, is the service's answer to the request.
 */
export const isKeepAliveRace = ({ idleSeconds, sinceWriteSeconds, roundTripSeconds }: LostRequest): boolean =>
  idleSeconds >= SHORTEST_IDLE_SECONDS && sinceWriteSeconds <= roundTripSeconds + LOOP_SECONDS;
