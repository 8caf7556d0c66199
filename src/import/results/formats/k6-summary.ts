import type { ImportedLoad, ReportedStep } from '../../../model/imported.ts';
import { amountOf, asObject, fieldOf, type JsonObject } from '../json-value.ts';
import { percentilesOf } from '../named-percentiles.ts';
import { MissingFigure, type SummaryFormat } from '../result-format.ts';
import { jsonDocuments } from '../whole-json.ts';
import { K6_MEANING } from './k6-sample.ts';

/** `k6 run --summary-export FILE`, or the data that `handleSummary` writes as JSON. */
export const k6Summary: SummaryFormat = {
  kind: 'summary',
  name: 'k6-summary',
  tool: 'k6',
  describe: 'k6 run --summary-export FILE, or handleSummary’s data as JSON',
  missing: ['single requests', 'steps', 'routes', 'response times apart from failures'],
  meaning: K6_MEANING,
  detect: ({ text }) =>
    /^\s*\{/.test(text) &&
    /"metrics"\s*:\s*\{/.test(text) &&
    /"(?:iteration_duration|iterations|http_req\w+|vus(?:_max)?|data_sent|data_received)"\s*:/.test(text)
      ? 'the field metrics with k6’s own (http_reqs, vus, …)'
      : undefined,
  open: () => jsonDocuments(stepOf),
};

function stepOf(document: unknown): ReportedStep {
  const metrics = fieldOf(document, 'metrics');
  const metric = (name: string): JsonObject | undefined => {
    const value = asObject(fieldOf(metrics, name));
    return asObject(value?.['values']) ?? value;
  };
  const requests = metric('http_reqs');
  const [count, rate] = [amountOf(requests?.['count']), amountOf(requests?.['rate'])];
  if (count === undefined || rate === undefined || rate === 0)
    throw new MissingFigure('no metrics.http_reqs with count and rate: k6 sent no HTTP requests');
  const duration = metric('http_req_duration');
  const failed = metric('http_req_failed');
  const failedRatio = amountOf(failed?.['value']) ?? amountOf(failed?.['rate']);
  const errorCount = failedRatio === undefined ? undefined : Math.round(count * Math.min(1, failedRatio));
  const seconds = (name: string): number | undefined => {
    const value = amountOf(duration?.[name]);
    return value === undefined ? undefined : value / 1000;
  };
  const [meanSeconds, maxSeconds] = [seconds('avg'), seconds('max')];
  return {
    ...loadOf(metric('vus'), metric('vus_max')),
    windowSeconds: count / rate,
    requestCount: Math.round(count),
    ...(errorCount !== undefined && { errorCount }),
    throughputPerSecond: rate * (1 - (errorCount ?? 0) / Math.max(1, count)),
    overall: {
      percentiles: percentilesOf(duration, 1e-3),
      ...(meanSeconds !== undefined && { meanSeconds }),
      ...(maxSeconds !== undefined && { maxSeconds }),
      sampleCount: Math.round(count),
    },
    byRoute: {},
  };
}

/** The most users that ran; where they were not always as many, k6 tells no mean. */
function loadOf(
  vus: JsonObject | undefined,
  vusMax: JsonObject | undefined,
): { readonly load: ImportedLoad; readonly notices: ReportedStep['notices'] } {
  const highest = amountOf(vus?.['max']) ?? amountOf(vusMax?.['max']) ?? amountOf(vusMax?.['value']);
  const lowest = amountOf(vus?.['min']);
  if (highest === undefined || highest === 0)
    throw new MissingFigure('no metrics.vus: how many users ran is not told');
  if (lowest === highest) return { load: { kind: 'users', value: highest, source: 'reported' }, notices: [] };
  return {
    load: { kind: 'users', value: highest, source: 'estimated' },
    notices: [
      {
        code: 'load-estimated',
        severity: 'warning',
        message: `between ${lowest ?? '?'} and ${highest} users ran, and the summary puts all of it together: it is taken as ${highest}`,
        advice: 'k6 run --out json=FILE tells every request, and each number of users becomes a step',
      },
    ],
  };
}
