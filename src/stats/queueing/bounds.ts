/** What a closed network of single-server stations cannot leave at population N. */
export interface ThroughputBounds {
  readonly throughputLowPerSecond: number;
  readonly throughputHighPerSecond: number;
  readonly responseTimeLowSeconds: number;
  readonly responseTimeHighSeconds: number;
}

/** N* = (D + Z)/Dmax: the population where the light-load and the heavy-load asymptote cross. */
export function saturationUsers(demandSeconds: readonly number[], thinkTimeSeconds: number): number {
  return (total(demandSeconds) + thinkTimeSeconds) / Math.max(...demandSeconds);
}

/**
 * Asymptotic bounds: N/(ND + Z) ≤ X ≤ min(1/Dmax, N/(D + Z)); max(D, N·Dmax − Z) ≤ R ≤ N·D
 * (Muntz & Wong 1974; Denning & Buzen 1978).
 */
export function asymptoticBounds(
  demandSeconds: readonly number[],
  thinkTimeSeconds: number,
  users: number,
): ThroughputBounds {
  const sum = total(demandSeconds);
  const largest = Math.max(...demandSeconds);
  return {
    throughputLowPerSecond: users / (users * sum + thinkTimeSeconds),
    throughputHighPerSecond: Math.min(1 / largest, users / (sum + thinkTimeSeconds)),
    responseTimeLowSeconds: Math.max(sum, users * largest - thinkTimeSeconds),
    responseTimeHighSeconds: users * sum,
  };
}

/**
 * Balanced-system bounds (Zahorjan, Sevcik, Eager & Galler 1982), tighter than the asymptotic ones: the
 * network lies between one with all demands at the largest and one with all at the mean,
 * X ≥ N/(D + Z + Dmax(N − 1)·D/(D + Z/N)), X ≤ N/(D + Z + Dmean(N − 1)·D/(D + Z)) and ≤ 1/Dmax.
 */
export function balancedBounds(
  demandSeconds: readonly number[],
  thinkTimeSeconds: number,
  users: number,
): ThroughputBounds {
  const sum = total(demandSeconds);
  const largest = Math.max(...demandSeconds);
  const average = sum / demandSeconds.length;
  const slow = sum + (largest * (users - 1) * sum) / (sum + thinkTimeSeconds / users);
  const fast = sum + (average * (users - 1) * sum) / (sum + thinkTimeSeconds);
  const responseTimeLowSeconds = Math.max(users * largest - thinkTimeSeconds, fast);
  return {
    throughputLowPerSecond: users / (slow + thinkTimeSeconds),
    throughputHighPerSecond: Math.min(1 / largest, users / (fast + thinkTimeSeconds)),
    responseTimeLowSeconds,
    responseTimeHighSeconds: slow,
  };
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
