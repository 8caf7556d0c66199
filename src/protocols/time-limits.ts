import type { ProtocolOptions } from './protocol.ts';

/** How far a request has come. */
export type Phase = 'connecting' | 'waiting' | 'reading';

/** How long a request, and its first two phases, may take; Infinity where nothing was said. */
export interface TimeLimits {
  readonly wholeSeconds: number;
  readonly connectSeconds: number;
  readonly firstByteSeconds: number;
  /** Requests are looked at this often: a timeout is noticed up to this much late, and no request has a timer. */
  readonly sweepSeconds: number;
}

const LONGEST_SWEEP_SECONDS = 0.1;
const SHORTEST_SWEEP_SECONDS = 0.005;
/** Sweeps within the shortest limit, which bounds how late its end is noticed. */
const SWEEPS_PER_LIMIT = 10;

export function timeLimitsOf({ requestTimeoutSeconds, transport = {} }: ProtocolOptions): TimeLimits {
  const { connectTimeoutSeconds = Infinity, firstByteTimeoutSeconds = Infinity } = transport;
  const shortest = Math.min(requestTimeoutSeconds, connectTimeoutSeconds, firstByteTimeoutSeconds);
  return {
    wholeSeconds: requestTimeoutSeconds,
    connectSeconds: connectTimeoutSeconds,
    firstByteSeconds: firstByteTimeoutSeconds,
    sweepSeconds: Math.min(
      LONGEST_SWEEP_SECONDS,
      Math.max(SHORTEST_SWEEP_SECONDS, shortest / SWEEPS_PER_LIMIT),
    ),
  };
}

/** The name of a timeout says how far the request had come, whichever limit it met; `timeout`: the answer had begun. */
const TIMEOUT_CODES = {
  connecting: 'connect-timeout',
  waiting: 'first-byte-timeout',
  reading: 'timeout',
} as const satisfies Record<Phase, string>;

/** Every way in which a request can be too slow. */
export type TimeoutCode = (typeof TIMEOUT_CODES)[Phase];

/**
 * The timeout a request has met, undefined while it is within its limits. `waitedSeconds` runs from its begin,
 * `sinceSentSeconds` from the moment its connection stood.
 */
export function timeoutOf(
  phase: Phase,
  waitedSeconds: number,
  sinceSentSeconds: number,
  limits: TimeLimits,
): TimeoutCode | undefined {
  const isOver =
    waitedSeconds >= limits.wholeSeconds ||
    (phase === 'connecting' && waitedSeconds >= limits.connectSeconds) ||
    (phase === 'waiting' && sinceSentSeconds >= limits.firstByteSeconds);
  return isOver ? TIMEOUT_CODES[phase] : undefined;
}
