import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CounterSource } from '../../counters/counter-source.ts';
import type { LoadPlan } from '../../model/load.ts';
import type { ReplaySchedule } from '../../model/replay.ts';
import type { ProtocolOptions } from '../../protocols/protocol.ts';
import { SharedInFlight } from '../in-flight.ts';
import { MergedRun } from '../merged-run.ts';
import { partsOf } from '../plan-part.ts';
import type { SampleSink } from '../recorder.ts';
import type { PlanRun, RunEvent, StepSource } from '../run-plan.ts';
import { type FromWorker, sharedSeconds, type ToWorker, type WorkerOrder } from './messages.ts';
import { forEachSample } from './sample-rows.ts';

/** From the word to start to the start: all workers must have heard it. */
const LEAD_SECONDS = 0.02;

export interface WorkerPoolOptions {
  readonly plan: LoadPlan;
  readonly count: number;
  readonly protocolModule: URL;
  readonly protocolOptions: ProtocolOptions;
  readonly sendSamples: boolean;
  /** The log of a plan that replays one. */
  readonly replay?: ReplaySchedule;
}

export interface PoolHost {
  readonly counters: readonly CounterSource[];
  readonly onSample?: SampleSink;
  /** How the plan goes on past its steps. */
  readonly nextStep?: StepSource;
  /** A worker failed: the run cannot go on. */
  readonly onFault: (error: Error) => void;
}

/** Worker threads that run one plan together, each its part of the users and arrivals. */
export class WorkerPool {
  readonly #plan: LoadPlan;
  readonly #workers: readonly Worker[];

  /** Resolves when all threads stand with their modules loaded; rejects with what a thread threw on the way. */
  static async open(options: WorkerPoolOptions): Promise<WorkerPool> {
    const inFlight = SharedInFlight.memory(options.count);
    const workers = partsOf(options.count).map((part) => {
      const { url } = options.protocolOptions;
      const workerData: WorkerOrder = {
        plan: options.plan,
        part,
        inFlight,
        protocolModule: options.protocolModule.href,
        protocolOptions: { ...options.protocolOptions, url: url.href },
        sendSamples: options.sendSamples,
        ...(options.replay !== undefined && { replay: options.replay }),
      };
      return new Worker(new URL('./worker-main.js', import.meta.url), { workerData });
    });
    const pool = new WorkerPool(options.plan, workers);
    try {
      await Promise.all(workers.map((worker) => once(worker, 'message')));
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  private constructor(plan: LoadPlan, workers: readonly Worker[]) {
    this.#plan = plan;
    this.#workers = workers;
  }

  /** Runs the plan; the listener hears what it would hear of a run in one thread. */
  start(host: PoolHost, listener: (event: RunEvent) => void): PlanRun {
    const originSeconds = sharedSeconds() + LEAD_SECONDS;
    const run = new MergedRun(
      this.#plan,
      {
        names: this.#workers.map((_, i) => `worker ${i + 1}`),
        counters: host.counters,
        nowSeconds: () => sharedSeconds() - originSeconds,
        stopParts: (reason) => this.#tell({ kind: 'stop', reason }),
        ...(host.nextStep !== undefined && { nextStep: host.nextStep }),
        goOn: (step) =>
          this.#tell({
            kind: 'go-on',
            ...(step !== undefined && { step }),
            atSharedSeconds: sharedSeconds() + LEAD_SECONDS,
          }),
      },
      listener,
    );
    for (const [part, worker] of this.#workers.entries()) {
      worker.on('error', host.onFault);
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'event') run.receive(part, message.event);
        else if (message.kind === 'samples' && host.onSample) forEachSample(message.rows, host.onSample);
      });
    }
    const awaitsSteps = host.nextStep !== undefined;
    this.#tell({ kind: 'start', atSharedSeconds: originSeconds, awaitsSteps });
    return run;
  }

  /** Closes the connections and resolves when the threads are gone. */
  async close(): Promise<void> {
    const ended = this.#workers
      .filter((worker) => worker.threadId !== -1)
      .map((worker) => once(worker, 'exit'));
    this.#tell({ kind: 'close' });
    await Promise.all(ended);
  }

  #tell(message: ToWorker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    for (const worker of this.#workers) worker.postMessage(message);
  }
}
