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

/**
 * Proportional upper bound (Hsieh & Lam 1987): X ≤ N/(D + Z + (N − 1)·(ΣD²/D)·D/(D + Z)) and ≤ 1/Dmax, D the sum of
 * the demands; 0 without users.
 */
export function proportionalHighPerSecond(
  demandSeconds: readonly number[],
  thinkTimeSeconds: number,
  users: number,
): number {
  const sum = total(demandSeconds);
  const waiting =
    ((users - 1) * total(demandSeconds.map((demand) => demand ** 2))) / (sum + thinkTimeSeconds);
  if (users === 0) return 0;
  return Math.min(1 / Math.max(...demandSeconds), users / (sum + thinkTimeSeconds + waiting));
}

/** Proportional lower bound of a network without think time (Hsieh & Lam 1987): X ≥ N/(D + (N − 1)·ΣDᴺ/ΣDᴺ⁻¹). */
export function proportionalLowPerSecond(demandSeconds: readonly number[], users: number): number {
  const largest = Math.max(...demandSeconds);
  // Relative to the largest demand, so that high powers do not vanish.
  const powers = (power: number): number => total(demandSeconds.map((demand) => (demand / largest) ** power));
  return users / (total(demandSeconds) + ((users - 1) * largest * powers(users)) / powers(users - 1));
}

/**
 * Geometric bounds (Casale, Muntz & Serazzi 2008), the tightest of those here: the queue of every station that is no
 * bottleneck lies between sums of geometric series, Q = Σ yⁿ for n = 1 … N, with y = D·N/(Z + ΣD + Dmax·N) below and
 * y = D·X⁺ above; the rest of the users queue at the bottleneck. X⁺ may be any upper bound of X with one user less;
 * the proportional one unless given.
 */
export function geometricBounds(
  demandSeconds: readonly number[],
  thinkTimeSeconds: number,
  users: number,
  highPerSecond = proportionalHighPerSecond(demandSeconds, thinkTimeSeconds, users - 1),
): ThroughputBounds {
  const sum = total(demandSeconds);
  const largest = Math.max(...demandSeconds);
  const others = users - 1;
  const queue = (ratio: number): number => (ratio * (1 - ratio ** others)) / (1 - ratio);
  /** Cycle time but for what thinking takes off, with the queues seen by an arrival. */
  const cycle = (ratioPerSecond: number): number =>
    thinkTimeSeconds +
    sum +
    largest * others -
    total(demandSeconds.map((d) => (d < largest ? (largest - d) * queue(d * ratioPerSecond) : 0)));
  const solve = (seconds: number, thinking: number): number =>
    (2 * users) / (seconds + Math.sqrt(seconds ** 2 - 4 * thinkTimeSeconds * largest * thinking));
  const slowest = cycle(others / (thinkTimeSeconds + sum + largest * others));
  const fastest = cycle(highPerSecond);
  const throughputLowPerSecond = solve(slowest, others);
  const throughputHighPerSecond = solve(fastest, users);
  return {
    throughputLowPerSecond,
    throughputHighPerSecond,
    responseTimeLowSeconds: users / throughputHighPerSecond - thinkTimeSeconds,
    responseTimeHighSeconds: users / throughputLowPerSecond - thinkTimeSeconds,
  };
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
