import type { StepMeasurement } from '../../model/measurement.ts';
import {
  alignLeft,
  alignRight,
  cutTo,
  displayWidth,
  duration,
  load,
  MISSING,
  percent,
  rate,
} from '../../report/quantities.ts';
import { printable } from '../../report/escape.ts';
import { sparkline } from '../../report/text-charts.ts';
import { meanOf, percentileOf } from '../../stats/histogram.ts';
import type { LiveSecond, LiveState } from '../../session/live-state.ts';

export interface ScreenSize {
  readonly width: number;
  readonly height: number;
  readonly color: boolean;
}

export interface ScreenHead {
  readonly label: string;
  readonly url: string;
  /** What the load counts: users, workers, arrivals/s. */
  readonly loadName: string;
  /** m of the service, where it is watched. */
  readonly serverCount: number | undefined;
  /** Whether a key can end the run. */
  readonly hasKeys: boolean;
}

/** Below this there is no room for steps and warnings: the head, the gauges that fit, and how to end. */
const LEAST_HEIGHT = 12;
const NAME_WIDTH = 15;
const FIGURE_WIDTH = 11;

/** The whole screen as lines of at most `width` columns, at most `height` of them. */
export function screenLines(state: LiveState, head: ScreenHead, size: ScreenSize): readonly string[] {
  const width = Math.max(20, size.width);
  const paint = painter(size.color);
  const top = [...headLines(state, head, width, paint)];
  const gauges = gaugeLines(state, head, width, paint);
  const foot = paint.dim(
    clip(
      head.hasKeys
        ? 'q  end here and report what was measured    Ctrl-C twice  stop at once'
        : 'Ctrl-C  end here and report what was measured',
      width,
    ),
  );
  if (size.height < LEAST_HEIGHT) {
    const shown = [...top, ...gauges].slice(0, Math.max(1, size.height - 1));
    return size.height > top.length ? [...shown, foot] : shown;
  }
  const room = size.height - top.length - gauges.length - 3;
  const warnings = state.warnings.slice(-Math.max(1, Math.min(4, Math.floor(room / 2))));
  const warningLines = warnings.map((text) => paint.warn(clip(`! ${text}`, width)));
  const steps = state.finished
    .slice(-Math.max(0, room - warningLines.length))
    .map((measurement) => clip(stepLine(measurement), width));
  return [...top, '', ...gauges, '', ...steps, ...warningLines, foot].slice(0, size.height);
}

function headLines(state: LiveState, head: ScreenHead, width: number, paint: Painter): readonly string[] {
  const { ratio, leftSeconds } = state.stepProgress;
  const left = Math.max(0, state.totalSeconds - state.atSeconds);
  const overall = `${clock(state.atSeconds)} passed, about ${clock(left)} left`;
  const title = spread(`shipload  ${head.label}  ${head.url}`, overall, width);
  const step =
    state.phase === 'drain'
      ? 'waiting for the last answers'
      : `step ${(state.step?.index ?? 0) + 1}/${Math.max(state.stepCount, (state.step?.index ?? 0) + 1)}  ` +
        `${state.step?.label ?? ''}  ${state.phase === 'warmup' ? 'warming up' : 'measuring'}`;
  const bar = progressBar(ratio, Math.max(0, Math.min(24, width - displayWidth(step) - 16)));
  const progress = [step, ...(bar === '' ? [] : [bar]), `${clock(leftSeconds)} left`].join('  ');
  return [paint.strong(title), clip(state.phase === 'drain' ? step : progress, width)];
}

function gaugeLines(state: LiveState, head: ScreenHead, width: number, paint: Painter): readonly string[] {
  const now = state.seconds.at(-1);
  const room = Math.max(0, width - NAME_WIDTH - FIGURE_WIDTH - 4);
  const line = (
    name: string,
    figure: string,
    pick: (second: LiveSecond) => number | undefined,
    paintLine: (text: string) => string = (text) => text,
  ): string => {
    const values = state.seconds.map((second) => pick(second) ?? 0);
    const text = `  ${alignLeft(name, NAME_WIDTH)}${alignRight(figure, FIGURE_WIDTH)}  `;
    return clip(text, width) + (room < 4 ? '' : paintLine(sparkline(values, room)));
  };
  const cores = now?.serviceCores;
  const service =
    cores === undefined
      ? MISSING
      : head.serverCount === undefined
        ? `${cores.toFixed(2)} cores`
        : percent(Math.min(1, cores / head.serverCount));
  const isFailing = (now?.failedPerSecond ?? 0) > 0;
  return [
    line(head.loadName, load(now?.load), (second) => second.load),
    line('throughput', rate(now?.throughputPerSecond), (second) => second.throughputPerSecond, paint.good),
    line('p50', duration(now?.p50Seconds), (second) => second.p50Seconds, paint.accent),
    line('p95', duration(now?.p95Seconds), (second) => second.p95Seconds, paint.accent),
    line('p99', duration(now?.p99Seconds), (second) => second.p99Seconds, paint.accent),
    line(
      'failed',
      rate(now?.failedPerSecond),
      (second) => second.failedPerSecond,
      isFailing ? paint.warn : undefined,
    ),
    line('service CPU', service, (second) => second.serviceCores),
    line('generator CPU', percent(now?.generatorRatio), (second) => second.generatorRatio),
  ];
}

function stepLine({
  step,
  windowSeconds,
  completionCount,
  responseTime,
  outcomeCounts,
}: StepMeasurement): string {
  const failed = outcomeCounts.error + outcomeCounts.timeout;
  return (
    `  ${alignRight(step.label, 14)}  X ${alignRight(rate(completionCount / windowSeconds), 9)}  ` +
    `R ${alignRight(duration(meanOf(responseTime)), 8)}  p95 ${alignRight(duration(percentileOf(responseTime, 95)), 8)}` +
    (failed > 0 ? `  ${failed} failed` : '')
  );
}

/** `1:05`, `12 s`. */
function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  const rest = String(whole % 60).padStart(2, '0');
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

function progressBar(ratio: number, width: number): string {
  const full = Math.round(Math.min(1, Math.max(0, ratio)) * width);
  return '━'.repeat(full) + '─'.repeat(width - full);
}

/** Left and right text of a line; the right one goes first where there is no room for both. */
function spread(left: string, right: string, width: number): string {
  const gap = width - displayWidth(left) - displayWidth(right);
  return gap >= 2 ? clip(left + ' '.repeat(gap) + right, width) : clip(left, width);
}

const clip = (raw: string, width: number): string => cutTo(printable(raw), width);

interface Painter {
  readonly strong: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly accent: (text: string) => string;
  readonly warn: (text: string) => string;
}

function painter(color: boolean): Painter {
  const wrap =
    (code: string) =>
    (text: string): string =>
      color ? `\u001b[${code}m${text}\u001b[0m` : text;
  return { strong: wrap('1'), dim: wrap('2'), good: wrap('32'), accent: wrap('36'), warn: wrap('33') };
}
