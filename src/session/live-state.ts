import { ERROR_LIMIT, GENERATOR_LIMIT } from '../analysis/validity.ts';
import type { RunEvent } from '../drive/run-plan.ts';
import type { Segment } from '../host/segments.ts';
import type { Driver, LoadPlan, Step } from '../model/load.ts';
import type { Frame, StepMeasurement } from '../model/measurement.ts';
import { mergeHistograms, percentileOf } from '../stats/histogram.ts';

/** Seconds that a sparkline can look back. */
const HISTORY_LIMIT = 600;
/** Beyond it the generator, not the service, may be what is measured. */
const EVENT_LOOP_LIMIT_SECONDS = 0.1;

/** One second as the screen shows it; missing where nothing told. */
export interface LiveSecond {
  readonly atSeconds: number;
  readonly stepIndex: number;
  readonly load: number;
  readonly throughputPerSecond: number;
  readonly p50Seconds: number | undefined;
  readonly p95Seconds: number | undefined;
  readonly p99Seconds: number | undefined;
  readonly failedPerSecond: number;
  /** Cores of the service in use. */
  readonly serviceCores: number | undefined;
  readonly generatorRatio: number;
}

/** Where a run is and what it saw, second by second. Knows nothing of terminals. */
export class LiveState {
  readonly seconds: LiveSecond[] = [];
  readonly finished: StepMeasurement[] = [];
  readonly warnings: string[] = [];
  readonly stepCount: number;
  readonly totalSeconds: number;
  step: Step | undefined;
  phase: Frame['phase'] = 'warmup';
  atSeconds = 0;
  #stepStartedAtSeconds = 0;
  #serviceCpu: readonly [atSeconds: number, cpuSeconds: number] | undefined;

  constructor(plan: LoadPlan) {
    this.stepCount = plan.steps.length;
    this.totalSeconds = plan.steps.reduce((sum, step) => sum + secondsOf(step), 0);
  }

  take(event: RunEvent): void {
    if (event.kind === 'step-started') {
      this.step = event.step;
      this.#stepStartedAtSeconds = event.atSeconds;
    } else if (event.kind === 'step-finished') {
      this.finished.push(event.measurement);
      for (const notice of event.measurement.notices)
        this.#warn(`${event.measurement.step.label}: ${notice.message}`);
    } else if (event.kind === 'frame') this.#takeFrame(event);
  }

  /** A stored second: the same as its events, told by the step it belongs to. */
  takeSegment({ frame, sample }: Segment, plan: LoadPlan): void {
    const step = plan.steps[frame.stepIndex];
    if (step === undefined) return;
    if (step.index !== this.step?.index)
      this.take({ kind: 'step-started', step, atSeconds: frame.startedAtSeconds });
    this.take({ kind: 'frame', step, frame, sample });
  }

  /** Share of the step that has passed, and what is left of it. */
  get stepProgress(): { readonly ratio: number; readonly leftSeconds: number } {
    if (this.step === undefined) return { ratio: 0, leftSeconds: 0 };
    const length = secondsOf(this.step);
    const passed = Math.min(length, Math.max(0, this.atSeconds - this.#stepStartedAtSeconds));
    return { ratio: length > 0 ? passed / length : 1, leftSeconds: length - passed };
  }

  #takeFrame({ frame, sample }: Extract<RunEvent, { kind: 'frame' }>): void {
    this.phase = frame.phase;
    this.atSeconds = frame.endedAtSeconds;
    const cpu = sample.readings.find((r) => r.source === 'process' && r.quantity === 'cpuSeconds')?.value;
    const second = secondOf(frame, this.step?.driver, this.#serviceCores(sample.atSeconds, cpu));
    if (second === undefined) return;
    this.seconds.push(second);
    if (this.seconds.length > HISTORY_LIMIT) this.seconds.shift();
    for (const warning of warningsOf(frame)) this.#warn(`${this.step?.label ?? ''}: ${warning}`);
  }

  #serviceCores(atSeconds: number, cpuSeconds: number | undefined): number | undefined {
    const before = this.#serviceCpu;
    this.#serviceCpu = cpuSeconds === undefined ? undefined : [atSeconds, cpuSeconds];
    if (before === undefined || cpuSeconds === undefined || atSeconds <= before[0]) return undefined;
    return Math.max(0, cpuSeconds - before[1]) / (atSeconds - before[0]);
  }

  /** Each warning once. */
  #warn(text: string): void {
    if (!this.warnings.includes(text)) this.warnings.push(text);
  }
}

const secondsOf = (step: Step): number => step.warmupSeconds + step.measureSeconds;

const loadOf = (driver: Driver | undefined): number =>
  driver === undefined ? 0 : driver.kind === 'closed' ? driver.users : driver.arrivalRatePerSecond;

function secondOf(
  frame: Frame,
  driver: Driver | undefined,
  serviceCores: number | undefined,
): LiveSecond | undefined {
  const seconds = frame.endedAtSeconds - frame.startedAtSeconds;
  if (seconds <= 0) return undefined;
  const responseTime = mergeHistograms(frame.routes.map((route) => route.responseTime));
  return {
    atSeconds: frame.endedAtSeconds,
    stepIndex: frame.stepIndex,
    load: loadOf(driver),
    throughputPerSecond: sumOf(frame, (route) => route.okCount) / seconds,
    p50Seconds: percentileOf(responseTime, 50),
    p95Seconds: percentileOf(responseTime, 95),
    p99Seconds: percentileOf(responseTime, 99),
    failedPerSecond:
      sumOf(frame, (route) => route.errorCount + route.timeoutCount + route.droppedCount) / seconds,
    serviceCores,
    generatorRatio: frame.generator.utilizationRatio,
  };
}

/** What is worth a word while it happens; the gates of the analysis judge whole steps afterwards. */
function warningsOf(frame: Frame): string[] {
  const warnings: string[] = [];
  if (frame.generator.utilizationRatio >= GENERATOR_LIMIT)
    warnings.push('the generator is near its limit: the step may be refused');
  if (frame.generator.eventLoopDelayMaxSeconds >= EVENT_LOOP_LIMIT_SECONDS)
    warnings.push('the generator was held up for more than 100 ms: is this machine busy?');
  if (sumOf(frame, (route) => route.droppedCount) > 0)
    warnings.push('arrivals are dropped: too many requests are unanswered');
  const failed = sumOf(frame, (route) => route.errorCount + route.timeoutCount);
  if (failed > ERROR_LIMIT * (failed + sumOf(frame, (route) => route.okCount))) {
    const [code] = Object.entries(frame.errorCodes).sort((a, b) => b[1] - a[1])[0] ?? ['errors'];
    warnings.push(`more than 1 % of the requests fail (${code})`);
  }
  return warnings;
}

const sumOf = ({ routes }: Frame, count: (route: Frame['routes'][number]) => number): number =>
  routes.reduce((total, route) => total + count(route), 0);
