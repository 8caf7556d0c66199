import type { LoadPlan } from '../model/load.ts';
import type { ChartPoint, LineChart } from '../report/charts/chart.ts';
import { bareFigure } from '../report/charts/chart-figure.ts';
import * as q from '../report/quantities.ts';
import type { LiveSecond, LiveState } from '../session/live-state.ts';

/** Charts over time for a live run, as figures; steps begin at the marks, and colours are those of the report. */
export function liveCharts(state: LiveState, plan: LoadPlan): readonly string[] {
  const { seconds } = state;
  if (seconds.length < 2) return [];
  const marks = stepMarks(seconds, plan);
  const chart = (
    id: string,
    title: string,
    yTick: (value: number) => string,
    lines: readonly (readonly [
      name: string,
      color: number,
      pick: (second: LiveSecond) => number | undefined,
    ])[],
  ): LineChart => ({
    id,
    title,
    description: `Second by second; now ${lines.map(([name, , pick]) => `${name} ${yTick(pick(seconds.at(-1)!) ?? 0)}`).join(', ')}.`,
    xLabel: 'seconds since the start',
    yLabel: title,
    yTick,
    series: lines.map(([name, color, pick]) => ({
      name,
      kind: 'trace',
      color,
      points: pointsOf(seconds, pick),
    })),
    limits: [],
    marks,
  });
  return [
    chart('live-throughput', 'Throughput, completions/s', q.givenFigure, [
      ['X', 0, (second) => second.throughputPerSecond],
      ['failed', 5, (second) => second.failedPerSecond],
    ]),
    chart('live-response', 'Response time', q.givenDuration, [
      ['p99', 5, (second) => second.p99Seconds],
      ['p95', 1, (second) => second.p95Seconds],
      ['p50', 2, (second) => second.p50Seconds],
    ]),
    chart('live-cpu', 'CPU, cores in use', q.givenFigure, [
      ['service', 0, (second) => second.serviceCores],
      ['generator', 3, (second) => second.generatorRatio],
    ]),
  ].map(bareFigure);
}

function pointsOf(
  seconds: readonly LiveSecond[],
  pick: (second: LiveSecond) => number | undefined,
): readonly ChartPoint[] {
  return seconds.flatMap((second) => {
    const value = pick(second);
    return value === undefined ? [] : [[second.atSeconds, value] as const];
  });
}

function stepMarks(seconds: readonly LiveSecond[], plan: LoadPlan): LineChart['marks'] {
  return seconds.flatMap((second, i) => {
    if (i === 0 || second.stepIndex === seconds[i - 1]!.stepIndex) return [];
    return [
      {
        x: seconds[i - 1]!.atSeconds,
        label: plan.steps[second.stepIndex]?.label ?? '',
        isBorder: true as const,
      },
    ];
  });
}
