import type { Clock } from '../host/host.ts';
import type { ReplayStream } from '../load/replay-stream.ts';
import type { RequestStream } from '../load/request-stream.ts';
import type { Driver } from '../model/load.ts';
import type { Protocol } from '../protocols/protocol.ts';
import type { PlanPart } from './plan-part.ts';
import type { Recorder } from './recorder.ts';

/** What every loop needs to send and to record. */
export interface LoopHost {
  readonly clock: Clock;
  readonly protocol: Protocol;
  readonly recorder: Recorder;
  readonly stream: RequestStream;
  readonly seed: number;
  /** Which users and arrivals of the plan are this generator's. */
  readonly part: PlanPart;
  /** For steps whose arrivals are those of a log. */
  readonly replay?: { readonly stream: ReplayStream; readonly speedFactor: number };
}

/** One way to put load on a service. A run has one of each and tells all of them of every step. */
export interface LoadLoop {
  /**
   * The step from `startsAtSeconds` to `endsAtSeconds` by the plan (the clock may be a little later): the load it
   * asks of this loop, none where its driver is of another kind.
   */
  begin(driver: Driver, startsAtSeconds: number, endsAtSeconds: number): void;
  /** Sends nothing more; `onIdle` follows once the last answer is in, perhaps at once. */
  stop(onIdle: () => void): void;
}
