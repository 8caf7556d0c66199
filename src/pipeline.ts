import { readLog, type LogSource, type ReadLogOptions } from './access-log/read-log.ts';
import { analyze } from './analysis/analyze.ts';
import { DIAGNOSIS_RULES } from './analysis/rules/index.ts';
import { scoreGuess } from './analysis/score-guess.ts';
import { findServerCount } from './analysis/server-count.ts';
import { stepTable } from './analysis/step-table.ts';
import { ShiploadError } from './errors.ts';
import type { Isolation, RemedyOption, StepRow } from './model/analysis.ts';
import type { LogTable } from './model/log-table.ts';
import type { RunTotals, StepMeasurement } from './model/measurement.ts';
import type { RunManifest, RunRecord, ServiceUnderTest } from './model/record.ts';
import type { WorkloadModel } from './model/workload.ts';
import type { Notice } from './model/notice.ts';
import { limitsOf } from './record/limits.ts';
import { judge } from './verdict/judge.ts';
import { DEFAULT_WINDOW, boundsOf, busiestLengthOf } from './workload/window.ts';
import { buildWorkload, type WorkloadOptions } from './workload/build-workload.ts';

/** access log → WorkloadModel. Throws what reading a log throws. */
export async function modelLog(
  sources: readonly LogSource[],
  options: WorkloadOptions & { readonly format?: string },
): Promise<WorkloadModel> {
  const keep = keptRows(options.window ?? DEFAULT_WINDOW);
  const table = await readLog(sources, {
    ...(options.format !== undefined && { format: options.format }),
    ...(keep !== undefined && { keep }),
  });
  if (table.timestampMeaning === 'none') throw timeless(table);
  return buildWorkload(table, options);
}

function timeless({ files, format }: LogTable): ShiploadError {
  return new ShiploadError(
    'log-without-time',
    `lines of ${format} do not say when a request was made, so no rate and no pauses can be found`,
    { where: files.join(', '), hint: 'Log the time of each request too, and give the format with --format.' },
  );
}

/** Which rows of a large log a window needs; undefined: all. */
function keptRows(window: string): ReadLogOptions['keep'] {
  const busiestSeconds = busiestLengthOf(window);
  return busiestSeconds === undefined ? boundsOf(window) : { busiestSeconds };
}

/** What a run left behind, before anything is concluded from it. */
export interface MeasuredRun {
  readonly manifest: RunManifest;
  readonly workload?: WorkloadModel;
  readonly measurements: readonly StepMeasurement[];
  readonly totals?: RunTotals;
  readonly isolation?: Isolation;
  readonly options?: readonly RemedyOption[];
  readonly planNotices?: readonly Notice[];
}

/** The rows of a run's step table, with the m its manifest gives. */
export function rowsOf(run: Pick<MeasuredRun, 'manifest' | 'measurements'>): readonly StepRow[] {
  const { service } = run.manifest;
  return stepTable(
    run.measurements,
    service.serverCountSource === '--cores' ? { serverCount: service.serverCount! } : {},
  );
}

/** The service with the m that the run itself showed, where nobody gave it. */
function serviceAsFound(
  service: ServiceUnderTest,
  measurements: readonly StepMeasurement[],
): ServiceUnderTest {
  const found = service.serverCountSource === '--cores' ? undefined : findServerCount(measurements);
  if (found === undefined || found.serverCount === service.serverCount) return service;
  return { ...service, serverCount: found.serverCount, serverCountSource: found.source };
}

/** Measurement → Analysis → Verdict → RunRecord. Stored runs come through here again, under newer rules. */
export function concludeRun(run: MeasuredRun): RunRecord {
  const { manifest, workload, measurements, totals, isolation, options } = run;
  const rows = rowsOf(run);
  const analysis = analyze(rows, {
    rules: DIAGNOSIS_RULES,
    measurements,
    plan: manifest.plan,
    machineCoreCount: manifest.environment.machineCoreCount,
    ...(isolation !== undefined && { isolation }),
    ...(workload !== undefined && { workload }),
  });
  const verdict = judge(manifest.targets, analysis.steps, {
    marginRatio: manifest.marginRatio,
    measurements,
    ...(manifest.peakLoad !== undefined && { peakLoad: manifest.peakLoad }),
  });
  return {
    manifest: { ...manifest, service: serviceAsFound(manifest.service, measurements) },
    ...(workload !== undefined && { workload }),
    measurements,
    ...(totals !== undefined && { totals }),
    analysis,
    verdict,
    ...(isolation !== undefined && { isolation }),
    ...(options !== undefined && { options }),
    ...(manifest.guess !== undefined && { guesses: scoreGuess(manifest.guess, analysis) }),
    ...(run.planNotices !== undefined && { planNotices: run.planNotices }),
    limits: limitsOf(manifest, measurements),
  };
}
