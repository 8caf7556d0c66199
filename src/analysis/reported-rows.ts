import type { RoutePercentiles, StepRow } from '../model/analysis.ts';
import type { ReportedStep, ReportedTimes } from '../model/imported.ts';
import { present } from './present.ts';
import { examineStep } from './validity.ts';

/**
 * Rows of the step table for steps as another tool (`tool`) reported them. X is theirs, of successes; percentiles are
 * theirs too and stay as they are. What was not reported is missing. Little's law is not asked: a mean that a tool has
 * rounded or corrected does not obey it.
 */
export function reportedRows(steps: readonly ReportedStep[], tool: string): StepRow[] {
  return steps.map((step, index) => reportedRow(step, index, tool));
}

function reportedRow(step: ReportedStep, index: number, tool: string): StepRow {
  const { load, requestCount, errorCount, windowSeconds, throughputPerSecond, overall } = step;
  const isCounted = requestCount !== undefined && errorCount !== undefined;
  const errorRatio = isCounted && requestCount > 0 ? Math.min(1, errorCount / requestCount) : undefined;
  const completionCount = isCounted ? Math.max(0, requestCount - errorCount) : undefined;
  const notices = [
    ...step.notices,
    ...examineStep(present({ errorRatio })),
    ...(throughputPerSecond > 0 ? [] : [NOTHING_COMPLETED]),
  ];
  return {
    index,
    [load.kind]: load.value,
    throughputPerSecond,
    errorCount: errorCount ?? 0,
    errorRatio: errorRatio ?? 0,
    ...(errorCount === undefined && { errorCountUnknown: true }),
    ...(errorRatio === undefined && { errorRatioUnknown: true }),
    overall: percentilesOf(overall, tool),
    byRoute: Object.fromEntries(
      Object.entries(step.byRoute).map(([route, times]) => [route, percentilesOf(times, tool)]),
    ),
    ...present({
      windowSeconds,
      completionCount,
      responseTimeSeconds: overall.meanSeconds,
      throughputStandardErrorPerSecond: step.throughputStandardErrorPerSecond,
    }),
    utilizationRatio: {},
    serviceDemandSeconds: {},
    serverCount: {},
    valid: notices.every(({ severity }) => severity !== 'red-flag'),
    notices,
  };
}

const NOTHING_COMPLETED = {
  code: 'nothing-completed',
  severity: 'red-flag',
  message: 'no request succeeded',
} as const;

function percentilesOf(times: ReportedTimes, tool: string): RoutePercentiles {
  const { percentiles, meanSeconds, maxSeconds, sampleCount, throughputPerSecond } = times;
  const at = (wanted: number): number | undefined => percentiles.find(([order]) => order === wanted)?.[1];
  return {
    ...present({
      p50Seconds: at(50),
      p95Seconds: at(95),
      p99Seconds: at(99),
      meanSeconds,
      maxSeconds: maxSeconds ?? at(100),
      sampleCount,
      throughputPerSecond,
    }),
    ...(percentiles.length > 0 && { reported: { by: tool, percentiles } }),
  };
}
