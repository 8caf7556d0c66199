import { stepSourceOf } from '../adaptive-load.ts';
import { setTimeout } from 'node:timers/promises';
import { considerOptions } from '../analysis/options.ts';
import { poolOption } from '../analysis/pool-option.ts';
import { stepTable } from '../analysis/step-table.ts';
import { listenerAt } from '../counters/index.ts';
import { ShiploadError } from '../errors.ts';
import type { RunEvent } from '../drive/run-plan.ts';
import type { ExportTarget } from '../export/targets.ts';
import { readEnvironment } from '../host/environment.ts';
import type { RunFolder } from '../host/run-folder.ts';
import type { Isolation, RemedyOption, StepRow } from '../model/analysis.ts';
import type { Guess } from '../model/guess.ts';
import type { LoadPlan } from '../model/load.ts';
import type { CounterSeries } from '../model/measurement.ts';
import type { ReplaySchedule } from '../model/replay.ts';
import type { Notice } from '../model/notice.ts';
import type { Pinning, RunManifest, RunRecord } from '../model/record.ts';
import type { Target } from '../model/verdict.ts';
import type { WorkloadModel } from '../model/workload.ts';
import { concludeRun, contextOf, type MeasuredRun } from '../pipeline.ts';
import {
  type Grant,
  plannedSeconds,
  type SafetyRequest,
  safetyLimits,
  withinLimits,
} from '../load/safety.ts';
import { loadOf } from '../stats/wording.ts';
import { judge } from '../verdict/judge.ts';
import { growManifest } from './grown-manifest.ts';
import { confirmFindings } from './confirm-findings.ts';
import { isolateLoad } from './isolate-load.ts';
import { openEngine } from './load-engine.ts';
import type { OpenScenario } from './open-scenario.ts';
import type { OpenService } from './open-service.ts';
import { protocolOptions } from './protocol-options.ts';
import { redactCommand, redactPlan } from './redact.ts';
import { type LoadResult, type LoadRun, runLoad } from './run-load.ts';
import { type RunningScenario, startScenario } from './scenario-run.ts';
import { simulateStep } from './simulate-step.ts';

/** All that a run needs to know before the first request. */
export interface RunRequest {
  readonly label: string;
  readonly plan: LoadPlan;
  /** The requests of a plan that replays a log. */
  readonly replay?: ReplaySchedule;
  /** What users do, in place of the plan's mix. */
  readonly scenario?: ScenarioRequest;
  readonly peakLoad: number;
  readonly workload?: WorkloadModel;
  readonly targets: readonly Target[];
  readonly marginRatio: number;
  readonly guess?: Guess;
  readonly writeSamples: boolean;
  /** Where the metrics go while the run goes on. */
  readonly exportTargets?: readonly ExportTarget[];
  /** Threads that make the load; missing: one. */
  readonly generatorCount?: number;
  readonly pinning?: Pinning;
  /** Length of each isolated route when the run fails; missing: none is run. */
  readonly isolateSeconds?: number;
  /** For the experiments that decide the findings, all together; missing: none is made. */
  readonly confirmSeconds?: number;
  readonly commandLine: readonly string[];
  readonly planNotices: readonly Notice[];
  /** Missing: the defaults of the place the load goes to. */
  readonly safety?: SafetyRequest;
}

/**
 * The request under the ceilings of where it goes. Throws `option-invalid` for a plan above them, and
 * `url-not-yours` for one that would run on after the permission has ended.
 */
export function underLimits(request: RunRequest, grant: Grant, nowMilliseconds: number): RunRequest {
  const plan = withinLimits(request.plan, safetyLimits(request.safety ?? {}, grant));
  const endsAt = nowMilliseconds + plannedSeconds(plan) * 1000;
  if (grant.until === undefined || endsAt <= Date.parse(grant.until)) return { ...request, plan };
  throw new ShiploadError(
    'url-not-yours',
    `the run would go on after the permission ends at ${grant.until}`,
    {
      where: '--url',
      hint: 'Run fewer or shorter steps, or allow it for longer with shipload allow.',
    },
  );
}

/** A scenario, and the fields of the run that go with every request. */
export interface ScenarioRequest {
  readonly open: OpenScenario;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RunHooks {
  readonly onEvent?: (event: RunEvent) => void;
  readonly say?: (text: string) => void;
  readonly signal?: AbortSignal;
}

export interface PerformedRun {
  readonly record: RunRecord;
  /** Every counter over the whole run, for `counters.csv`. */
  readonly series: readonly CounterSeries[];
}

/** What stands before the first request: enough to read a run that never came to its end. */
export function manifestOf(request: RunRequest, service: OpenService, startedAt: string): RunManifest {
  return {
    kind: 'run',
    schemaVersion: 1,
    label: request.label,
    startedAt,
    state: 'running',
    command: redactCommand(request.commandLine),
    plan: redactPlan(request.plan),
    service: service.description,
    targets: request.targets,
    marginRatio: request.marginRatio,
    peakLoad: request.peakLoad,
    ...(request.guess !== undefined && { guess: request.guess }),
    environment: { ...readEnvironment(), ...(request.pinning !== undefined && { pinning: request.pinning }) },
  };
}

/**
 * Runs the plan against an open service, concludes, and where the run fails its targets isolates the routes and
 * considers what could be done. Everything measured is in the folder before anything is concluded from it.
 */
export async function performRun(
  request: RunRequest,
  manifest: RunManifest,
  service: OpenService,
  folder: RunFolder,
  hooks: RunHooks,
): Promise<PerformedRun> {
  const grown = growManifest(manifest, folder);
  const nextStep = stepSourceOf(contextOf(manifest));
  const run: OnceRun = {
    folder,
    writeSamples: request.writeSamples,
    listener: (event) => {
      grown.listener(event);
      hooks.onEvent?.(event);
    },
    ...(nextStep !== undefined && { nextStep }),
    ...(request.replay !== undefined && { replay: request.replay }),
    ...(request.scenario !== undefined && { scenario: request.scenario }),
    ...(hooks.say !== undefined && { say: hooks.say }),
    ...(hooks.signal !== undefined && { signal: hooks.signal }),
  };
  const result = await loadOnce(request.plan, service, run, request.generatorCount);
  const measured: MeasuredRun = {
    manifest: { ...grown.current(), state: result.reason },
    ...(request.workload !== undefined && { workload: request.workload }),
    measurements: result.measurements,
    totals: result.totals,
    planNotices: [...request.planNotices, ...(result.scenarioNotices ?? []), ...goneNotices(result, service)],
  };
  const explained = await explainFailure(concludeRun(measured), measured, request, service, hooks);
  const record = await confirmRun(withPoolOption(explained, request), measured, request, service, hooks);
  return { record, series: result.series };
}

/** How the process went that was watched, and who has its port now: a service that was restarted is another one. */
function goneNotices({ reason }: LoadResult, { counters, url, route }: OpenService): Notice[] {
  const gone = counters.find((source) => source.goneReason !== undefined);
  if (reason !== 'service-gone' || gone?.goneReason === undefined) return [];
  const successor = route.socketPath === undefined ? listenerAt(url) : undefined;
  const now =
    successor === undefined
      ? ''
      : `; process ${successor} listens at the port now: it was restarted under the load`;
  return [{ code: 'process-ended', severity: 'red-flag', message: `${gone.goneReason}${now}` }];
}

/** Makes the experiments that decide the findings, where asked to, and concludes once more with what they say. */
export async function confirmRun(
  record: RunRecord,
  measured: MeasuredRun,
  request: RunRequest,
  service: OpenService,
  hooks: RunHooks,
): Promise<RunRecord> {
  const { analysis, isolation, options } = record;
  const { confirmSeconds } = request;
  const isOver = measured.manifest.state !== 'completed' || hooks.signal?.aborted === true;
  if (confirmSeconds === undefined || isOver) return record;
  if (analysis.findings.every(({ experiment }) => experiment === undefined)) return record;
  hooks.say?.(`Experiments that decide the findings, at most ${Math.round(confirmSeconds)} s:`);
  const signal = hooks.signal === undefined ? {} : { signal: hooks.signal };
  const confirmations = await confirmFindings({
    plan: request.plan,
    rows: analysis.steps,
    findings: analysis.findings,
    limitSeconds: confirmSeconds,
    ...serverCountOf(record),
    run: (plan, listener) => loadOnce(plan, service, { listener, ...signal }),
    rest: (seconds) => setTimeout(seconds * 1000, undefined, signal).catch(() => {}),
    ...(hooks.say !== undefined && { say: hooks.say }),
    isStopped: () => hooks.signal?.aborted === true,
  });
  return concludeRun({
    ...measured,
    ...(isolation !== undefined && { isolation }),
    ...(options !== undefined && { options }),
    confirmations,
  });
}

/** The record with what twice the places would bring, where a pool is what is full and no other option was worked out. */
function withPoolOption(record: RunRecord, request: RunRequest): RunRecord {
  const { plan, peakLoad, targets, marginRatio } = request;
  const peak = record.analysis.steps.find((row) => row.valid && loadOf(row)?.value === peakLoad);
  if (peak === undefined || peak.arrivalRatePerSecond !== undefined || record.options !== undefined)
    return record;
  const option = poolOption({
    analysis: record.analysis,
    measurements: record.measurements,
    peak,
    users: peakLoad,
    thinkTimeSeconds: plan.thinkTimeSeconds?.meanSeconds ?? 0,
    simulate({ service, requests }, users) {
      const step = simulateStep(
        service,
        users,
        requests,
        plan.thinkTimeSeconds,
        1,
        plan.seed,
        POOL_SIMULATED_SECONDS,
      );
      return stepTable([step], { serverCount: 1 })[0]!;
    },
    judge: (row) => judge(targets, [row], { marginRatio, peakLoad }),
  });
  return option === undefined ? record : { ...record, options: [option] };
}

/** A full pool is steady soon. */
const POOL_SIMULATED_SECONDS = 20;

/** What is wanted of one plan besides its load. */
type OnceRun = Omit<LoadRun, 'engine' | 'counters' | 'scenario'> & {
  readonly scenario?: ScenarioRequest;
  readonly say?: (text: string) => void;
};

/** One plan on a fresh set of connections. */
export async function loadOnce(
  plan: LoadPlan,
  service: OpenService,
  run: OnceRun,
  generatorCount = 1,
): Promise<LoadResult> {
  const engine = await openEngine(plan, protocolOptions(plan, service), {
    generatorCount,
    sendSamples: run.writeSamples === true,
    ...(run.replay !== undefined && { replay: run.replay }),
  });
  const { scenario: asked, say, ...rest } = run;
  let running: RunningScenario | undefined;
  try {
    if (asked !== undefined && engine.place !== undefined) {
      const { url } = service;
      const more = { url, seed: plan.seed, headers: asked.headers, ...(say !== undefined && { say }) };
      running = await startScenario(asked.open, { ...engine.place, ...more });
    }
    const scenario = running?.run;
    const loaded = {
      engine,
      counters: service.counters,
      ...rest,
      ...(scenario !== undefined && { scenario }),
    };
    const result = await runLoad(plan, loaded);
    return running === undefined ? result : { ...result, scenarioNotices: running.notices() };
  } finally {
    await running?.close();
    await engine.close();
  }
}

async function explainFailure(
  record: RunRecord,
  measured: MeasuredRun,
  request: RunRequest,
  service: OpenService,
  hooks: RunHooks,
): Promise<RunRecord> {
  const isFailure = record.verdict.decision === 'fail' || record.verdict.decision === 'no-margin';
  const isClosed = request.plan.steps.every((step) => step.driver.kind === 'closed');
  const isSearch = request.plan.growth?.kind === 'search';
  const canIsolate =
    isClosed && !isSearch && request.isolateSeconds !== undefined && request.plan.requests.length > 1;
  if (!isFailure || !canIsolate || measured.manifest.state !== 'completed' || hooks.signal?.aborted === true)
    return record;
  hooks.say?.(`The run does not pass (${record.verdict.decision}): each route alone, to see what it costs.`);
  const isolation = await isolateLoad(request.plan, {
    users: request.peakLoad,
    stepSeconds: request.isolateSeconds,
    ...serverCountOf(record),
    run: (plan, listener) =>
      loadOnce(
        plan,
        service,
        { listener, ...(hooks.signal !== undefined && { signal: hooks.signal }) },
        request.generatorCount,
      ),
    onRoute: (route, users) => hooks.say?.(`  ${route.id} alone, ${users} users`),
  });
  if (isolation === undefined) return record;
  const options = remediesFor(record, isolation, request);
  return concludeRun({ ...measured, isolation, ...(options !== undefined && { options }) });
}

/** m as the run's own table has it, so that isolated steps use the same. */
function serverCountOf(record: RunRecord): { readonly serverCount?: number } {
  const serverCount = record.analysis.steps.at(-1)?.serverCount['cpu'];
  return serverCount === undefined ? {} : { serverCount };
}

/** The options at the peak, from the demands just measured; undefined where the peak is no step with CPU. */
export function remediesFor(
  record: RunRecord,
  isolation: Isolation,
  request: Pick<RunRequest, 'plan' | 'peakLoad' | 'targets' | 'marginRatio'>,
): readonly RemedyOption[] | undefined {
  const peak = record.analysis.steps.find((row) => row.users === request.peakLoad);
  const serverCount = peak?.serverCount['cpu'];
  if (peak === undefined || serverCount === undefined) return undefined;
  const { plan, peakLoad } = request;
  const judgeRow = (row: StepRow) =>
    judge(request.targets, [row], { marginRatio: request.marginRatio, peakLoad });
  const measurement = record.measurements.find((m) => m.step.index === peak.index);
  return considerOptions({
    isolation,
    peak,
    users: peakLoad,
    thinkTimeSeconds: plan.thinkTimeSeconds?.meanSeconds ?? 0,
    requests: plan.requests,
    serverCount,
    machineCoreCount: record.manifest.environment.machineCoreCount,
    repeats: Object.fromEntries(
      plan.requests.map((planned) => [
        planned.id,
        {
          distinctCount: planned.targets.distinctCount,
          requestCount:
            record.workload?.requestClasses.find(({ id }) => id === planned.id)?.requestCount ??
            measurement?.byRoute.find((route) => route.requestClassId === planned.id)?.okCount ??
            0,
        },
      ]),
    ),
    simulate: (simulated, users, requests) => {
      const step = simulateStep(simulated, users, requests, plan.thinkTimeSeconds, serverCount, plan.seed);
      return stepTable([step], { serverCount })[0]!;
    },
    judge: judgeRow,
  });
}
