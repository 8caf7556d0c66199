import type { ReportedStep, ReportedTimes } from '../../../model/imported.ts';
import { loadByLittle } from '../estimated-load.ts';
import { MissingFigure, type SummaryFormat } from '../result-format.ts';
import { LOCUST_MEANING, type LocustRow, LocustTable, routeNames } from './locust-columns.ts';

const HEADER = 'Type,Name,Request Count,Failure Count,';

/** `PREFIX_stats.csv` of `locust --csv PREFIX`: the totals of the run by request. */
export const locustStats: SummaryFormat = {
  kind: 'summary',
  name: 'locust-stats',
  tool: 'Locust',
  describe: 'PREFIX_stats.csv of locust --csv PREFIX',
  missing: ['single requests', 'the number of users', 'steps', 'response times apart from failures'],
  meaning: LOCUST_MEANING,
  detect: ({ lines }) =>
    (lines[0] ?? '').startsWith(HEADER)
      ? 'the header of Locust’s stats (Type,Name,Request Count,…)'
      : undefined,
  open: () => new StatsReader(),
};

class StatsReader {
  readonly #table = new LocustTable(HEADER);
  readonly #requests: LocustRow[] = [];
  #total: LocustRow | undefined;

  line(text: string): string | undefined {
    if (text.trim() === '') return undefined;
    const row = this.#table.row(text);
    if (row === undefined || typeof row === 'string') return row;
    if (Number.isNaN(row.figure('Request Count'))) return 'no Request Count';
    if (row.isAggregated) this.#total = row;
    else this.#requests.push(row);
    return undefined;
  }

  steps(): readonly ReportedStep[] {
    const total = this.#total;
    if (total === undefined) {
      // The percentiles of all requests together cannot be had from those of each.
      throw new MissingFigure(
        'no row “Aggregated”: percentiles of single requests cannot be pooled into those of all',
      );
    }
    const requestCount = total.figure('Request Count');
    const rate = total.figure('Requests/s');
    if (!(requestCount > 0) || !(rate > 0))
      throw new MissingFigure('the row “Aggregated” counts no requests');
    const errorCount = total.figure('Failure Count');
    const { load, notices } = loadByLittle(rate, (total.figure('Average Response Time') || 0) / 1000);
    const names = routeNames(this.#requests.map((row) => row.request));
    return [
      {
        load,
        windowSeconds: requestCount / rate,
        requestCount,
        ...(errorCount >= 0 && { errorCount }),
        throughputPerSecond: successesPerSecond(total),
        overall: timesOf(total),
        byRoute: Object.fromEntries(this.#requests.map((row, i) => [names[i]!, timesOf(row)])),
        notices,
      },
    ];
  }
}

const successesPerSecond = (row: LocustRow): number =>
  Math.max(0, row.figure('Requests/s') - (row.figure('Failures/s') || 0));

function timesOf(row: LocustRow): ReportedTimes {
  const [mean, max] = [row.figure('Average Response Time'), row.figure('Max Response Time')];
  const throughputPerSecond = successesPerSecond(row);
  return {
    percentiles: row.percentiles,
    ...(mean >= 0 && { meanSeconds: mean / 1000 }),
    ...(max >= 0 && { maxSeconds: max / 1000 }),
    sampleCount: row.figure('Request Count'),
    ...(throughputPerSecond >= 0 && { throughputPerSecond }),
  };
}
