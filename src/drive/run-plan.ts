import type { Task } from '../host/host.ts';
import { RequestStream } from '../load/request-stream.ts';
import { sharesOf } from '../load/write-mix.ts';
import type { LoadPlan, Step } from '../model/load.ts';
import type { Frame, RunTotals, StepMeasurement } from '../model/measurement.ts';
import { type CounterSample, sampleCounters, toSeries } from './counter-log.ts';
import { createLoops } from './create-loops.ts';
import type { DriveHost, PartRun, RunEvent, StopReason } from './drive-host.ts';
import { ErrorWatch } from './error-watch.ts';
import type { LoadLoop } from './load-loop.ts';
import { type PlanPart, WHOLE_PLAN } from './plan-part.ts';
import { Recorder } from './recorder.ts';
import { RefusalWatch } from './refusal-watch.ts';
import { StepWindow } from './step-measurement.ts';

export type { DriveHost, PartRun, PlanRun, RunEvent, StepSource, StopReason } from './drive-host.ts';

const FRAME_SECONDS = 1;

/**
 * Runs a plan from step to step and tells the listener. The schedule is the plan's; this only waits for it:
 * a step's users join, its warm-up passes unmeasured, its window opens and closes with a counter sample each.
 * Everything happens in clock callbacks, so that on a virtual clock nothing can run ahead. Throws a RangeError
 * when the plan cannot be sent (no steps, no requests, an arrival rate that is none).
 */
export function startPlan(plan: LoadPlan, host: DriveHost, listener: (event: RunEvent) => void): PartRun {
  const run = new PlanRunner(plan, host, listener);
  run.start();
  return run;
}

type Phase = Frame['phase'];

class PlanRunner implements PartRun, Task {
  readonly #plan: LoadPlan;
  readonly #host: DriveHost;
  readonly #listener: (event: RunEvent) => void;
  readonly #originSeconds: number;
  readonly #recorder: Recorder;
  readonly #stream: RequestStream;
  readonly #loops: readonly LoadLoop[];
  /** Read by all loops when a step begins. */
  readonly #part: { -readonly [Name in keyof PlanPart]: PlanPart[Name] };
  #nextPart: { readonly part: PlanPart; readonly fromStepIndex: number } | undefined;
  #step: Step;
  #phase: Phase = 'warmup';
  #phaseEndsAtSeconds = 0;
  #nextFrameAtSeconds = 0;
  #window = new StepWindow();
  readonly #measurements: StepMeasurement[] = [];
  #samples: CounterSample[] = [];
  readonly #refusals = new RefusalWatch();
  readonly #errors: ErrorWatch;
  #hasTooManyErrors = false;
  #redirectsFollowedCount = 0;
  #stopReason: StopReason = 'completed';
  #isStopping = false;
  #isFinished = false;
  /** The last known step is over, and the next one is not known yet. */
  #isAwaiting = false;

  constructor(plan: LoadPlan, host: DriveHost, listener: (event: RunEvent) => void) {
    const firstStep = plan.steps[0];
    if (firstStep === undefined) throw new RangeError('a plan needs at least one step');
    this.#plan = plan;
    this.#host = host;
    this.#listener = listener;
    this.#step = firstStep;
    this.#errors = new ErrorWatch(plan.safety?.stopOnErrors);
    this.#originSeconds = host.originSeconds ?? host.clock.nowSeconds();
    const isAlone = (host.part ?? WHOLE_PLAN).count === 1;
    this.#recorder = new Recorder(
      plan.requests,
      this.#originSeconds,
      host.generator,
      host.onSample,
      host.inFlight ?? (isAlone ? undefined : 'unknown'),
    );
    this.#stream = new RequestStream(plan.requests);
    this.#part = { ...(host.part ?? WHOLE_PLAN) };
    this.#loops = createLoops(plan, host, this.#recorder, this.#stream, this.#part);
  }

  start(): void {
    this.#host.generator.read(); // what was used before the run is not the run's
    this.#beginStep(this.#step, this.#originSeconds);
  }

  takePart(part: PlanPart, fromStepIndex: number): boolean {
    if (this.#step.index >= fromStepIndex) return false;
    this.#nextPart = { part, fromStepIndex };
    return true;
  }

  stop(reason: StopReason): void {
    if (this.#isStopping || this.#phase === 'drain') return;
    // Set first: whoever hears of the last frame may ask to stop again.
    this.#isStopping = true;
    this.#stopReason = reason;
    if (this.#isAwaiting) {
      this.#isAwaiting = false;
      this.#beginDrain();
      return;
    }
    const now = this.#host.clock.nowSeconds();
    this.#cut(now);
    if (!this.#window.isEmpty) this.#finishStep(reason);
    this.#beginDrain();
  }

  goOn(step: Step | undefined, startsAtSeconds: number): void {
    if (!this.#isAwaiting) return;
    this.#isAwaiting = false;
    if (step === undefined) this.#beginDrain();
    else this.#beginStep(step, startsAtSeconds);
  }

  onTime(): void {
    if (this.#isFinished || this.#isAwaiting) return;
    const now = this.#host.clock.nowSeconds();
    // Woken for a moment that a stop or a new phase has overtaken.
    if (now < this.#nextFrameAtSeconds) return;
    const wasDraining = this.#phase === 'drain';
    this.#cut(now);
    // A listener that stopped the run has begun the drain and its frames.
    if (this.#phase === 'drain' && !wasDraining) return;
    if (this.#isServiceGone()) this.stop('service-gone');
    else if (this.#hasTooManyErrors && this.#phase !== 'drain') this.stop('too-many-errors');
    else if (this.#phase !== 'drain' && now >= this.#phaseEndsAtSeconds) this.#endPhase();
    else this.#scheduleFrame();
  }

  /** Steps and phases follow one another by the plan, so that being late does not add up. */
  #beginStep(step: Step, startsAtSeconds: number): void {
    this.#step = step;
    const next = this.#nextPart;
    if (next !== undefined && step.index >= next.fromStepIndex) Object.assign(this.#part, next.part);
    this.#listener({
      kind: 'step-started',
      step,
      atSeconds: this.#host.clock.nowSeconds() - this.#originSeconds,
    });
    const { restSeconds = 0, warmupSeconds, measureSeconds } = step;
    const loadAtSeconds = startsAtSeconds + restSeconds;
    const endsAtSeconds = loadAtSeconds + warmupSeconds + measureSeconds;
    if (step.writeRatio !== undefined) this.#stream.setShares(sharesOf(this.#plan, step));
    for (const loop of this.#loops) loop.begin(step.driver, loadAtSeconds, endsAtSeconds);
    this.#beginPhase('warmup', startsAtSeconds, restSeconds + warmupSeconds);
  }

  #beginPhase(phase: Phase, startsAtSeconds: number, seconds: number): void {
    this.#phase = phase;
    this.#phaseEndsAtSeconds = startsAtSeconds + seconds;
    this.#nextFrameAtSeconds = startsAtSeconds;
    this.#scheduleFrame();
  }

  #scheduleFrame(): void {
    // Beats that passed while this process stood still are not made up for: there is nothing in them.
    const missed = Math.floor((this.#host.clock.nowSeconds() - this.#nextFrameAtSeconds) / FRAME_SECONDS);
    const next = this.#nextFrameAtSeconds + (Math.max(0, missed) + 1) * FRAME_SECONDS;
    this.#nextFrameAtSeconds = Math.min(next, this.#phaseEndsAtSeconds);
    this.#host.clock.schedule(this.#nextFrameAtSeconds, this);
  }

  #endPhase(): void {
    if (this.#phase === 'warmup') {
      // The sample that closed the warm-up opens the window.
      this.#samples = this.#samples.slice(-1);
      this.#beginPhase('measure', this.#phaseEndsAtSeconds, this.#step.measureSeconds);
      return;
    }
    const planned = this.#plan.steps[this.#step.index + 1];
    // Set first: whoever hears of the step may answer at once.
    this.#isAwaiting = planned === undefined && this.#host.awaitsSteps === true;
    if (this.#isAwaiting) return this.#finishStep();
    this.#finishStep();
    const next = planned ?? this.#host.nextStep?.(this.#measurements);
    if (next === undefined) this.#beginDrain();
    else this.#beginStep(next, this.#phaseEndsAtSeconds);
  }

  #cut(nowSeconds: number): void {
    const sample = sampleCounters(this.#host.counters, nowSeconds - this.#originSeconds);
    const { protocol } = this.#host;
    const transport = protocol.takeTransport?.();
    this.#redirectsFollowedCount += transport?.redirectsFollowedCount ?? 0;
    const frame: Frame = {
      ...this.#recorder.cut(nowSeconds, this.#step.index, this.#phase, protocol.connectionCount),
      ...(transport !== undefined && { transport }),
      ...(this.#host.scenario !== undefined && { scenario: this.#host.scenario.record.cut() }),
    };
    this.#samples.push(sample);
    if (this.#phase === 'measure') this.#window.add(frame);
    this.#refusals.add(frame);
    // Of a part, errors say little: whoever sees all parts decides.
    this.#hasTooManyErrors = this.#host.part === undefined && this.#errors.exceeds(frame);
    this.#listener({ kind: 'frame', step: this.#step, frame, sample });
  }

  #finishStep(endedEarly?: string): void {
    const measurement = this.#window.measurement(this.#step, toSeries(this.#samples), endedEarly);
    this.#window = new StepWindow();
    this.#samples = [];
    if (this.#host.nextStep !== undefined) this.#measurements.push(measurement);
    this.#listener({ kind: 'step-finished', measurement });
  }

  #beginDrain(): void {
    this.#phase = 'drain';
    this.#phaseEndsAtSeconds = Infinity;
    let busyCount = this.#loops.length;
    for (const loop of this.#loops) {
      loop.stop(() => {
        busyCount -= 1;
        if (busyCount === 0) this.#finish();
      });
    }
    if (!this.#isFinished) {
      this.#nextFrameAtSeconds = this.#host.clock.nowSeconds();
      this.#scheduleFrame();
    }
  }

  #finish(): void {
    this.#cut(this.#host.clock.nowSeconds());
    this.#isFinished = true;
    const redirectsFollowedCount = this.#redirectsFollowedCount;
    const totals: RunTotals = {
      ...this.#recorder.totals(),
      ...(redirectsFollowedCount > 0 && { redirectsFollowedCount }),
    };
    this.#listener({ kind: 'finished', reason: this.#stopReason, totals });
  }

  #isServiceGone(): boolean {
    // Of a part, refusals say little: whoever sees all parts decides.
    if (this.#phase === 'drain' || this.#host.part !== undefined) return false;
    return this.#refusals.isServiceGone || this.#host.counters.some((source) => source.gone);
  }
}

/** The events of a plan as an async sequence, for those who would rather loop than listen. */
export async function* runPlan(plan: LoadPlan, host: DriveHost): AsyncGenerator<RunEvent> {
  const pending: RunEvent[] = [];
  let wake: (() => void) | undefined;
  const run = startPlan(plan, host, (event) => {
    pending.push(event);
    wake?.();
  });
  let isFinished = false;
  try {
    while (!isFinished) {
      if (pending.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      for (const event of pending.splice(0)) {
        isFinished ||= event.kind === 'finished';
        yield event;
      }
    }
  } finally {
    if (!isFinished) run.stop('interrupted');
  }
}
