import type { ReportedStep, ReportedTimes } from '../../../model/imported.ts';
import type { Notice } from '../../../model/notice.ts';
import { figure } from '../../../stats/wording.ts';
import { durationSeconds } from '../clock-text.ts';
import { decimal } from '../csv-line.ts';
import { MissingFigure, type ResultHead, type SummaryFormat } from '../result-format.ts';
import { routeOf } from '../sample.ts';
import { textBlocks } from '../text-blocks.ts';

const isWrk = ({ text }: ResultHead): boolean =>
  /^Running .+ test @ \S+/m.test(text) && /\d+ threads and \d+ connections/.test(text);
const isWrk2 = ({ text }: ResultHead): boolean =>
  /Thread calibration: mean lat\.|HdrHistogram - (?:Recorded|Uncorrected) Latency|Req\/Sec\s+-?nan/.test(
    text,
  );

/** What `wrk` prints. Several runs one after the other are several steps. */
export const wrk: SummaryFormat = {
  kind: 'summary',
  name: 'wrk',
  tool: 'wrk',
  describe: 'what wrk prints, best with --latency; several runs in one file are several steps',
  missing: ['single requests', 'p95', 'response times apart from failures'],
  meaning: [
    'wrk corrects its response times for coordinated omission where it sees a pause: they are no plain times, and Little’s law does not hold for them.',
  ],
  detect: (head) =>
    isWrk(head) && !isWrk2(head) ? '“Running … test @ …” and “… threads and … connections”' : undefined,
  open: () => readerOf('wrk'),
};

/** What `wrk2` prints: wrk at a constant rate. */
export const wrk2: SummaryFormat = {
  kind: 'summary',
  name: 'wrk2',
  tool: 'wrk2',
  describe: 'what wrk2 prints, best with --latency',
  missing: ['single requests', 'the rate that was asked for', 'response times apart from failures'],
  meaning: [
    'wrk2 counts a response time from when the request was due; its first ten seconds are calibration and not in the percentiles.',
  ],
  detect: (head) =>
    isWrk(head) && isWrk2(head) ? 'wrk’s output with a calibration or an HdrHistogram' : undefined,
  open: () => readerOf('wrk2'),
};

/** One run as its lines tell it. */
interface Seen {
  readonly route: string;
  connections?: number;
  meanSeconds?: number;
  maxSeconds?: number;
  requestCount?: number;
  windowSeconds?: number;
  requestsPerSecond?: number;
  sampleCount?: number;
  notOkCount: number;
  socketErrors: number;
  timeouts: number;
  readonly percentiles: Map<number, number>;
  /** Which distribution the lines belong to. */
  section: 'none' | 'recorded' | 'uncorrected';
}

const readerOf = (tool: 'wrk' | 'wrk2'): ReturnType<SummaryFormat['open']> =>
  textBlocks<Seen>({ begin, read: readLine, step: (run) => stepOf(run, tool) });

function begin(text: string): Seen | undefined {
  const start = /^Running .+ test @ (\S+)/.exec(text);
  if (start === null) return undefined;
  return {
    route: routeOf(start[1]!),
    notOkCount: 0,
    socketErrors: 0,
    timeouts: 0,
    percentiles: new Map(),
    section: 'none',
  };
}

function readLine(text: string, run: Seen): void {
  const matched = (pattern: RegExp): string[] | undefined => pattern.exec(text)?.slice(1);
  const threads = matched(/^\s*\d+ threads and (\d+) connections/);
  if (threads) run.connections = Number(threads[0]);
  if (/Latency Distribution/.test(text)) run.section = /Uncorrected/.test(text) ? 'uncorrected' : 'recorded';
  const latency = matched(/^\s*Latency\s+([\d.]+\w+)\s+[\d.]+\w+\s+([\d.]+\w+)\s/);
  if (latency) {
    run.meanSeconds = durationSeconds(latency[0]!);
    run.maxSeconds = durationSeconds(latency[1]!);
  }
  const percentile = matched(/^\s*([\d.]+)%\s+([\d.]+\w+)\s*$/);
  if (percentile && run.section === 'recorded')
    run.percentiles.set(Number(percentile[0]), durationSeconds(percentile[1]!));
  const spectrum = matched(/^\s*([\d.]+)\s+0\.950000\s+\d+\s+[\d.]+\s*$/);
  if (spectrum && run.section === 'recorded') run.percentiles.set(95, decimal(spectrum[0]) / 1000);
  const total = matched(/^#\[Max\s*=\s*[\d.]+, Total count\s*=\s*(\d+)\]/);
  if (total && run.section === 'recorded') run.sampleCount = Number(total[0]);
  const requests = matched(/^\s*(\d+) requests in ([\d.]+\w+),/);
  if (requests) {
    run.requestCount = Number(requests[0]);
    run.windowSeconds = durationSeconds(requests[1]!);
  }
  const errors = matched(/^\s*Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/);
  if (errors) {
    run.socketErrors = Number(errors[0]) + Number(errors[1]) + Number(errors[2]);
    run.timeouts = Number(errors[3]);
  }
  const notOk = matched(/^\s*Non-2xx or 3xx responses: (\d+)/);
  if (notOk) run.notOkCount = Number(notOk[0]);
  const rate = matched(/^Requests\/sec:\s+([\d.]+)/);
  if (rate) run.requestsPerSecond = Number(rate[0]);
}

function stepOf(run: Seen, tool: 'wrk' | 'wrk2'): ReportedStep {
  const { connections, requestCount, requestsPerSecond, windowSeconds, notOkCount } = run;
  if (connections === undefined) throw new MissingFigure('no line “… threads and … connections”');
  if (requestCount === undefined || requestsPerSecond === undefined || !(windowSeconds! > 0))
    throw new MissingFigure('no lines “… requests in …” and “Requests/sec: …”: was the run cut off?');
  const okRatio = requestCount === 0 ? 0 : Math.max(0, requestCount - notOkCount) / requestCount;
  const throughputPerSecond = requestsPerSecond * okRatio;
  const rate = Number(requestsPerSecond.toPrecision(3));
  const times: ReportedTimes = {
    percentiles: [...run.percentiles].filter(([, s]) => s >= 0).sort((a, b) => a[0] - b[0]),
    ...(run.meanSeconds! >= 0 && { meanSeconds: run.meanSeconds! }),
    ...(run.maxSeconds! >= 0 && { maxSeconds: run.maxSeconds! }),
    sampleCount: run.sampleCount ?? requestCount,
    throughputPerSecond,
  };
  const failures = run.socketErrors + run.timeouts;
  return {
    load:
      tool === 'wrk2'
        ? { kind: 'arrivalRatePerSecond', value: rate, source: 'estimated' }
        : { kind: 'concurrency', value: connections, source: 'reported' },
    windowSeconds: windowSeconds!,
    requestCount: requestCount + failures,
    errorCount: notOkCount + failures,
    throughputPerSecond,
    overall: times,
    byRoute: { [run.route]: times },
    notices: tool === 'wrk2' ? [rateNotTold(requestsPerSecond, rate)] : [],
  };
}

const rateNotTold = (achieved: number, taken: number): Notice => ({
  code: 'load-estimated',
  severity: 'warning',
  message: `wrk2 does not print the rate that was asked for: ${figure(achieved)} a second were reached, taken as ${taken}/s`,
  advice: 'give the rate of -R: --rate; below it the run did not reach its load',
});
