import type { CounterSource } from '../counters/counter-source.ts';
import type { CounterSample } from '../drive/counter-log.ts';
import { toSeries } from '../drive/counter-log.ts';
import type { RunEvent, StepSource, StopReason } from '../drive/run-plan.ts';
import type { ScenarioRun } from '../drive/scenario-host.ts';
import type { RunFolder } from '../host/run-folder.ts';
import type { LoadPlan } from '../model/load.ts';
import type { CounterSeries, RunTotals, StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import type { AgentRecord } from '../model/record.ts';
import type { ReplaySchedule } from '../model/replay.ts';
import type { LoadEngine } from './load-engine.ts';
import { requestRows } from './request-rows.ts';

export interface LoadRun {
  readonly engine: LoadEngine;
  /** Of the service and the machine. */
  readonly counters: readonly CounterSource[];
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
  /** What a scenario stumbled over, and what is to be said of agents. */
  readonly notices?: readonly Notice[];
  /** Where they made the load. */
  readonly agents?: readonly AgentRecord[];
}

/** Runs a plan on the real clock and writes each second to the run folder as it passes. */
export async function runLoad(plan: LoadPlan, run: LoadRun): Promise<LoadResult> {
  const measurements: StepMeasurement[] = [];
  const samples: CounterSample[] = [];
  const rows =
    run.writeSamples === true && run.folder !== undefined
      ? requestRows(plan.requests, run.folder)
      : undefined;
  return new Promise((resolve, reject) => {
    const onEvent = (event: RunEvent): void => {
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
    const planRun = run.engine.start({
      counters: run.counters,
      onEvent,
      onFault: reject,
      ...(rows !== undefined && { onSample: rows.add, onRouteAdded: rows.addRoute }),
      ...(run.scenario !== undefined && { scenario: run.scenario }),
      ...(run.nextStep !== undefined && { nextStep: run.nextStep }),
    });
    const interrupt = (): void => planRun.stop('interrupted');
    if (run.signal?.aborted === true) interrupt();
    else run.signal?.addEventListener('abort', interrupt);
  });
}
