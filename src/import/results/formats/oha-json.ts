import type { ReportedStep } from '../../../model/imported.ts';
import { loadByLittle } from '../estimated-load.ts';
import { amountOf, asObject, fieldOf } from '../json-value.ts';
import { percentilesOf } from '../named-percentiles.ts';
import { MissingFigure, type SummaryFormat } from '../result-format.ts';
import { isSuccess } from '../sample.ts';
import { jsonDocuments } from '../whole-json.ts';

/** `oha --output-format json`. */
export const ohaJson: SummaryFormat = {
  kind: 'summary',
  name: 'oha-json',
  tool: 'oha',
  describe: 'oha --output-format json',
  missing: ['single requests', 'the number of workers', 'routes'],
  meaning: [
    'oha counts a response time from before the request, connecting in it, to the last byte; with --latency-correction from when it was due.',
    'Requests that oha cut off at its deadline are neither answered nor failed, and are not counted.',
  ],
  detect: ({ text }) =>
    /"summary"\s*:\s*\{\s*"successRate"/.test(text) &&
    /"(?:latencyPercentiles|responseTimeHistogram)"/.test(text)
      ? 'the fields summary.successRate and latencyPercentiles of oha'
      : undefined,
  open: () => jsonDocuments(stepOf),
};

const CUT_OFF = 'aborted due to deadline';

function stepOf(document: unknown): ReportedStep {
  const summary = asObject(fieldOf(document, 'summary'));
  const totalSeconds = amountOf(summary?.['total']);
  const statuses = countsOf(fieldOf(document, 'statusCodeDistribution'));
  const errors = countsOf(fieldOf(document, 'errorDistribution')).filter(([name]) => name !== CUT_OFF);
  const sum = (counts: readonly (readonly [string, number])[]): number =>
    counts.reduce((all, [, n]) => all + n, 0);
  const answered = sum(statuses);
  const okCount = sum(statuses.filter(([status]) => isSuccess(Number(status))));
  if (totalSeconds === undefined || totalSeconds === 0) throw new MissingFigure('no summary.total');
  if (answered + sum(errors) === 0) throw new MissingFigure('no request in statusCodeDistribution');
  const meanSeconds = amountOf(summary?.['average']);
  const maxSeconds = amountOf(summary?.['slowest']);
  const { load, notices } = loadByLittle(answered / totalSeconds, meanSeconds ?? 0);
  return {
    load,
    windowSeconds: totalSeconds,
    requestCount: answered + sum(errors),
    errorCount: answered - okCount + sum(errors),
    throughputPerSecond: okCount / totalSeconds,
    overall: {
      percentiles: percentilesOf(fieldOf(document, 'latencyPercentiles'), 1),
      ...(meanSeconds !== undefined && { meanSeconds }),
      ...(maxSeconds !== undefined && { maxSeconds }),
      sampleCount: answered,
    },
    byRoute: {},
    notices,
  };
}

function countsOf(value: unknown): readonly (readonly [string, number])[] {
  return Object.entries(asObject(value) ?? {}).map(([name, count]) => [
    name,
    Math.round(amountOf(count) ?? 0),
  ]);
}
