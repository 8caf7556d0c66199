import type { ReportedStep, ReportedTimes } from '../../../model/imported.ts';
import type { Notice } from '../../../model/notice.ts';
import { countText } from '../../../stats/wording.ts';
import { MissingFigure, type SummaryFormat } from '../result-format.ts';
import { routeOf } from '../sample.ts';
import { textBlocks } from '../text-blocks.ts';

/** What `ab` prints. Several runs one after the other are several steps. */
export const abText: SummaryFormat = {
  kind: 'summary',
  name: 'ab',
  tool: 'ab',
  describe: 'what ab prints; several runs in one file are several steps',
  missing: ['single requests', 'response times apart from failures'],
  meaning: [
    'ab counts a response time from the begin of the connection to the last byte, in whole milliseconds.',
  ],
  detect: ({ text }) =>
    /^This is ApacheBench/m.test(text) ||
    (/^Concurrency Level:\s+\d/m.test(text) && /^Complete requests:\s+\d/m.test(text))
      ? 'ab’s output (Concurrency Level, Complete requests)'
      : undefined,
  open: () => textBlocks<Seen>({ begin, read: readLine, step: stepOf }),
};

const FIGURES = {
  concurrency: /^Concurrency Level:\s+(\d+)/,
  seconds: /^Time taken for tests:\s+([\d.]+) seconds/,
  complete: /^Complete requests:\s+(\d+)/,
  notOk: /^Non-2xx responses:\s+(\d+)/,
} as const;

type Seen = { -readonly [Name in keyof typeof FIGURES]?: number } & {
  route?: string;
  broken?: number;
  otherLength?: number;
  mean?: number;
  max?: number;
  readonly percentiles: [number, number][];
};

/** The figures of a run begin with the path; the banner may have been left out. */
function begin(text: string): Seen | undefined {
  const path = /^Document Path:\s+(.*\S)/.exec(text);
  return path === null ? undefined : { route: routeOf(path[1]!), percentiles: [] };
}

function readLine(text: string, run: Seen): void {
  for (const [name, pattern] of Object.entries(FIGURES)) {
    const match = pattern.exec(text);
    if (match !== null) run[name as keyof typeof FIGURES] = Number(match[1]);
  }
  const failed = /\(Connect: (\d+), Receive: (\d+), Length: (\d+), Exceptions: (\d+)\)/.exec(text);
  if (failed !== null) {
    run.broken = Number(failed[1]) + Number(failed[2]) + Number(failed[4]);
    run.otherLength = Number(failed[3]);
  }
  const total = /^Total:\s+\d+\s+(\d+)\s+[\d.]+\s+\d+\s+(\d+)\s*$/.exec(text);
  if (total !== null) [run.mean, run.max] = [Number(total[1]), Number(total[2])];
  const percentile = /^\s+(\d+)%\s+(\d+)(?:\s|$)/.exec(text);
  if (percentile !== null && Number(percentile[1]) <= 100)
    run.percentiles.push([Number(percentile[1]), Number(percentile[2]) / 1000]);
}

function stepOf({ concurrency, seconds, complete, notOk = 0, broken = 0, ...run }: Seen): ReportedStep {
  if (concurrency === undefined || complete === undefined || !(seconds! > 0))
    throw new MissingFigure('no “Concurrency Level”, “Complete requests” or “Time taken for tests”');
  const errorCount = Math.min(complete, notOk + broken);
  const throughputPerSecond = (complete - errorCount) / seconds!;
  const times: ReportedTimes = {
    percentiles: run.percentiles,
    ...(run.mean !== undefined && { meanSeconds: run.mean / 1000 }),
    ...(run.max !== undefined && { maxSeconds: run.max / 1000 }),
    sampleCount: complete,
    throughputPerSecond,
  };
  return {
    load: { kind: 'concurrency', value: concurrency, source: 'reported' },
    windowSeconds: seconds!,
    requestCount: complete,
    errorCount,
    throughputPerSecond,
    overall: times,
    byRoute: run.route === undefined ? {} : { [run.route]: times },
    notices: lengthNotice(run.otherLength ?? 0),
  };
}

/** ab calls an answer failed that is longer or shorter than the first one. */
function lengthNotice(count: number): Notice[] {
  if (count === 0) return [];
  return [
    {
      code: 'other-length-no-failure',
      severity: 'info',
      message: `ab counts ${countText(count, 'answer')} as failed for another length than the first one's; that is no failure here, a status outside 200–399 is`,
    },
  ];
}
