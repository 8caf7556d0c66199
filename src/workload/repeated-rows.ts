import type { LogTable } from '../model/log-table.ts';

/** Nearly all requests have a twin: clients that repeat themselves within a step of the stamps have few. */
const LEAST_SHARE = 0.9;
/** Enough to know a share, and soon looked through. */
const MOST_LOOKED_AT = 100_000;
const FEWEST_ROWS = 20;

/**
 * How often each request of a log stands in it, where nearly all stand in it several times with all that is known
 * of them: a file given twice, or a log shipped twice. Undefined where that is not so. Of a long log some of its seconds are looked at.
 */
export function repetitionOf(table: LogTable, rows: Uint32Array): number | undefined {
  const stride = Math.ceil(rows.length / MOST_LOOKED_AT);
  const counts = new Map<string, number>();
  let looked = 0;
  for (const row of rows) {
    if (Math.floor(table.atSeconds[row]!) % stride !== 0) continue;
    const key = keyOf(table, row);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    looked += 1;
  }
  if (looked < FEWEST_ROWS) return undefined;
  let repeated = 0;
  for (const count of counts.values()) if (count > 1) repeated += count;
  return repeated >= looked * LEAST_SHARE ? looked / counts.size : undefined;
}

const keyOf = (table: LogTable, row: number): string =>
  [
    table.atSeconds[row],
    table.responseTimeSeconds[row],
    table.status[row],
    table.methodIds[row],
    table.targetIds[row],
    table.clientIds[row],
    table.agentIds[row],
  ].join(' ');
