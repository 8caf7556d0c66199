import { stepSourceOf } from '../adaptive-load.ts';
import { setTimeout } from 'node:timers/promises';
import { listenerAt } from '../counters/index.ts';
import { hideSecretsIn } from '../host/secret-values.ts';
import type { RunFolder } from '../host/run-folder.ts';
import type { CounterSeries } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import type { RunManifest, RunRecord } from '../model/record.ts';
import { concludeRun, contextOf, type MeasuredRun } from '../pipeline.ts';
import type { AgentsLoad } from './agents-load.ts';
import { growManifest } from './grown-manifest.ts';
import { confirmFindings } from './confirm-findings.ts';
import type { OpenService } from './open-service.ts';
import { type LoadResult } from './run-load.ts';
import { type RunRequest, type RunHooks } from './run-request.ts';
import { type OnceRun, loadOnce } from './load-once.ts';
import { explainFailure, serverCountOf } from './explain-failure.ts';
import { withPoolOption } from './pool-remedy.ts';

export interface PerformedRun {
  readonly record: RunRecord;
  /** Every counter over the whole run, for `counters.csv`. */
  readonly series: readonly CounterSeries[];
}

/**
 * Runs the plan against an open service, concludes, and where the run fails its targets isolates the routes and
 * considers what could be done. Everything measured is in the folder before anything is concluded from it. Where
 * agents make the load they stand ready already.
 */
export async function performRun(
  request: RunRequest,
  manifest: RunManifest,
  service: OpenService,
  folder: RunFolder,
  hooks: RunHooks,
  agents?: AgentsLoad,
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
    ...(agents !== undefined && {
      openEngine: async () => {
        await agents.keepManifest(manifest);
        return agents;
      },
    }),
    ...(hooks.say !== undefined && { say: hooks.say }),
    ...(hooks.signal !== undefined && { signal: hooks.signal }),
  };
  const result = await loadOnce(request.plan, service, run, request.generatorCount);
  const measured: MeasuredRun = {
    manifest: {
      ...grown.current(),
      state: result.reason,
      ...(result.agents !== undefined && { agents: result.agents }),
    },
    ...(request.workload !== undefined && { workload: request.workload }),
    measurements: result.measurements,
    totals: result.totals,
    planNotices: [...request.planNotices, ...(result.notices ?? []), ...goneNotices(result, service)],
  };
  const explained = await explainFailure(concludeRun(measured), measured, request, service, hooks);
  const record = await confirmRun(withPoolOption(explained, request), measured, request, service, hooks);
  return { record: hideSecretsIn(record), series: result.series };
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
