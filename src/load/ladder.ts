/** Rungs of the ladder as shares of the log's active users M. */
const RUNGS = [1 / 8, 1 / 4, 1 / 2, 3 / 4, 1, 5 / 4, 3 / 2];

/**
 * The loads to run for a log with M active users: one user as the baseline, then M/8, M/4, M/2, 3M/4, M,
 * 5M/4, 3M/2, rounded, each at least 1, none twice. M itself is always a rung, because targets are judged there.
 */
export function ladderOf(activeUsers: number): readonly number[] {
  const peak = Math.max(1, Math.round(activeUsers));
  const loads = new Set([1, ...RUNGS.map((rung) => Math.max(1, Math.round(peak * rung)))]);
  return [...loads].sort((a, b) => a - b);
}
