import type { CounterSource } from '../counters/counter-source.ts';
import type { Clock } from '../host/host.ts';
import type { Step } from '../model/load.ts';
import type { Frame, RunTotals, StepMeasurement } from '../model/measurement.ts';
import type { ReplaySchedule } from '../model/replay.ts';
import type { Protocol } from '../protocols/protocol.ts';
import type { CounterSample } from './counter-log.ts';
import type { InFlight } from './in-flight.ts';
import type { PlanPart } from './plan-part.ts';
import type { GeneratorProbe, SampleSink } from './recorder.ts';
import type { ScenarioRun } from './scenario-host.ts';

export type StopReason = 'completed' | 'interrupted' | 'service-gone' | 'too-many-errors' | 'agent-lost';

/** What happens while a plan runs, in order. Listeners are called between requests and must be quick. */
export type RunEvent =
  | { readonly kind: 'step-started'; readonly step: Step; readonly atSeconds: number }
  | { readonly kind: 'frame'; readonly step: Step; readonly frame: Frame; readonly sample: CounterSample }
  | { readonly kind: 'step-finished'; readonly measurement: StepMeasurement }
  | { readonly kind: 'finished'; readonly reason: StopReason; readonly totals: RunTotals };

/** The world a plan runs in: the real one, or a virtual clock with a simulated service. */
export interface DriveHost {
  readonly clock: Clock;
  readonly protocol: Protocol;
  readonly counters: readonly CounterSource[];
  readonly generator: GeneratorProbe;
  readonly onSample?: SampleSink;
  /** Told of each class of requests that a scenario adds to the plan's, in the order of their indices. */
  readonly onRouteAdded?: (route: string) => void;
  /** The part of the plan to run, where several generators share it; missing: all of it. */
  readonly part?: PlanPart;
  /** What all parts have in flight, where they share memory; missing: a part knows only of its own. */
  readonly inFlight?: InFlight;
  /** Clock reading at which the plan begins, now or soon, so that several generators agree on it; missing: now. */
  readonly originSeconds?: number;
  /** Asked when the plan's steps are done, with all that was measured: the step to go on with. Missing: none. */
  readonly nextStep?: StepSource;
  /** Of a part of a plan that grows: when its steps are done it waits for `goOn`, its users go on as they are. */
  readonly awaitsSteps?: boolean;
  /** The log of a plan that replays one. */
  readonly replay?: ReplaySchedule;
  /** What users do where a scenario says so, in place of the plan's mix. */
  readonly scenario?: ScenarioRun;
}

/** What makes a plan grow while it runs; undefined ends it. Called between two steps, so it must be quick. */
export type StepSource = (measurements: readonly StepMeasurement[]) => Step | undefined;

export interface PlanRun {
  /** Ends the step in progress (what it measured is kept), lets answers come in, and finishes. */
  stop(reason: StopReason): void;
}

/** The run of one part of a plan. */
export interface PartRun extends PlanRun {
  /**
   * Makes another part of the plan from a step on: another generator was lost, and those that are left share its part.
   * False when that step has begun.
   */
  takePart(part: PlanPart, fromStepIndex: number): boolean;
  /**
   * Answers a part that awaits its next step: it begins at this clock reading, now or soon; undefined: there is none,
   * the part finishes. Does nothing where none is awaited.
   */
  goOn(step: Step | undefined, startsAtSeconds: number): void;
}
