import { loadOfDriver } from '../load/growth/grown-step.ts';
import type { CounterSeries, RouteMeasurement, StepMeasurement } from '../model/measurement.ts';
import { mergeHistograms } from '../stats/histogram.ts';
import {
  addCounts,
  mergeGenerators,
  mergeInterference,
  mergeRoutes,
  mergeTransports,
} from './step-measurement.ts';

/**
 * One measurement per load, rising: steps that repeat a load become one with a window as long as theirs together.
 * Counts and histograms add, means weigh by time, and counters run on from one window to the next, so that a
 * difference over the whole is the sum of the differences. It bears the first step's index.
 */
export function poolByLoad(measurements: readonly StepMeasurement[]): readonly StepMeasurement[] {
  const groups = new Map<number, StepMeasurement[]>();
  for (const measurement of measurements) {
    const load = loadOfDriver(measurement.step);
    groups.set(load, [...(groups.get(load) ?? []), measurement]);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([, group]) => (group.length === 1 ? group[0]! : pool(group)));
}

function pool(parts: readonly StepMeasurement[]): StepMeasurement {
  const first = parts[0]!;
  const windowSeconds = parts.reduce((sum, part) => sum + part.windowSeconds, 0);
  const timeMean = (pick: (part: StepMeasurement) => number): number =>
    parts.reduce((sum, part) => sum + pick(part) * part.windowSeconds, 0) / windowSeconds;
  const sum = (pick: (part: StepMeasurement) => number): number =>
    parts.reduce((total, part) => total + pick(part), 0);
  const { thinkTimeSeconds: _, meanThinking: __, endedEarly: ___, ...rest } = first;
  const answerGaps = parts.flatMap((part) => part.answerGap ?? []);
  const transport = mergeTransports(parts.flatMap((part) => part.transport ?? []));
  const cutShort = parts.find((part) => part.endedEarly !== undefined)?.endedEarly;
  return {
    ...rest,
    ...(answerGaps.length > 0 && { answerGap: mergeHistograms(answerGaps) }),
    ...(transport !== undefined && { transport }),
    windowSeconds,
    completionCount: sum((part) => part.completionCount),
    outcomeCounts: {
      ok: sum((part) => part.outcomeCounts.ok),
      error: sum((part) => part.outcomeCounts.error),
      timeout: sum((part) => part.outcomeCounts.timeout),
      dropped: sum((part) => part.outcomeCounts.dropped),
    },
    errorCodes: addCounts(parts.map((part) => part.errorCodes)),
    statusCounts: addCounts(parts.map((part) => part.statusCounts)),
    responseTime: mergeHistograms(parts.map((part) => part.responseTime)),
    sendToReplyTime: mergeHistograms(parts.map((part) => part.sendToReplyTime)),
    byRoute: first.byRoute.map((_route, i) =>
      mergeRoutes(parts.map((part): RouteMeasurement => part.byRoute[i]!)),
    ),
    interference: mergeInterference(parts),
    meanInFlight: timeMean((part) => part.meanInFlight),
    ...(first.meanThinking !== undefined && { meanThinking: timeMean((part) => part.meanThinking ?? 0) }),
    ...(first.thinkTimeSeconds !== undefined && {
      thinkTimeSeconds: timeMean((part) => part.thinkTimeSeconds ?? 0),
    }),
    retriedCount: sum((part) => part.retriedCount ?? 0),
    slices: parts.flatMap((part) => part.slices),
    counters: first.counters.map((series) => joinSeries(series, parts.slice(1))),
    generator: mergeGenerators(
      parts.flatMap((part) => part.generator ?? []),
      windowSeconds,
    ),
    notices: parts.flatMap((part) => part.notices),
    ...(cutShort !== undefined && { endedEarly: cutShort }),
  };
}

/** The points of later windows, moved to where the earlier ones end. */
function joinSeries(series: CounterSeries, later: readonly StepMeasurement[]): CounterSeries {
  const points = [...series.points];
  for (const { counters } of later) {
    const next = counters.find((one) => one.source === series.source && one.quantity === series.quantity);
    const [start, ...others] = next?.points ?? [];
    const end = points.at(-1);
    if (start === undefined || end === undefined) continue;
    const [atSeconds, value] = [end[0] - start[0], series.kind === 'cumulative' ? end[1] - start[1] : 0];
    points.push(...others.map((point) => [point[0] + atSeconds, point[1] + value] as const));
  }
  return { ...series, points };
}
