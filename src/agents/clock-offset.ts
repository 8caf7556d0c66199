/** One question for the time: sent and received by the own clock, answered by the other's. Seconds. */
export interface Ping {
  readonly sentAtSeconds: number;
  readonly remoteAtSeconds: number;
  readonly receivedAtSeconds: number;
}

/** What the other clock shows more than the own one, and how far that may be off. */
export interface ClockOffset {
  readonly offsetSeconds: number;
  /** ± this: half of the round trip. */
  readonly uncertaintySeconds: number;
  readonly pingCount: number;
}

/** Fewer leave too much to chance. */
export const LEAST_PINGS = 15;

const roundTrip = ({ sentAtSeconds, receivedAtSeconds }: Ping): number => receivedAtSeconds - sentAtSeconds;

/**
 * The offset by the ping of the shortest round trip: θ = remote − (sent + received)/2, and |error| ≤ round trip/2,
 * since the answer was given somewhere in between (Cristian 1989, Probabilistic clock synchronization; the filter by
 * least delay as in RFC 5905, section 10). Throws a RangeError without pings.
 */
export function estimateOffset(pings: readonly Ping[]): ClockOffset {
  const [first, ...others] = pings;
  if (first === undefined) throw new RangeError('no pings to tell an offset from');
  const best = others.reduce((least, ping) => (roundTrip(ping) < roundTrip(least) ? ping : least), first);
  return {
    offsetSeconds: best.remoteAtSeconds - (best.sentAtSeconds + best.receivedAtSeconds) / 2,
    uncertaintySeconds: roundTrip(best) / 2,
    pingCount: pings.length,
  };
}

/** How far an offset has moved beyond what its two estimates leave open; 0 where they agree. */
export function driftBeyondDoubt(before: ClockOffset, after: ClockOffset): number {
  const moved = Math.abs(after.offsetSeconds - before.offsetSeconds);
  return Math.max(0, moved - before.uncertaintySeconds - after.uncertaintySeconds);
}
