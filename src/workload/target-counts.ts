import type { LogTable } from '../model/log-table.ts';

/**
 * Sums over the requests of each pair of target and method, as columns: enough for the mix, popularity and
 * selectors, and small enough for millions of targets.
 */
export interface TargetCounts {
  readonly length: number;
  readonly targetId: Uint32Array;
  readonly methodId: Uint16Array;
  readonly requestCount: Uint32Array;
  /** Answers below 400. */
  readonly successCount: Uint32Array;
  /** Answers that show the target to exist or to be handled: neither 400, 404 nor 410. */
  readonly foundCount: Uint32Array;
  /** Requests with a duration, and sums over them of its logarithm and the square of that. */
  readonly timedCount: Uint32Array;
  readonly logSum: Float64Array;
  readonly logSquareSum: Float64Array;
  /** For every row, by its place in `rows`, the index of its pair. */
  readonly ofRow: Uint32Array;
}

const FIRST_FAILURE_STATUS = 400;
/** Durations below the finest stamp are one: their logarithms would be far apart without meaning anything. */
const SHORTEST_SECONDS = 1e-6;

/** Answers from which no route is learned: scanners ask for what does not exist. */
const teachesNothing = (status: number): boolean => status === 400 || status === 404 || status === 410;

/** The counts of the rows, in the order in which pairs appear. */
export function countTargets(table: LogTable, rows: Uint32Array): TargetCounts {
  const { ofRow, pairs } = pairRows(table, rows);
  const counts = {
    length: pairs.length,
    targetId: Uint32Array.from(pairs, (row) => table.targetIds[row]!),
    methodId: Uint16Array.from(pairs, (row) => table.methodIds[row]!),
    requestCount: new Uint32Array(pairs.length),
    successCount: new Uint32Array(pairs.length),
    foundCount: new Uint32Array(pairs.length),
    timedCount: new Uint32Array(pairs.length),
    logSum: new Float64Array(pairs.length),
    logSquareSum: new Float64Array(pairs.length),
    ofRow,
  };
  for (let place = 0; place < rows.length; place += 1) {
    const pair = ofRow[place]!;
    const status = table.status[rows[place]!]!;
    counts.requestCount[pair]! += 1;
    if (status > 0 && status < FIRST_FAILURE_STATUS) counts.successCount[pair]! += 1;
    if (!teachesNothing(status)) counts.foundCount[pair]! += 1;
    const seconds = table.responseTimeSeconds[rows[place]!]!;
    if (Number.isNaN(seconds)) continue;
    const log = Math.log(Math.max(seconds, SHORTEST_SECONDS));
    counts.timedCount[pair]! += 1;
    counts.logSum[pair]! += log;
    counts.logSquareSum[pair]! += log * log;
  }
  return counts;
}

/**
 * Numbers the pairs of target and method, each with its first row. Nearly every target has one method, so the
 * map is for the others.
 */
function pairRows(
  table: LogTable,
  rows: Uint32Array,
): { readonly ofRow: Uint32Array; readonly pairs: readonly number[] } {
  const firstPair = new Int32Array(table.targets.length).fill(-1);
  const others = new Map<number, number>();
  const pairs: number[] = [];
  const ofRow = new Uint32Array(rows.length);
  const methodCount = table.methods.length;
  for (let place = 0; place < rows.length; place += 1) {
    const row = rows[place]!;
    const [target, method] = [table.targetIds[row]!, table.methodIds[row]!];
    let pair = firstPair[target]!;
    if (pair < 0) {
      pair = firstPair[target] = pairs.length;
      pairs.push(row);
    } else if (table.methodIds[pairs[pair]!] !== method) {
      const key = target * methodCount + method;
      const known = others.get(key);
      pair = known ?? pairs.length;
      if (known === undefined) {
        others.set(key, pair);
        pairs.push(row);
      }
    }
    ofRow[place] = pair;
  }
  return { ofRow, pairs };
}
