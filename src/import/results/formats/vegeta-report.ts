import type { ReportedStep } from '../../../model/imported.ts';
import { figure } from '../../../stats/wording.ts';
import { amountOf, asObject, fieldOf } from '../json-value.ts';
import { percentilesOf } from '../named-percentiles.ts';
import { MissingFigure, type SummaryFormat } from '../result-format.ts';
import { jsonDocuments } from '../whole-json.ts';
import { VEGETA_MEANING } from './vegeta-sample.ts';

/** `vegeta report -type json`. */
export const vegetaReport: SummaryFormat = {
  kind: 'summary',
  name: 'vegeta-report',
  tool: 'Vegeta',
  describe: 'vegeta report -type json',
  missing: ['single requests', 'the rate that was asked for', 'routes', 'response times apart from failures'],
  meaning: VEGETA_MEANING,
  detect: ({ text }) =>
    /^\s*\{\s*"latencies"\s*:/.test(text) && /"throughput"\s*:/.test(text)
      ? 'the fields latencies and throughput of Vegeta’s report'
      : undefined,
  open: () => jsonDocuments(stepOf),
};

function stepOf(document: unknown): ReportedStep {
  const figureOf = (name: string): number => {
    const value = amountOf(fieldOf(document, name));
    if (value === undefined) throw new MissingFigure(`no ${name}`);
    return value;
  };
  const latencies = asObject(fieldOf(document, 'latencies'));
  const seconds = (name: string): number | undefined => {
    const value = amountOf(latencies?.[name]);
    return value === undefined ? undefined : value / 1e9;
  };
  const [requestCount, rate, success] = [figureOf('requests'), figureOf('rate'), figureOf('success')];
  const [meanSeconds, maxSeconds] = [seconds('mean'), seconds('max')];
  // Vegeta divides by the time from the first request to the last, which is one interval too short.
  const value = Number((requestCount > 1 ? (rate * (requestCount - 1)) / requestCount : rate).toPrecision(3));
  return {
    load: { kind: 'arrivalRatePerSecond', value, source: 'estimated' },
    windowSeconds: (figureOf('duration') + figureOf('wait')) / 1e9,
    requestCount: Math.round(requestCount),
    errorCount: Math.round(requestCount * Math.max(0, 1 - success)),
    throughputPerSecond: figureOf('throughput'),
    overall: {
      percentiles: percentilesOf(latencies, 1e-9),
      ...(meanSeconds !== undefined && { meanSeconds }),
      ...(maxSeconds !== undefined && { maxSeconds }),
      sampleCount: Math.round(requestCount),
    },
    byRoute: {},
    notices: [
      {
        code: 'load-estimated',
        severity: 'info',
        message: `the report does not say which rate was asked for: ${figure(rate)} requests were begun a second, taken as ${value}/s`,
        advice: 'give the rate that was asked for: --rate',
      },
    ],
  };
}
