import type { LogTable } from '../model/log-table.ts';

/** Sums over the requests of one method to one target: enough for the mix, popularity and selectors. */
export interface TargetCount {
  readonly targetId: number;
  readonly methodId: number;
  requestCount: number;
  /** Answers below 400. */
  successCount: number;
  /** Answers that show the target to exist or to be handled: neither 400, 404 nor 410. */
  foundCount: number;
  /** Requests with a duration, and sums over them of its logarithm and the square of that. */
  timedCount: number;
  logSum: number;
  logSquareSum: number;
}

/** Answers from which no route is learned: scanners ask for what does not exist. */
const NOT_LEARNED_FROM = new Set([400, 404, 410]);
const FIRST_FAILURE_STATUS = 400;
/** Durations below the finest stamp are one: their logarithms would be far apart without meaning anything. */
const SHORTEST_SECONDS = 1e-6;

/** The counts of the rows, and for every row (by its place in `rows`) the index of its count. */
export function countTargets(
  table: LogTable,
  rows: Uint32Array,
): { readonly counts: readonly TargetCount[]; readonly countOfRow: Uint32Array } {
  const counts: TargetCount[] = [];
  const countOfRow = new Uint32Array(rows.length);
  const indexOf = pairIndex(table.targets.length, table.methods.length);
  rows.forEach((row, place) => {
    const [targetId, methodId] = [table.targetIds[row]!, table.methodIds[row]!];
    const index = indexOf(targetId, methodId);
    const count = (counts[index] ??= newCount(targetId, methodId));
    countOfRow[place] = index;
    const status = table.status[row]!;
    count.requestCount += 1;
    if (status > 0 && status < FIRST_FAILURE_STATUS) count.successCount += 1;
    if (!NOT_LEARNED_FROM.has(status)) count.foundCount += 1;
    const seconds = table.responseTimeSeconds[row]!;
    if (Number.isNaN(seconds)) return;
    const log = Math.log(Math.max(seconds, SHORTEST_SECONDS));
    count.timedCount += 1;
    count.logSum += log;
    count.logSquareSum += log * log;
  });
  return { counts, countOfRow };
}

const newCount = (targetId: number, methodId: number): TargetCount => ({
  targetId,
  methodId,
  requestCount: 0,
  successCount: 0,
  foundCount: 0,
  timedCount: 0,
  logSum: 0,
  logSquareSum: 0,
});

/** Numbers pairs of target and method; nearly every target has one method, so the map is for the others. */
function pairIndex(targetCount: number, methodCount: number): (targetId: number, methodId: number) => number {
  const firstIndex = new Int32Array(targetCount).fill(-1);
  const firstMethod = new Uint32Array(targetCount);
  const others = new Map<number, number>();
  let count = 0;
  return (targetId, methodId) => {
    if (firstIndex[targetId]! < 0) {
      firstIndex[targetId] = count;
      firstMethod[targetId] = methodId;
      return count++;
    }
    if (firstMethod[targetId] === methodId) return firstIndex[targetId]!;
    const key = targetId * methodCount + methodId;
    let index = others.get(key);
    if (index === undefined) others.set(key, (index = count++));
    return index;
  };
}
