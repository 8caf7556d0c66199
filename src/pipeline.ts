import { readLog, type LogSource, type ReadLogOptions } from './access-log/read-log.ts';
import { type GrowthContext, measuredLoads, shapeResultOf } from './adaptive-load.ts';
import { analyze, type AnalysisOptions } from './analysis/analyze.ts';
import { DIAGNOSIS_RULES } from './analysis/rules/index.ts';
import { scoreGuess } from './analysis/score-guess.ts';
import { findServerCount } from './analysis/server-count.ts';
import { reportedRows } from './analysis/reported-rows.ts';
import { stepTable } from './analysis/step-table.ts';
import { ShiploadError } from './errors.ts';
import type { Analysis, Confirmation, Isolation, RemedyOption, StepRow } from './model/analysis.ts';
import type { ImportedRun } from './model/imported.ts';
import type { LogTable } from './model/log-table.ts';
import type { ReplaySchedule } from './model/replay.ts';
import type { RunTotals, StepMeasurement } from './model/measurement.ts';
import type { RunManifest, RunRecord, ServiceUnderTest } from './model/record.ts';
import type { WorkloadModel } from './model/workload.ts';
import type { Notice } from './model/notice.ts';
import type { ShapeResult } from './model/shape-result.ts';
import { importedLimits, limitsOf } from './record/limits.ts';
import { fixedServerCount } from './record/server-count-source.ts';
import { judge } from './verdict/judge.ts';
import { DEFAULT_WINDOW } from './workload/window.ts';
import { boundsOf, busiestLengthOf, checkWindow } from './workload/window-rule.ts';
import { replayRows } from './workload/replay-rows.ts';
import { buildWorkload, type WorkloadOptions } from './workload/build-workload.ts';

/** How a log is read and modelled. */
export type ModelOptions = WorkloadOptions & { readonly format?: string };

/** access log → WorkloadModel. Throws what reading a log throws. */
export async function modelLog(sources: readonly LogSource[], options: ModelOptions): Promise<WorkloadModel> {
  return buildWorkload(await timedTable(sources, options), options);
}

/** A log as its model, and as its requests one by one. */
export interface ModelledLog {
  readonly workload: WorkloadModel;
  readonly replay: ReplaySchedule;
}

/** access log → WorkloadModel, with the requests to replay. Throws what reading a log throws. */
export async function modelLogRows(
  sources: readonly LogSource[],
  options: ModelOptions,
): Promise<ModelledLog> {
  const table = await timedTable(sources, options);
  return { workload: buildWorkload(table, options), replay: replayRows(table, options) };
}

async function timedTable(sources: readonly LogSource[], options: ModelOptions): Promise<LogTable> {
  const keep = keptRows(options.window ?? DEFAULT_WINDOW);
  const table = await readLog(sources, {
    ...(options.format !== undefined && { format: options.format }),
    ...(keep !== undefined && { keep }),
  });
  if (table.timestampMeaning === 'none') throw timeless(table);
  return table;
}

function timeless({ files, format }: LogTable): ShiploadError {
  return new ShiploadError(
    'log-without-time',
    `lines of ${format} do not say when a request was made, so no rate and no pauses can be found`,
    { where: files.join(', '), hint: 'Log the time of each request too, and give the format with --format.' },
  );
}

/** Which rows of a large log a window needs; undefined: all. Throws what `checkWindow` throws. */
function keptRows(window: string): ReadLogOptions['keep'] {
  checkWindow(window);
  const busiestSeconds = busiestLengthOf(window);
  return busiestSeconds === undefined ? boundsOf(window) : { busiestSeconds };
}

/** What a run left behind, before anything is concluded from it. */
export interface MeasuredRun {
  readonly manifest: RunManifest;
  readonly workload?: WorkloadModel;
  readonly imported?: ImportedRun;
  readonly measurements: readonly StepMeasurement[];
  readonly totals?: RunTotals;
  readonly isolation?: Isolation;
  readonly options?: readonly RemedyOption[];
  readonly confirmations?: readonly Confirmation[];
  readonly planNotices?: readonly Notice[];
}

/** The rows of a run's step table, with the m its manifest gives; of another tool's run those it tells itself. */
export function rowsOf(run: Pick<MeasuredRun, 'manifest' | 'measurements' | 'imported'>): readonly StepRow[] {
  const { imported } = run;
  if (imported?.rows !== undefined) return imported.rows;
  if (imported?.steps !== undefined) return reportedRows(imported.steps, imported.tool);
  const { service, plan } = run.manifest;
  const followsRedirects = (plan.transport?.maxRedirects ?? 0) > 0;
  return stepTable(run.measurements, { ...fixedServerCount(service), followsRedirects });
}

/** What a growing plan is judged by, as the manifest has it. */
export const contextOf = ({ plan, targets, marginRatio, service }: RunManifest): GrowthContext => ({
  plan,
  targets,
  marginRatio,
  ...fixedServerCount(service),
});

/** Where a target names no load: the one a search found, or the lowest that failed; else the peak of the log. */
function judgedLoad(
  { peakLoad }: RunManifest,
  found: ShapeResult | undefined,
): { readonly peakLoad?: number } {
  const load = found?.kind === 'search' ? (found.highestPassing ?? found.lowestFailing) : peakLoad;
  return load === undefined ? {} : { peakLoad: load };
}

/** The service with the m that the run itself showed, where nobody gave it. */
function serviceAsFound(
  service: ServiceUnderTest,
  measurements: readonly StepMeasurement[],
): ServiceUnderTest {
  if (fixedServerCount(service).serverCount !== undefined) return service;
  const found = findServerCount(measurements);
  if (found === undefined || found.serverCount === service.serverCount) return service;
  return { ...service, serverCount: found.serverCount, serverCountSource: found.source };
}

/** The analysis of a run; one with several mixes has a curve for each, and the first is the one that is read. */
function analyzeCurve(rows: readonly StepRow[], options: AnalysisOptions): Analysis {
  const mix = rows[0]?.writeRatio;
  const ofMix = rows.filter((row) => row.writeRatio === mix);
  return { ...analyze(ofMix, options), steps: rows };
}

/** Measurement → Analysis → Verdict → RunRecord. Stored runs come through here again, under newer rules. */
export function concludeRun(run: MeasuredRun): RunRecord {
  const { manifest, workload, totals, isolation, options, confirmations, imported } = run;
  const measurements = measuredLoads(manifest.plan, run.measurements);
  const rows = rowsOf({ manifest, measurements, ...(imported !== undefined && { imported }) });
  const shapeResult = shapeResultOf(contextOf(manifest), run.measurements, rows);
  const analysis = analyzeCurve(rows, {
    rules: DIAGNOSIS_RULES,
    measurements,
    plan: manifest.plan,
    // The machine of the manifest is the one that read the results, not the one that made them.
    ...(imported === undefined
      ? { machineCoreCount: manifest.environment.machineCoreCount }
      : { notices: imported.notices }),
    ...(isolation !== undefined && { isolation }),
    ...(workload !== undefined && { workload }),
    ...(confirmations !== undefined && { confirmations }),
  });
  const verdict = judge(manifest.targets, analysis.steps, {
    marginRatio: manifest.marginRatio,
    measurements,
    ...judgedLoad(manifest, shapeResult),
  });
  return {
    manifest: { ...manifest, service: serviceAsFound(manifest.service, measurements) },
    ...(workload !== undefined && { workload }),
    ...(imported !== undefined && { imported }),
    measurements: run.measurements,
    ...(totals !== undefined && { totals }),
    ...(shapeResult !== undefined && { shapeResult }),
    analysis,
    verdict,
    ...(isolation !== undefined && { isolation }),
    ...(options !== undefined && { options }),
    ...(manifest.guess !== undefined && { guesses: scoreGuess(manifest.guess, analysis) }),
    ...(confirmations !== undefined && { confirmations }),
    ...(run.planNotices !== undefined && { planNotices: run.planNotices }),
    limits: imported === undefined ? limitsOf(manifest, measurements) : importedLimits(imported),
  };
}
