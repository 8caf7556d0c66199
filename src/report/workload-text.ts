import type { WorkloadModel } from '../model/workload.ts';
import { printableData } from './escape.ts';
import type { Fact } from './facts.ts';
import * as q from './quantities.ts';
import type { TextStyle } from './reporter.ts';
import { PLAIN_TEXT } from './reporter.ts';
import { bars, quantileBins, sparkline } from './text-charts.ts';
import { createPaint, hanging, labelled, section } from './text-layout.ts';
import { noticeLines } from './text.ts';
import { timeoutTable, userLines } from './users-text.ts';
import { mixTable, parameterLines, withoutLongWords } from './workload-mix-text.ts';

/** What `shipload model` prints: the figures, every line accounted for, the mix, popularity, think time, warnings. */
export function renderWorkload(workload: WorkloadModel, style: TextStyle = PLAIN_TEXT): string {
  // Request targets are not printed and can be many: they are left out before every text is made printable.
  const classes = workload.requestClasses.map((one) => ({ ...one, targets: NO_TARGETS }));
  const model = printableData({ ...workload, requestClasses: classes });
  const paint = createPaint(style.color);
  const { width } = style;
  const lines = [
    ...hanging('', `${model.files.join(', ')} (${model.format})`, width).map(paint.strong),
    '',
    ...labelled(figures(model), width),
    ...section('Lines', lineCounts(model, width), paint),
    ...section('Users', userLines(model, width), paint),
    ...section('Mix', mixTable(model.requestClasses, width, paint), paint),
    ...section('Parameters', parameterLines(model.requestClasses, width), paint),
    ...section('Think time', thinkTimeBars(model, width), paint),
    ...section('Session timeout', timeoutTable(model, width, paint), paint),
    ...section('Requests a minute', minuteLines(model, width), paint),
    ...section('What is doubtful', noticeLines(model.warnings, width, paint), paint),
  ];
  return `${lines.join('\n')}\n`;
}

const NO_TARGETS = { draw: 'uniform', targets: [], distinctCount: 0 } as const;

function figures(model: WorkloadModel): readonly Fact[] {
  const { thinkTimeSeconds: think, responseTimeSeconds: response, sessions, activeUsers } = model;
  return [
    {
      label: 'requests',
      value: `${q.count(model.requestCount)} of ${q.counted(model.clientCount, 'client')}`,
    },
    { label: 'span', value: `${q.givenDuration(model.spanSeconds)} (window ${model.window.rule})` },
    { label: 'throughput X', value: rateText(model) },
    {
      label: 'think time Z',
      value:
        think === undefined
          ? 'this log does not tell it; see the warnings'
          : `${q.duration(think.mean)} mean${marginText(think.marginSeconds)}, ${q.duration(think.p50)} median of ${q.counted(think.count, 'gap')}`,
    },
    {
      label: 'response time R',
      value:
        response === undefined
          ? missingDurations(model)
          : `${q.duration(response.mean)} mean, p95 ${q.duration(response.p95)}, p99 ${q.duration(response.p99)}${timedShare(model)}`,
    },
    {
      label: 'active users M',
      value:
        activeUsers === undefined
          ? `not known without think time; open arrivals at ${q.rate(model.throughputPerSecond)} make the same load`
          : `${q.load(activeUsers)}, M = X(R + Z)`,
    },
    ...(sessions === undefined
      ? []
      : [
          {
            label: 'sessions',
            value: `${q.count(sessions.count)} with ${q.figure(sessions.requestsPerSession)} requests each${lengthText(sessions.meanLengthSeconds)}, ended by ${q.givenDuration(sessions.timeoutSeconds)} of silence`,
          },
        ]),
  ];
}

const missingDurations = ({ timedRequestCount, requestCount }: WorkloadModel): string =>
  timedRequestCount === undefined
    ? 'the log has no durations'
    : `not known: only ${q.count(timedRequestCount)} of ${q.counted(requestCount, 'request')} have a duration`;

const timedShare = ({ timedRequestCount, requestCount }: WorkloadModel): string =>
  timedRequestCount === undefined
    ? ''
    : `, of the ${q.count(timedRequestCount)} that have one (${q.percent(timedRequestCount / requestCount)})`;

const lengthText = (seconds: number | undefined): string =>
  seconds === undefined ? '' : ` in ${q.duration(seconds)}`;

const marginText = (seconds: number | undefined): string =>
  seconds === undefined ? '' : ` ± ${q.duration(seconds)}`;

const rateText = (model: WorkloadModel): string =>
  `${q.rate(model.throughputPerSecond)}, busiest minute ${q.rate(model.busiestMinutePerSecond)}`;

/** The last time that has a calendar date here (ECMA-262, §21.4.1.1). */
const LATEST_SECONDS = 8.64e12;

/** To the second, as most logs stamp; UTC. */
const timeText = (seconds: number): string =>
  Math.abs(seconds) > LATEST_SECONDS
    ? `${seconds} s`
    : new Date(Math.floor(seconds) * 1e3).toISOString().slice(0, 19).replace('T', ' ');

function loggedText({ logged }: WorkloadModel): readonly string[] {
  if (logged === undefined) return [];
  const { clientCount, firstSeconds, lastSeconds, busiestMinute } = logged;
  const minute = timeText(busiestMinute.fromSeconds).slice(0, 16);
  return [
    `stamped ${timeText(firstSeconds)} to ${timeText(lastSeconds)} UTC, by ${q.counted(clientCount, 'client')}; the fullest minute of the clock is ${minute} with ${q.counted(busiestMinute.lineCount, 'line')}`,
  ];
}

function lineCounts(model: WorkloadModel, width: number): readonly string[] {
  const { lines, lineExamples } = model;
  const kinds = [
    q.counted(lines.ok, 'request'),
    q.counted(lines.badRequest, 'bad request'),
    `${q.count(lines.unparsed)} not understood`,
    q.counted(lines.comment, 'comment'),
    `${q.count(lines.blank)} blank`,
  ];
  return [
    ...hanging('  ', `${q.counted(lines.total, 'line')}: ${kinds.join(', ')}`, width),
    ...loggedText(model).flatMap((line) => hanging('  ', line, width)),
    ...lineExamples.flatMap(({ file, line, text, reason }) =>
      hanging('  - ', withoutLongWords(`${file}:${line}: ${reason}: ${text}`, width - 4), width),
    ),
  ];
}

function thinkTimeBars({ thinkTimeSeconds }: WorkloadModel, width: number): readonly string[] {
  const distribution = thinkTimeSeconds?.distribution;
  if (distribution?.kind !== 'empirical') return [];
  const bins = quantileBins(distribution.quantileSeconds, 10);
  return bars(
    bins.map(({ from, to, ratio }) => ({
      label: q.quantityRange([from, to], 'seconds'),
      ratio,
      figure: q.percent(ratio),
    })),
    width,
  );
}

const MOST_BARS = 96;

function minuteLines(model: WorkloadModel, width: number): readonly string[] {
  const { requestsPerMinute, window, wholeLog } = model;
  if (requestsPerMinute.length === 0) return [];
  const largest = requestsPerMinute.reduce((top, value) => Math.max(top, value), 0);
  const minutes = q.counted(requestsPerMinute.length, 'minute');
  return [
    `  ${sparkline(requestsPerMinute, Math.min(width - 2, MOST_BARS))}`,
    `  0 to ${q.count(largest)} in ${minutes} of the window ${window.rule}`,
    ...(wholeLog === undefined ? [] : windowInLog(wholeLog, window, Math.min(width - 2, MOST_BARS))),
  ];
}

const LONG_UNITS = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
] as const;

/** The length of a log, in the largest unit that it has two of. */
function longDuration(seconds: number): string {
  const unit = LONG_UNITS.find(([, size]) => seconds >= 2 * size);
  return unit === undefined ? q.givenDuration(seconds) : `${q.figure(seconds / unit[1])} ${unit[0]}`;
}

/** The whole log, with the window marked below it. */
function windowInLog(
  { fromSeconds, binSeconds, requestsPerBin }: NonNullable<WorkloadModel['wholeLog']>,
  window: WorkloadModel['window'],
  width: number,
): readonly string[] {
  const bars = sparkline(requestsPerBin, width);
  const length = binSeconds * requestsPerBin.length;
  const placeOf = (seconds: number): number =>
    Math.min(bars.length, Math.max(0, ((seconds - fromSeconds) / length) * bars.length));
  const from = Math.min(bars.length - 1, Math.floor(placeOf(window.fromSeconds)));
  const to = Math.max(from + 1, Math.ceil(placeOf(window.toSeconds)));
  return [
    '',
    `  ${bars}`,
    `  ${' '.repeat(from)}${'▔'.repeat(to - from)}`,
    `  the whole log of ${longDuration(length)}, the window marked`,
  ];
}
