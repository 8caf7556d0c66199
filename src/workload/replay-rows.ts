import type { LogTable } from '../model/log-table.ts';
import type { ReplaySchedule } from '../model/replay.ts';
import { modelledRows, type WorkloadOptions } from './build-workload.ts';
import { routePairs } from './request-classes.ts';

/**
 * The requests that the model of the same options counts, one by one by their starts (a log is written in the order
 * of ends), with the targets they had. Values that the model replaces are replaced here alike: what looks like a
 * secret or says who somebody is goes to no service, unless the options keep it.
 */
export function replayRows(table: LogTable, options: WorkloadOptions = {}): ReplaySchedule {
  const { window, rows } = modelledRows(table, options);
  const { counts, targetOf } = routePairs(table, rows, options);
  const classIds = new Index();
  const targets = new Index();
  const pairClass = new Uint32Array(counts.length);
  const pairTarget = new Uint32Array(counts.length);
  for (let pair = 0; pair < counts.length; pair += 1) {
    const { route, target } = targetOf(pair);
    pairClass[pair] = classIds.of(`${table.methods.at(counts.methodId[pair]!)!} ${route}`);
    pairTarget[pair] = targets.of(target);
  }
  const places = Uint32Array.from(rows, (_, place) => place).sort(
    (a, b) => table.atSeconds[rows[a]!]! - table.atSeconds[rows[b]!]! || a - b,
  );
  const { fromSeconds } = window;
  // A stamp is cut to its resolution, so its middle is the better guess; it also keeps requests off the edges.
  const middle = table.stampResolutionSeconds / 2;
  return {
    atSeconds: Float64Array.from(places, (place) => table.atSeconds[rows[place]!]! - fromSeconds + middle),
    classIndex: Uint32Array.from(places, (place) => pairClass[counts.ofRow[place]!]!),
    targetIndex: Uint32Array.from(places, (place) => pairTarget[counts.ofRow[place]!]!),
    classIds: classIds.texts,
    targets: targets.texts,
    // A whole log ends with its last request, which belongs to it.
    spanSeconds: window.toSeconds - fromSeconds + (window.isCut ? 0 : table.stampResolutionSeconds),
  };
}

/** Numbers texts in order of appearance. */
class Index {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.length;
      this.#numbers.set(text, number);
      this.texts.push(text);
    }
    return number;
  }
}
