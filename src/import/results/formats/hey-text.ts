import type { ReportedStep } from '../../../model/imported.ts';
import { loadByLittle } from '../estimated-load.ts';
import { MissingFigure, type SummaryFormat } from '../result-format.ts';
import { isSuccess } from '../sample.ts';
import { textBlocks } from '../text-blocks.ts';

/** What `hey` prints. Several runs one after the other are several steps. */
export const heyText: SummaryFormat = {
  kind: 'summary',
  name: 'hey',
  tool: 'hey',
  describe: 'what hey prints; several runs in one file are several steps',
  missing: ['single requests', 'the number of workers', 'routes'],
  meaning: [
    'hey counts a response time from before the request, connecting in it, to the last byte, and keeps times for at most a million requests.',
  ],
  detect: ({ text }) =>
    /^Summary:\s*$/m.test(text) &&
    /^\s*Total:\s+[\d.]+ secs/m.test(text) &&
    /^\s*Requests\/sec:\s+[\d.]+/m.test(text)
      ? 'hey’s summary (Total: … secs, Requests/sec: …)'
      : undefined,
  open: () => textBlocks<Seen>({ begin, read: readLine, step: stepOf }),
};

interface Seen {
  totalSeconds?: number;
  meanSeconds?: number;
  maxSeconds?: number;
  readonly percentiles: Map<number, number>;
  readonly statuses: Map<number, number>;
  failedCount: number;
  inErrors: boolean;
}

const begin = (text: string): Seen | undefined =>
  /^Summary:\s*$/.test(text)
    ? { percentiles: new Map(), statuses: new Map(), failedCount: 0, inErrors: false }
    : undefined;

function readLine(text: string, run: Seen): void {
  const figure = /^\s*(Total|Slowest|Average):\s+([\d.]+) secs/.exec(text);
  if (figure !== null) {
    const value = Number(figure[2]);
    if (figure[1] === 'Total') run.totalSeconds = value;
    else if (figure[1] === 'Slowest') run.maxSeconds = value;
    else run.meanSeconds = value;
  }
  const percentile = /^\s*([\d.]+)%+ in ([\d.]+) secs/.exec(text);
  if (percentile !== null) run.percentiles.set(Number(percentile[1]), Number(percentile[2]));
  if (text.startsWith('Error distribution:')) run.inErrors = true;
  if (text.startsWith('Status code distribution:')) run.inErrors = false;
  const status = /^\s*\[(\d+)\]\s+(?:(\d+) responses)?/.exec(text);
  if (status === null) return;
  if (run.inErrors) run.failedCount += Number(status[1]);
  else if (status[2] !== undefined) run.statuses.set(Number(status[1]), Number(status[2]));
}

function stepOf(run: Seen): ReportedStep {
  const { totalSeconds, meanSeconds, maxSeconds, statuses, failedCount } = run;
  const counts = [...statuses];
  const sum = (of: readonly (readonly [number, number])[]): number => of.reduce((all, [, n]) => all + n, 0);
  const answered = sum(counts);
  const okCount = sum(counts.filter(([status]) => isSuccess(status)));
  if (!(totalSeconds! > 0)) throw new MissingFigure('no line “Total: … secs”');
  if (answered + failedCount === 0) throw new MissingFigure('no lines of “Status code distribution”');
  const { load, notices } = loadByLittle(answered / totalSeconds!, meanSeconds ?? 0);
  return {
    load,
    windowSeconds: totalSeconds!,
    requestCount: answered + failedCount,
    errorCount: answered - okCount + failedCount,
    throughputPerSecond: okCount / totalSeconds!,
    overall: {
      percentiles: [...run.percentiles].sort((a, b) => a[0] - b[0]),
      ...(meanSeconds !== undefined && { meanSeconds }),
      ...(maxSeconds !== undefined && { maxSeconds }),
      sampleCount: answered,
    },
    byRoute: {},
    notices,
  };
}
