import type { ReportedStep, ReportedTimes } from '../../../model/imported.ts';
import { countText, figure } from '../../../stats/wording.ts';
import { amountOf, asObject, fieldOf, type JsonObject } from '../json-value.ts';
import { percentilesOf } from '../named-percentiles.ts';
import { MissingFigure, type SummaryFormat } from '../result-format.ts';
import { isSuccess } from '../sample.ts';
import { jsonDocuments } from '../whole-json.ts';

const BY_ENDPOINT = 'plugins.metrics-by-endpoint.response_time.';

/** `artillery run -o FILE`: the totals of the run. The periods of ten seconds cannot be told from its phases. */
export const artilleryJson: SummaryFormat = {
  kind: 'summary',
  name: 'artillery',
  tool: 'Artillery',
  describe: 'artillery run -o FILE',
  missing: [
    'single requests',
    'the arrival rates that were asked for',
    'phases',
    'response times apart from failures',
  ],
  meaning: ['Artillery counts a response time to the first byte, in whole milliseconds, in bins of 2 %.'],
  detect: ({ text }) =>
    /"aggregate"\s*:\s*\{/.test(text) && /"(?:vusers\.created|http\.requests|firstCounterAt)"/.test(text)
      ? 'the fields aggregate and vusers.created of Artillery'
      : undefined,
  open: () => jsonDocuments(stepOf),
};

function stepOf(document: unknown): ReportedStep {
  const aggregate = fieldOf(document, 'aggregate');
  const counters = asObject(fieldOf(aggregate, 'counters')) ?? {};
  const sent = amountOf(counters['http.requests']);
  const [from, to] = ['firstMetricAt', 'lastMetricAt'].map((name) => amountOf(fieldOf(aggregate, name)));
  const windowSeconds = ((to ?? NaN) - (from ?? NaN)) / 1000;
  if (sent === undefined)
    throw new MissingFigure('no counter http.requests: Artillery sent no HTTP requests');
  if (!(windowSeconds > 0))
    throw new MissingFigure('no firstMetricAt and lastMetricAt: how long it ran is not told');
  const counted = (pattern: RegExp): readonly (readonly [string, number])[] =>
    Object.entries(counters).flatMap(([name, count]) => {
      const match = pattern.exec(name);
      return match === null ? [] : [[match[1]!, amountOf(count) ?? 0] as const];
    });
  const sum = (list: readonly (readonly [string, number])[]): number =>
    list.reduce((all, [, n]) => all + n, 0);
  const codes = counted(/^http\.codes\.(\d{3})$/);
  const okCount = sum(codes.filter(([status]) => isSuccess(Number(status))));
  const failed = sum(counted(/^errors\.(.+)$/));
  const summaries = asObject(fieldOf(aggregate, 'summaries')) ?? {};
  const rate = Number((sent / windowSeconds).toPrecision(3));
  return {
    load: { kind: 'arrivalRatePerSecond', value: rate, source: 'estimated' },
    windowSeconds,
    requestCount: Math.round(sum(codes) + failed),
    errorCount: Math.round(sum(codes) - okCount + failed),
    throughputPerSecond: okCount / windowSeconds,
    overall: timesOf(asObject(summaries['http.response_time'])),
    byRoute: Object.fromEntries(
      Object.keys(summaries)
        .filter((name) => name.startsWith(BY_ENDPOINT))
        .map((name) => [name.slice(BY_ENDPOINT.length), timesOf(asObject(summaries[name]))]),
    ),
    notices: [
      {
        code: 'load-estimated',
        severity: 'warning',
        message: `Artillery's arrivals are of users (${countText(Math.round(amountOf(counters['vusers.created']) ?? 0), 'user')} came), and its report does not tell its phases: ${figure(sent / windowSeconds)} requests were sent a second over the whole run, ramps too, taken as ${rate}/s`,
        advice: 'one report for each constant arrival rate gives a step each; give the rate with --rate',
      },
    ],
  };
}

function timesOf(summary: JsonObject | undefined): ReportedTimes {
  const [mean, max, count] = ['mean', 'max', 'count'].map((name) => amountOf(summary?.[name]));
  return {
    percentiles: percentilesOf(summary, 1e-3),
    ...(mean !== undefined && { meanSeconds: mean / 1000 }),
    ...(max !== undefined && { maxSeconds: max / 1000 }),
    ...(count !== undefined && { sampleCount: Math.round(count) }),
  };
}
