import type { CounterSource } from '../counters/counter-source.ts';
import type { LoadPlan, Step } from '../model/load.ts';
import type { Frame, RunTotals, StepMeasurement } from '../model/measurement.ts';
import { type CounterSample, sampleCounters, toSeries } from './counter-log.ts';
import { ErrorWatch } from './error-watch.ts';
import { mergeFrames, mergeTotals } from './merge-frames.ts';
import { RouteOrder } from './route-order.ts';
import { RefusalWatch } from './refusal-watch.ts';
import type { RunEvent, StepSource, StopReason } from './run-plan.ts';
import { StepWindow } from './step-measurement.ts';

/** What a generator tells while it runs its part of a plan, in order; plain data that any wire can carry. */
export type PartEvent =
  | { readonly kind: 'step-started'; readonly stepIndex: number; readonly atSeconds: number }
  | { readonly kind: 'frame'; readonly frame: Frame }
  | { readonly kind: 'step-finished'; readonly stepIndex: number; readonly endedEarly?: string }
  | { readonly kind: 'finished'; readonly reason: StopReason; readonly totals: RunTotals };

/** The part's own event, without what the coordinator works out itself. */
export function partEventOf(event: RunEvent): PartEvent {
  switch (event.kind) {
    case 'step-started':
      return { kind: event.kind, stepIndex: event.step.index, atSeconds: event.atSeconds };
    case 'frame':
      return { kind: event.kind, frame: event.frame };
    case 'step-finished': {
      const { step, endedEarly } = event.measurement;
      return { kind: event.kind, stepIndex: step.index, ...(endedEarly !== undefined && { endedEarly }) };
    }
    case 'finished':
      return event;
  }
}

/** What the coordinator of a plan's parts works with. */
export interface MergedRunHost {
  /** Names of the generators, one a part; results carry them. */
  readonly names: readonly string[];
  readonly counters: readonly CounterSource[];
  /** Seconds since the run's start on the coordinator's clock. */
  nowSeconds(): number;
  /**
   * The counters at a second of the run, where frames may come late and somebody reads the counters by the clock.
   * Missing: they are read when a frame comes.
   */
  sampleAt?(runSeconds: number): CounterSample;
  /** Tells every part to end its step and finish. */
  stopParts(reason: StopReason): void;
  /** Asked when the plan's steps are done, with all that was measured: the step to go on with. Missing: none. */
  readonly nextStep?: StepSource;
  /** Tells every part, which awaits it, the step that `nextStep` gave, or that there is none. */
  goOn?(step: Step | undefined): void;
}

type Sampled<Event> = Event & { readonly sample?: CounterSample };
type EventOf<Kind extends PartEvent['kind']> = Extract<PartEvent, { kind: Kind }>;

/**
 * Runs of a plan's parts as one run: whoever listens cannot tell it from a plan that ran in one place. Events of
 * the same moment of the plan are awaited from all parts and merged; the counters are read once, when the first
 * part's frame of that moment comes. A part that is ahead or behind (a stop reaches them apart) is merged with
 * nobody, so that no count is lost.
 */
export class MergedRun {
  readonly #plan: LoadPlan;
  readonly #host: MergedRunHost;
  readonly #listener: (event: RunEvent) => void;
  readonly #queues: readonly Sampled<PartEvent>[][];
  readonly #receivedFrameCounts: number[];
  readonly #dropped = new Set<number>();
  readonly #samples: CounterSample[] = [];
  readonly #totals: RunTotals[] = [];
  readonly #refusals = new RefusalWatch();
  readonly #errors: ErrorWatch;
  readonly #routes = new RouteOrder();
  /** Of a plan that grows: what it measured, and the steps it grew by. */
  readonly #measurements: StepMeasurement[] = [];
  readonly #grownSteps: Step[] = [];
  #window = new StepWindow();
  #stepSamples: CounterSample[] = [];
  #reason: StopReason = 'completed';
  #isStopping = false;
  #isFinished = false;
  #stepIndex = 0;

  constructor(plan: LoadPlan, host: MergedRunHost, listener: (event: RunEvent) => void) {
    this.#plan = plan;
    this.#errors = new ErrorWatch(plan.safety?.stopOnErrors);
    this.#host = host;
    this.#listener = listener;
    this.#queues = host.names.map(() => []);
    this.#receivedFrameCounts = host.names.map(() => 0);
  }

  stop(reason: StopReason): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#host.stopParts(reason);
  }

  receive(part: number, event: PartEvent): void {
    if (this.#dropped.has(part)) return;
    this.#queues[part]!.push(
      event.kind === 'frame' ? { ...event, sample: this.#sampleFor(part, event.frame) } : event,
    );
    this.#merge();
  }

  /**
   * Waits for the part no longer: what it has told is merged, what it still tells is not heard. `totals` are those
   * that its frames add up to. Once no part is left the run is finished, its step cut short where it stood.
   */
  drop(part: number, totals: RunTotals): void {
    if (this.#dropped.has(part)) return;
    this.#dropped.add(part);
    this.#totals.push(totals);
    const queue = this.#queues[part]!;
    if (queue.at(-1)?.kind === 'finished') queue.pop();
    this.#merge();
    if (this.#dropped.size < this.#queues.length) return;
    this.#reason = 'agent-lost';
    if (!this.#window.isEmpty)
      this.#finishStep({ kind: 'step-finished', stepIndex: this.#stepIndex, endedEarly: this.#reason });
    this.#finish([]);
  }

  #merge(): void {
    const isReady = (queue: readonly unknown[], part: number): boolean =>
      queue.length > 0 || this.#dropped.has(part);
    while (this.#queues.every(isReady) && this.#queues.some((queue) => queue.length > 0)) this.#mergeNext();
  }

  /** The counters at the part's n-th frame: those of its time, or read when the first of the parts has it. */
  #sampleFor(part: number, { endedAtSeconds }: Frame): CounterSample {
    const known = this.#host.sampleAt?.(endedAtSeconds);
    if (known !== undefined) return known;
    const index = this.#receivedFrameCounts[part]!++;
    return (this.#samples[index] ??= sampleCounters(this.#host.counters, this.#host.nowSeconds()));
  }

  /** Takes the events that come first by the plan from the parts that have them. A finished part keeps its last. */
  #mergeNext(): void {
    const ranks = this.#queues.map(([next]) => (next === undefined ? undefined : rankOf(next)));
    const first = Math.min(...ranks.flatMap((rank) => rank ?? []));
    const parts = ranks.flatMap((rank, part) => (rank === first ? [part] : []));
    const events = parts.map((part) => this.#queues[part]!.shift()!);
    const event = events[0]!;
    // Events of one rank are of one kind.
    if (event.kind === 'step-started') this.#beginStep(event);
    else if (event.kind === 'frame') this.#mergeFrames(parts, events as Sampled<EventOf<'frame'>>[]);
    else if (event.kind === 'step-finished') this.#finishStep(event);
    else this.#finish(events as EventOf<'finished'>[]);
  }

  #stepAt(index: number): Step {
    return this.#plan.steps[index] ?? this.#grownSteps[index - this.#plan.steps.length]!;
  }

  #beginStep({ stepIndex, atSeconds }: EventOf<'step-started'>): void {
    this.#stepIndex = stepIndex;
    this.#listener({ kind: 'step-started', step: this.#stepAt(stepIndex), atSeconds });
  }

  #mergeFrames(parts: readonly number[], events: readonly Sampled<EventOf<'frame'>>[]): void {
    const frame = mergeFrames(
      events.map((event, i) => ({ name: this.#host.names[parts[i]!]!, frame: event.frame })),
      this.#routes,
    );
    const sample = events[0]!.sample!;
    // The sample that closed the warm-up opens the window.
    if (frame.phase === 'measure' && this.#window.isEmpty) this.#stepSamples = this.#stepSamples.slice(-1);
    if (frame.phase === 'measure') this.#window.add(frame);
    this.#stepSamples.push(sample);
    this.#refusals.add(frame);
    this.#listener({ kind: 'frame', step: this.#stepAt(frame.stepIndex), frame, sample });
    const isGone = this.#refusals.isServiceGone || this.#host.counters.some((source) => source.gone);
    const hasTooManyErrors = this.#errors.exceeds(frame);
    if (frame.phase === 'drain') return;
    if (isGone) this.stop('service-gone');
    else if (hasTooManyErrors) this.stop('too-many-errors');
  }

  #finishStep({ stepIndex, endedEarly }: EventOf<'step-finished'>): void {
    const step = this.#stepAt(stepIndex);
    const measurement = this.#window.measurement(step, toSeries(this.#stepSamples), endedEarly);
    this.#window = new StepWindow();
    this.#stepSamples = [];
    this.#listener({ kind: 'step-finished', measurement });
    if (this.#host.nextStep !== undefined) this.#grow(measurement);
  }

  /** After the last planned step, and after each that was added: the next one, or the end. */
  #grow(measurement: StepMeasurement): void {
    this.#measurements.push(measurement);
    if (measurement.step.index + 1 < this.#plan.steps.length || this.#isStopping) return;
    const step = this.#host.nextStep?.(this.#measurements);
    if (step !== undefined) this.#grownSteps.push(step);
    this.#host.goOn?.(step);
  }

  #finish(events: readonly EventOf<'finished'>[]): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    for (const { reason, totals } of events) {
      this.#totals.push(totals);
      if (reason !== 'completed') this.#reason = reason;
    }
    this.#listener({
      kind: 'finished',
      reason: this.#reason,
      totals: mergeTotals(this.#totals, this.#routes),
    });
  }
}

/** Where an event stands in the order of the plan. */
function rankOf(event: PartEvent): number {
  switch (event.kind) {
    case 'step-started':
      return event.stepIndex * 8;
    case 'frame':
      return event.frame.stepIndex * 8 + { warmup: 1, measure: 2, drain: 4 }[event.frame.phase];
    case 'step-finished':
      return event.stepIndex * 8 + 3;
    case 'finished':
      return Infinity;
  }
}
