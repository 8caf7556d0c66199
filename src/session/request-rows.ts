import type { SampleSink } from '../drive/recorder.ts';
import type { RunFolder } from '../host/run-folder.ts';
import type { PlannedRequest } from '../model/load.ts';
import { csvCell } from '../report/escape.ts';

/** Numbers kept per request until they are written: end, class, response time, failed. */
const FIELDS = 4;
const BLOCK_ROWS = 1 << 16;

/**
 * Collects one row a request in blocks of numbers, and turns a block into text only when it is written, outside
 * the callbacks that time requests.
 */
export function requestRows(
  requests: readonly PlannedRequest[],
  folder: RunFolder,
): { readonly add: SampleSink; readonly addRoute: (route: string) => void; flush(): void } {
  const routes = requests.map((request) => csvCell(request.route));
  const block = new Float64Array(BLOCK_ROWS * FIELDS);
  let count = 0;
  const flush = (): void => {
    if (count === 0) return;
    const rows: string[] = [];
    for (let i = 0; i < count * FIELDS; i += FIELDS) {
      rows.push(
        `${block[i]!.toFixed(6)},${routes[block[i + 1]!]},${(block[i + 2]! * 1e3).toFixed(3)},${block[i + 3]}\n`,
      );
    }
    count = 0;
    folder.appendRequests(rows.join(''));
  };
  const add: SampleSink = (endedAtSeconds, requestIndex, responseTimeSeconds, failed) => {
    const at = count * FIELDS;
    block[at] = endedAtSeconds;
    block[at + 1] = requestIndex;
    block[at + 2] = responseTimeSeconds;
    block[at + 3] = failed ? 1 : 0;
    count += 1;
    if (count === BLOCK_ROWS) flush();
  };
  const addRoute = (route: string): void => void routes.push(csvCell(route));
  return { add, addRoute, flush };
}
