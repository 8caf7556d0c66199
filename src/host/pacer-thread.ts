import { parentPort, workerData } from 'node:worker_threads';
import { monotonicEpochSeconds, ORDER_INDEX } from './pacer.ts';

/** What the thread is given; the arrays are shared. */
export interface PacerOrder {
  /** Counted up at every new order. */
  readonly counts: Int32Array<SharedArrayBuffer>;
  /** The time asked for, and until when the thread sleeps; both on the clock of the thread that asks. */
  readonly times: Float64Array<SharedArrayBuffer>;
  readonly epochSeconds: number;
}

const { counts, times, epochSeconds } = workerData as PacerOrder;
const behindSeconds = monotonicEpochSeconds() - epochSeconds;
const nowSeconds = (): number => performance.now() / 1e3 + behindSeconds;
const port = parentPort!;

/** Sleeps until there is a new order or the time has come; an order that came since it was read ends it at once. */
function sleep(orderCount: number, untilSeconds: number, nowAtSeconds: number): void {
  times[1] = untilSeconds;
  Atomics.wait(counts, ORDER_INDEX, orderCount, (untilSeconds - nowAtSeconds) * 1e3);
}

let answered = 0;
for (;;) {
  const orderCount = Atomics.load(counts, ORDER_INDEX);
  const atSeconds = times[0]!;
  const now = nowSeconds();
  if (orderCount === answered) sleep(orderCount, Infinity, now);
  else if (atSeconds > now) sleep(orderCount, atSeconds, now);
  else {
    answered = orderCount;
    port.postMessage(0);
  }
}
