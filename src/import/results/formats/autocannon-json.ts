import type { ReportedStep } from '../../../model/imported.ts';
import { amountOf, asObject, fieldOf, textOf } from '../json-value.ts';
import { percentilesOf } from '../named-percentiles.ts';
import { MissingFigure, type SummaryFormat } from '../result-format.ts';
import { ALL_REQUESTS, routeOf } from '../sample.ts';
import { jsonDocuments } from '../whole-json.ts';

/** `autocannon --json`. Several runs one after the other, one a line, are several steps. */
export const autocannonJson: SummaryFormat = {
  kind: 'summary',
  name: 'autocannon',
  tool: 'autocannon',
  describe: 'autocannon --json; several runs, one a line, are several steps',
  missing: ['single requests', 'p95', 'response times apart from failures'],
  meaning: [
    'autocannon counts response times in whole milliseconds; with -R it corrects them for coordinated omission.',
  ],
  detect: ({ text }) =>
    /"connections"\s*:\s*\d/.test(text) && /"pipelining"\s*:/.test(text) && /"non2xx"\s*:/.test(text)
      ? 'the fields connections, pipelining and non2xx of autocannon'
      : undefined,
  open: () => jsonDocuments(stepOf),
};

function stepOf(document: unknown): ReportedStep {
  const figureOf = (name: string, fallback?: number): number => {
    const value = amountOf(fieldOf(document, name)) ?? fallback;
    if (value === undefined) throw new MissingFigure(`no ${name}`);
    return value;
  };
  const windowSeconds = figureOf('duration');
  const answered = amountOf(fieldOf(fieldOf(document, 'requests'), 'total'));
  if (answered === undefined || windowSeconds === 0)
    throw new MissingFigure('no requests.total or no duration');
  const [notOk, failed] = [figureOf('non2xx', 0), figureOf('errors', 0)];
  const throughputPerSecond = Math.max(0, answered - notOk) / windowSeconds;
  const latency = asObject(fieldOf(document, 'latency'));
  const milliseconds = (name: string): number | undefined => {
    const value = amountOf(latency?.[name]);
    return value === undefined ? undefined : value / 1000;
  };
  const [meanSeconds, maxSeconds] = [milliseconds('mean') ?? milliseconds('average'), milliseconds('max')];
  const times = {
    percentiles: percentilesOf(latency, 1e-3),
    ...(meanSeconds !== undefined && { meanSeconds }),
    ...(maxSeconds !== undefined && { maxSeconds }),
    sampleCount: Math.round(amountOf(latency?.['totalCount']) ?? answered),
    throughputPerSecond,
  };
  const url = textOf(fieldOf(document, 'url'));
  return {
    load: {
      kind: 'concurrency',
      value: figureOf('connections') * Math.max(1, figureOf('pipelining', 1)),
      source: 'reported',
    },
    windowSeconds,
    requestCount: Math.round(answered + failed),
    errorCount: Math.round(notOk + failed),
    throughputPerSecond,
    overall: times,
    byRoute: { [url === undefined ? ALL_REQUESTS : routeOf(url)]: times },
    notices: [],
  };
}
