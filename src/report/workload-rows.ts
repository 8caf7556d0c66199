import type { StepRow } from '../model/analysis.ts';
import type { ReportDocument } from '../model/documents.ts';
import type { RunRecord } from '../model/record.ts';
import * as q from './quantities.ts';
import { loadKind, loadOf, loadText } from './step-columns.ts';

export const WORKLOAD_HEADINGS = ['figure', 'log', 'this run'] as const;

/** The step that is nearest to the log's own load: the one to hold beside it. */
export function stepBesideLog({ steps, peakLoad, workload }: ReportDocument): StepRow | undefined {
  const wanted = peakLoad ?? workload?.activeUsers;
  if (wanted === undefined) return steps.at(-1);
  return [...steps].sort((a, b) => Math.abs(loadOf(a) - wanted) - Math.abs(loadOf(b) - wanted))[0];
}

/** The workload of the log beside what the run sent: load, think time, throughput, and the share of each request. */
export function workloadRows(record: RunRecord, document: ReportDocument): readonly (readonly string[])[] {
  const { workload, plan, steps } = document;
  const row = stepBesideLog(document);
  if (workload === undefined || row === undefined) return [];
  const counts = answeredCounts(record, row);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [
    ['load', `${q.load(workload.activeUsers)} users (M)`, loadText(loadOf(row), loadKind(steps))],
    ['think time Z', q.duration(workload.thinkTimeMeanSeconds), q.duration(row.thinkTimeSeconds)],
    [
      'throughput X',
      `${q.rate(workload.throughputPerSecond)}, busiest minute ${q.rate(workload.busiestMinutePerSecond)}`,
      q.rate(row.throughputPerSecond),
    ],
    ...plan.requests.map(({ id, shareRatio }) => [
      `share of ${id}`,
      q.percent(shareRatio),
      total === 0 ? q.MISSING : q.percent((counts.get(id) ?? 0) / total),
    ]),
  ];
}

/** Requests of each class that ended at a step. */
function answeredCounts({ measurements }: RunRecord, { index }: StepRow): ReadonlyMap<string, number> {
  const measured = measurements.find(({ step }) => step.index === index);
  return new Map(
    measured?.byRoute.map((route) => [
      route.requestClassId,
      route.okCount + route.errorCount + route.timeoutCount,
    ]),
  );
}
