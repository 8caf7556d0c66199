import type { LogTable } from '../model/log-table.ts';
import type { WorkloadModel } from '../model/workload.ts';
import type { Window } from './window.ts';

const SECONDS_PER_MINUTE = 60;
/** Stamps are finer than this in no log, and a start plus its duration is off by less. */
const MICROSECONDS = 1e6;

/**
 * What the lines say of themselves, bad requests with them: clients, the first and the last stamp, and the minute of
 * the clock with the most of them. Other tools count a log like this; the model's own figures are of starts, which an
 * end stamp is not, and of requests. Undefined where no line is stamped.
 */
export function loggedOf(table: LogTable, rows: Uint32Array, window: Window): WorkloadModel['logged'] {
  const seen = new Uint8Array(table.clients.length);
  const minutes = new Map<number, number>();
  let [clientCount, first, last] = [0, Infinity, -Infinity];
  const add = (clientId: number, stampSeconds: number): void => {
    if (seen[clientId] === 0) clientCount += 1;
    seen[clientId] = 1;
    const stamp = Math.round(stampSeconds * MICROSECONDS) / MICROSECONDS;
    if (Number.isNaN(stamp)) return;
    first = Math.min(first, stamp);
    last = Math.max(last, stamp);
    const minute = Math.floor(stamp / SECONDS_PER_MINUTE);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  };
  const isEnd = table.timestampMeaning === 'end';
  for (const row of rows) {
    const seconds = table.responseTimeSeconds[row]!;
    const hasEnd = isEnd && !Number.isNaN(seconds);
    add(table.clientIds[row]!, hasEnd ? table.atSeconds[row]! + seconds : table.atSeconds[row]!);
  }
  const { stampSeconds, clientIds } = table.badRequests ?? { stampSeconds: [], clientIds: [] };
  for (let bad = 0; bad < stampSeconds.length; bad += 1) {
    const at = stampSeconds[bad]!;
    if (!window.isCut || (at >= window.fromSeconds && at < window.toSeconds)) add(clientIds[bad]!, at);
  }
  if (minutes.size === 0) return undefined;
  const [minute, lineCount] = [...minutes].reduce((best, one) =>
    one[1] > best[1] || (one[1] === best[1] && one[0] < best[0]) ? one : best,
  );
  return {
    clientCount,
    firstSeconds: first,
    lastSeconds: last,
    busiestMinute: { fromSeconds: minute * SECONDS_PER_MINUTE, lineCount },
  };
}
