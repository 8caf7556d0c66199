import type { Isolation } from '../model/analysis.ts';
import type { Distribution } from '../model/distribution.ts';
import type {
  CheckDocument,
  ComparisonDocument,
  ExplanationDocument,
  IsolationDocument,
  PlanSummary,
  PredictionDocument,
  ReportDocument,
  WorkloadSummary,
} from '../model/documents.ts';
import type { Explanation } from '../model/explanation.ts';
import type { LoadPlan } from '../model/load.ts';
import type { Prediction } from '../model/prediction.ts';
import type { Comparison, RunRecord } from '../model/record.ts';
import type { Check } from '../model/verdict.ts';
import type { WorkloadModel } from '../model/workload.ts';
import { percentileOf } from '../stats/histogram.ts';
import { mergeScenarios } from '../stats/scenario-counts.ts';
import { printableJson } from './escape.ts';
import type { Reporter } from './reporter.ts';

/** The record as one JSON document: everything but measurements, histograms and request targets. */
export function toReportDocument(record: RunRecord): ReportDocument {
  const { manifest, analysis, verdict, workload, isolation } = record;
  return {
    kind: 'report',
    schemaVersion: 1,
    label: manifest.label,
    startedAt: manifest.startedAt,
    state: manifest.state,
    command: manifest.command,
    service: manifest.service,
    environment: manifest.environment,
    ...(manifest.agents === undefined ? {} : { agents: manifest.agents }),
    ...(manifest.peakLoad === undefined ? {} : { peakLoad: manifest.peakLoad }),
    plan: planSummary(manifest.plan),
    ...(workload === undefined ? {} : { workload: workloadSummary(workload) }),
    ...importedSummary(record),
    ...analysis,
    notices: [...(record.planNotices ?? []), ...analysis.notices],
    ...scenarioSummary(record),
    ...(record.shapeResult === undefined ? {} : { shapeResult: record.shapeResult }),
    verdict: { ...verdict, checks: verdict.checks.map(checkDocument) },
    ...(isolation === undefined ? {} : { isolation }),
    options: record.options ?? [],
    ...(record.guesses === undefined ? {} : { guesses: record.guesses }),
    ...(record.confirmations === undefined ? {} : { confirmations: record.confirmations }),
    limits: record.limits,
  };
}

/** The isolation as the document of `isolate --json`. */
export function toIsolationDocument(isolation: Isolation): IsolationDocument {
  return { kind: 'isolation', schemaVersion: 1, ...isolation };
}

/** The comparison as the document of `compare --json`. */
export function toComparisonDocument(comparison: Comparison): ComparisonDocument {
  return { kind: 'comparison', schemaVersion: 1, ...comparison };
}

/** The prediction as the document of `predict --json`. */
export function toPredictionDocument(prediction: Prediction): PredictionDocument {
  return { kind: 'prediction', schemaVersion: 1, ...prediction };
}

/** The explanation as the document of `explain --json`. */
export function toExplanationDocument(explanation: Explanation): ExplanationDocument {
  return { kind: 'explanation', schemaVersion: 1, ...explanation };
}

function checkDocument(check: Check): CheckDocument {
  return { ...check, target: check.target.text, goal: check.target };
}

function importedSummary({ imported }: RunRecord): Pick<ReportDocument, 'imported'> {
  if (imported === undefined) return {};
  const { notices: _notices, steps: _steps, rows: _rows, ...summary } = imported;
  return { imported: summary };
}

function scenarioSummary({ measurements }: RunRecord): Pick<ReportDocument, 'scenario'> {
  const merged = mergeScenarios(measurements.flatMap(({ scenario }) => scenario ?? []));
  if (merged === undefined) return {};
  const parts = merged.parts.map(({ duration, ...part }) => {
    const [p50Seconds, p95Seconds, p99Seconds] = [50, 95, 99].map((at) => percentileOf(duration, at));
    return {
      ...part,
      ...(p50Seconds !== undefined && { p50Seconds }),
      ...(p95Seconds !== undefined && { p95Seconds }),
      ...(p99Seconds !== undefined && { p99Seconds }),
    };
  });
  return { scenario: { parts, checks: merged.checks } };
}

function planSummary(plan: LoadPlan): PlanSummary {
  const { requests, thinkTimeSeconds, ...rest } = plan;
  return {
    ...rest,
    ...(thinkTimeSeconds === undefined ? {} : { thinkTimeSeconds: thinkTimeSummary(thinkTimeSeconds) }),
    requests: requests.map(({ id, method, route, shareRatio, targets }) => ({
      id,
      method,
      route,
      shareRatio,
      distinctTargetCount: targets.distinctCount,
    })),
  };
}

function thinkTimeSummary(distribution: Distribution): NonNullable<PlanSummary['thinkTimeSeconds']> {
  const { kind, meanSeconds } = distribution;
  return distribution.kind === 'uniform'
    ? { kind, mean: meanSeconds, min: distribution.minSeconds, max: distribution.maxSeconds }
    : { kind, mean: meanSeconds };
}

function workloadSummary(workload: WorkloadModel): WorkloadSummary {
  return {
    files: workload.files,
    format: workload.format,
    window: workload.window,
    requestCount: workload.requestCount,
    clientCount: workload.clientCount,
    spanSeconds: workload.spanSeconds,
    throughputPerSecond: workload.throughputPerSecond,
    busiestMinutePerSecond: workload.busiestMinutePerSecond,
    ...(workload.thinkTimeSeconds === undefined
      ? {}
      : { thinkTimeMeanSeconds: workload.thinkTimeSeconds.mean }),
    ...(workload.activeUsers === undefined ? {} : { activeUsers: workload.activeUsers }),
  };
}

export const jsonReporter: Reporter = {
  name: 'json',
  extension: 'json',
  describe: 'one document in SI units, for programs; validates against docs/schema/report.json',
  render: (record) => printableJson(toReportDocument(record)),
};
