import { considerOptions } from '../analysis/options.ts';
import { stepTable } from '../analysis/step-table.ts';
import type { Isolation, RemedyOption, StepRow } from '../model/analysis.ts';
import type { RunRecord } from '../model/record.ts';
import { concludeRun, type MeasuredRun } from '../pipeline.ts';
import { judge } from '../verdict/judge.ts';
import { isolateLoad } from './isolate-load.ts';
import type { OpenService } from './open-service.ts';
import { simulateStep } from './simulate-step.ts';
import { type RunRequest, type RunHooks } from './run-request.ts';
import { loadOnce } from './load-once.ts';

/** Where a run fails its targets, each route alone and what could be done; the record as it is otherwise. */
export async function explainFailure(
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
export function serverCountOf(record: RunRecord): { readonly serverCount?: number } {
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
