import type { ReportedStep, ReportedTimes } from '../../../model/imported.ts';
import type { Notice } from '../../../model/notice.ts';
import { rateByBatchMeans } from '../../../stats/batch-means.ts';
import { MissingFigure, type SummaryFormat } from '../result-format.ts';
import { LOCUST_MEANING, LocustTable, routeNames, type LocustRow } from './locust-columns.ts';

const HEADER = 'Timestamp,User Count,Type,Name,';
/** A number of users that held for less is part of a ramp. */
const LEAST_SECONDS = 3;
const MOST_REQUESTS = 100;

/**
 * `PREFIX_stats_history.csv` of `locust --csv PREFIX`: every second the counts so far, and percentiles of the last ten
 * seconds. Each number of users that held becomes a step, from the differences of the counts. Percentiles of windows
 * that overlap, or follow one another, do not add up to those of a step: none are made.
 */
export const locustHistory: SummaryFormat = {
  kind: 'summary',
  name: 'locust-history',
  tool: 'Locust',
  describe: 'PREFIX_stats_history.csv of locust --csv PREFIX',
  missing: ['single requests', 'percentiles of a step', 'response times apart from failures'],
  meaning: LOCUST_MEANING,
  detect: ({ lines }) =>
    (lines[0] ?? '').startsWith(HEADER)
      ? 'the header of Locust’s history (Timestamp,User Count,Type,Name,…)'
      : undefined,
  open: () => new HistoryReader(),
};

/** What had been counted at a moment: everything since the start. */
interface Totals {
  readonly atSeconds: number;
  readonly requestCount: number;
  readonly failureCount: number;
  /** Mean response time · requests. */
  readonly sumSeconds: number;
  readonly maxSeconds: number;
}

interface Stretch {
  readonly users: number;
  readonly totals: Totals[];
  /** First and last totals of each request in the stretch. */
  readonly byRequest: Map<string, [first: Totals, last: Totals]>;
}

class HistoryReader {
  readonly #table = new LocustTable(HEADER);
  readonly #stretches: Stretch[] = [];

  line(text: string): string | undefined {
    if (text.trim() === '') return undefined;
    const row = this.#table.row(text);
    if (row === undefined || typeof row === 'string') return row;
    const [users, totals] = [row.figure('User Count'), totalsOf(row)];
    if (Number.isNaN(users) || Number.isNaN(totals.atSeconds)) return 'no Timestamp or no User Count';
    if (Number.isNaN(totals.requestCount)) return 'no Total Request Count';
    this.#add(row, users, totals);
    return undefined;
  }

  #add(row: LocustRow, users: number, totals: Totals): void {
    const open = this.#stretches.at(-1);
    const before = row.isAggregated ? open?.totals.at(-1) : undefined;
    // With --reset-stats the counts begin again once all users are there.
    const isReset = before !== undefined && totals.requestCount < before.requestCount;
    if (open === undefined || open.users !== users || isReset) {
      this.#stretches.push({ users, totals: [], byRequest: new Map() });
    }
    const stretch = this.#stretches.at(-1)!;
    if (row.isAggregated) {
      stretch.totals.push(totals);
      return;
    }
    const seen = stretch.byRequest.get(row.request);
    if (seen !== undefined) seen[1] = totals;
    else if (stretch.byRequest.size < MOST_REQUESTS) stretch.byRequest.set(row.request, [totals, totals]);
  }

  steps(): readonly ReportedStep[] {
    const held = this.#stretches.filter(
      ({ users, totals }) =>
        users > 0 &&
        totals.length > 1 &&
        totals.at(-1)!.atSeconds - totals[0]!.atSeconds >= LEAST_SECONDS &&
        totals.at(-1)!.requestCount > totals[0]!.requestCount,
    );
    if (held.length === 0) {
      throw new MissingFigure(
        `no number of users held for ${LEAST_SECONDS} s with requests counted in the rows “Aggregated”`,
      );
    }
    return held.map(stepOf);
  }
}

function totalsOf(row: LocustRow): Totals {
  const requestCount = row.figure('Total Request Count');
  return {
    atSeconds: row.figure('Timestamp'),
    requestCount,
    failureCount: row.figure('Total Failure Count') || 0,
    sumSeconds: ((row.figure('Total Average Response Time') || 0) / 1000) * requestCount,
    maxSeconds: (row.figure('Total Max Response Time') || 0) / 1000,
  };
}

function stepOf({ users, totals, byRequest }: Stretch): ReportedStep {
  const [first, last] = [totals[0]!, totals.at(-1)!];
  const windowSeconds = last.atSeconds - first.atSeconds;
  const requestCount = last.requestCount - first.requestCount;
  const errorCount = Math.max(0, last.failureCount - first.failureCount);
  const overall = between(first, last, windowSeconds);
  const error = standardError(totals);
  const names = routeNames([...byRequest.keys()]);
  return {
    load: { kind: 'users', value: users, source: 'reported' },
    windowSeconds,
    requestCount,
    errorCount,
    throughputPerSecond: overall.throughputPerSecond!,
    ...(error !== undefined && { throughputStandardErrorPerSecond: error }),
    overall,
    byRoute: Object.fromEntries(
      [...byRequest.values()].map(([from, to], i) => [names[i]!, between(from, to, windowSeconds)]),
    ),
    notices: [NOT_POOLED],
  };
}

/** Counts and the mean of what came between two totals; a maximum only where the later one rose: it came then. */
function between(first: Totals, last: Totals, windowSeconds: number): ReportedTimes {
  const count = last.requestCount - first.requestCount;
  const failed = last.failureCount - first.failureCount;
  const mean = (last.sumSeconds - first.sumSeconds) / count;
  return {
    percentiles: [],
    ...(mean >= 0 && Number.isFinite(mean) && { meanSeconds: mean }),
    ...(last.maxSeconds > first.maxSeconds && { maxSeconds: last.maxSeconds }),
    sampleCount: Math.max(0, count),
    throughputPerSecond: Math.max(0, count - failed) / windowSeconds,
  };
}

function standardError(totals: readonly Totals[]): number | undefined {
  const pairs = totals.slice(1).map((to, i) => ({ from: totals[i]!, to }));
  const rows = pairs.filter(({ from, to }) => to.atSeconds > from.atSeconds);
  return rateByBatchMeans(
    rows.map(({ from, to }) =>
      Math.max(0, to.requestCount - from.requestCount - (to.failureCount - from.failureCount)),
    ),
    rows.map(({ from, to }) => to.atSeconds - from.atSeconds),
  )?.standardError;
}

const NOT_POOLED: Notice = {
  code: 'percentiles-not-pooled',
  severity: 'info',
  message:
    'Locust tells percentiles of the last ten seconds, one row after the other: they cannot be pooled into percentiles of a step, so it has none',
  advice: 'PREFIX_stats.csv has those of the whole run; one run for each number of users gives each its own',
};
