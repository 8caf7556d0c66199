import type { LoadPlan, Step } from '../../model/load.ts';
import type { ReplaySchedule } from '../../model/replay.ts';
import type { ProtocolOptions } from '../../protocols/protocol.ts';
import type { PartEvent } from '../merged-run.ts';
import type { PlanPart } from '../plan-part.ts';
import type { StopReason } from '../run-plan.ts';

/** Protocol options as they cross to a thread: a URL object does not. */
export type PlainProtocolOptions = Omit<ProtocolOptions, 'url'> & { readonly url: string };

/** What a worker is created with. */
export interface WorkerOrder {
  readonly plan: LoadPlan;
  readonly part: PlanPart;
  /** Address of the module whose `openProtocol(options, clock)` opens the way to the service. */
  readonly protocolModule: string;
  readonly protocolOptions: PlainProtocolOptions;
  /** Whether every finished request is wanted. */
  readonly sendSamples: boolean;
  readonly replay?: ReplaySchedule;
  /** Of `SharedInFlight`, for all workers. */
  readonly inFlight: SharedArrayBuffer;
}

/** From the main thread. */
export type ToWorker =
  /** Times of the process-wide clock (`sharedSeconds`). */
  | {
      readonly kind: 'start';
      readonly atSharedSeconds: number;
      /** Whether `go-on` follows when the plan's steps are done. */
      readonly awaitsSteps: boolean;
    }
  /** The step that follows, or the end where there is none. */
  | { readonly kind: 'go-on'; readonly step?: Step; readonly atSharedSeconds: number }
  | { readonly kind: 'stop'; readonly reason: StopReason }
  | { readonly kind: 'close' };

/** From a worker. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'event'; readonly event: PartEvent }
  /** Rows of `SAMPLE_FIELDS` numbers: end, class, response time, failed. */
  | { readonly kind: 'samples'; readonly rows: Float64Array };

export const SAMPLE_FIELDS = 4;

/** Seconds of a monotonic clock that all threads of a process share. */
export const sharedSeconds = (): number => Number(process.hrtime.bigint()) / 1e9;
