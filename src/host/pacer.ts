import { Worker } from 'node:worker_threads';
import type { PacerOrder } from './pacer-thread.ts';

const EPOCH_READINGS = 20;

/** Index of what is counted up at every new order, and waited on. */
export const ORDER_INDEX = 0;

/**
 * Wakes this thread at times finer than Node's timers, whose step is 1 ms: a thread sleeps in the kernel until the
 * time asked for and posts a message (about 25 µs of CPU a wake-up, where turning the event loop until then would
 * take the whole wait). Wake-ups may come too often, and are late by as much as the machine is busy; whoever must
 * not miss one sets a timer beside it.
 */
export class Pacer {
  readonly #worker: Worker;
  readonly #counts = new Int32Array(new SharedArrayBuffer(4));
  readonly #times = new Float64Array(new SharedArrayBuffer(16));
  #isUsable = true;

  constructor(onWake: () => void) {
    const order: PacerOrder = {
      counts: this.#counts,
      times: this.#times,
      epochSeconds: monotonicEpochSeconds(),
    };
    this.#worker = new Worker(new URL('./pacer-thread.js', import.meta.url), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
    });
    this.#worker.on('message', onWake);
    // Without it wake-ups come by timers, a little late: no reason to end a run.
    this.#worker.on('error', () => (this.#isUsable = false));
    this.#worker.unref();
  }

  /** Whether wake-ups can be expected. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** Asks for one wake-up at `atSeconds` of `performance.now()`; replaces what was asked for before. */
  wakeAt(atSeconds: number): void {
    this.#times[0] = atSeconds;
    Atomics.add(this.#counts, ORDER_INDEX, 1);
    // A thread that sleeps no longer than that finds the new time by itself; waking it costs a system call.
    if (atSeconds < this.#times[1]!) Atomics.notify(this.#counts, ORDER_INDEX);
  }

  stop(): void {
    this.#isUsable = false;
    void this.#worker.terminate();
  }
}

/**
 * Where `performance.now()` of this thread is 0, on the clock that all threads share. What passes between the two
 * readings makes it too early, a millisecond where the code runs for the first time: the latest of several is right.
 */
export function monotonicEpochSeconds(): number {
  let latestSeconds = -Infinity;
  for (let i = 0; i < EPOCH_READINGS; i++) {
    const [seconds, nanoseconds] = process.hrtime();
    latestSeconds = Math.max(latestSeconds, seconds + nanoseconds / 1e9 - performance.now() / 1e3);
  }
  return latestSeconds;
}
