import type { CounterReading, CounterSource } from '../counters/counter-source.ts';
import type { GeneratorProbe } from '../drive/recorder.ts';
import { type RunEvent, startPlan, type StepSource, type StopReason } from '../drive/run-plan.ts';
import type { ScenarioRun } from '../drive/scenario-user.ts';
import type { Clock } from '../host/host.ts';
import type { RunFolder } from '../host/run-folder.ts';
import type { LoadPlan } from '../model/load.ts';
import type { CounterSeries, RunTotals, StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import type { ReplaySchedule } from '../model/replay.ts';
import type { CounterSample } from '../drive/counter-log.ts';
import { toSeries } from '../drive/counter-log.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { requestRows } from './request-rows.ts';

export interface LoadRun {
  readonly clock: Clock;
  readonly protocol: Protocol;
  readonly counters: readonly CounterSource[];
  readonly generator: CounterSource;
  /** Missing: nothing is written (an isolated route, a rehearsal). */
  readonly folder?: RunFolder;
  readonly writeSamples?: boolean;
  readonly listener?: (event: RunEvent) => void;
  /** How the plan goes on past its steps. */
  readonly nextStep?: StepSource;
  readonly replay?: ReplaySchedule;
  readonly scenario?: ScenarioRun;
  /** Aborted by the first Ctrl-C: the step ends, answers are awaited, what was measured is kept. */
  readonly signal?: AbortSignal;
}

export interface LoadResult {
  readonly reason: StopReason;
  readonly measurements: readonly StepMeasurement[];
  readonly totals: RunTotals;
  /** Counters over the whole run, for `counters.csv`. */
  readonly series: readonly CounterSeries[];
  /** What a scenario stumbled over. */
  readonly scenarioNotices?: readonly Notice[];
}

/** Runs a plan on the real clock and writes each second to the run folder as it passes. */
export async function runLoad(plan: LoadPlan, run: LoadRun): Promise<LoadResult> {
  const measurements: StepMeasurement[] = [];
  const samples: CounterSample[] = [];
  const { generator, probe } = tapGenerator(run.generator);
  const rows =
    run.writeSamples === true && run.folder !== undefined
      ? requestRows(plan.requests, run.folder)
      : undefined;
  return new Promise((resolve) => {
    const listener = (event: RunEvent): void => {
      run.listener?.(event);
      if (event.kind === 'step-finished') measurements.push(event.measurement);
      if (event.kind === 'frame') {
        samples.push(event.sample);
        run.folder?.appendSegment({ frame: event.frame, sample: event.sample });
        rows?.flush();
      }
      if (event.kind === 'finished') {
        run.signal?.removeEventListener('abort', interrupt);
        resolve({ reason: event.reason, measurements, totals: event.totals, series: toSeries(samples) });
      }
    };
    const host = {
      clock: run.clock,
      protocol: run.protocol,
      counters: [...run.counters, generator],
      generator: probe,
      ...(rows !== undefined && { onSample: rows.add, onRouteAdded: rows.addRoute }),
      ...(run.nextStep !== undefined && { nextStep: run.nextStep }),
      ...(run.replay !== undefined && { replay: run.replay }),
      ...(run.scenario !== undefined && { scenario: run.scenario }),
    };
    const planRun = startPlan(plan, host, listener);
    const interrupt = (): void => planRun.stop('interrupted');
    if (run.signal?.aborted === true) interrupt();
    else run.signal?.addEventListener('abort', interrupt);
  });
}

/** Lets the frame and the counter sample of a second tell the same reading of the generator's own counters. */
function tapGenerator(source: CounterSource): {
  readonly generator: CounterSource;
  readonly probe: GeneratorProbe;
} {
  let latest = source.read();
  let cpuSecondsBefore = valueOf(latest, 'cpuSeconds');
  return {
    generator: {
      name: source.name,
      get gone() {
        return source.gone;
      },
      read: () => (latest = source.read()),
      close: () => source.close(),
    },
    probe: {
      read: () => {
        const cpuSeconds = valueOf(latest, 'cpuSeconds');
        const used = cpuSeconds - cpuSecondsBefore;
        cpuSecondsBefore = cpuSeconds;
        return { cpuSeconds: used, eventLoopDelayMaxSeconds: valueOf(latest, 'eventLoopDelayMaxSeconds') };
      },
    },
  };
}

function valueOf(readings: readonly CounterReading[], quantity: string): number {
  return readings.find((reading) => reading.quantity === quantity)?.value ?? 0;
}
