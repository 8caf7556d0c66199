import { escapeHtml } from '../escape.ts';
import type { Scale } from './scale.ts';
import { isGeometric, linearScale, logScale } from './scale.ts';

export type ChartPoint = readonly [x: number, y: number];

/** A line of the chart; `kind` chooses its dress: measured with dots, a trace over time without, a thin dashed model. */
export interface ChartSeries {
  readonly name: string;
  readonly kind: 'measured' | 'earlier' | 'trace' | 'model';
  /** Number of the colour; lines of the same thing in two runs share it. */
  readonly color: number;
  readonly points: readonly ChartPoint[];
}

/** A chart of lines over load, with horizontal limits, a vertical mark, and a shaded band. */
export interface LineChart {
  readonly id: string;
  readonly title: string;
  /** What a reader should see in it, for those who cannot. */
  readonly description: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly yTick: (value: number) => string;
  readonly series: readonly ChartSeries[];
  readonly limits: readonly { readonly y: number; readonly label: string }[];
  readonly marks: readonly { readonly x: number; readonly label: string }[];
  readonly band?: { readonly from: number; readonly to: number; readonly label: string };
}

const WIDTH = 760;
const HEIGHT = 288;
const PLOT = { left: 52, right: 580, top: 30, bottom: 244 } as const;
const LABEL_GAP = 15;

interface Axes {
  readonly x: Scale;
  readonly y: Scale;
}

/** The chart as SVG: no script, no external font, colours by class, title and description for a screen reader. */
export function renderLineChart(chart: LineChart): string {
  const axes = axesOf(chart);
  const parts = [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${chart.id}-title ${chart.id}-desc">`,
    `<title id="${chart.id}-title">${escapeHtml(chart.title)}</title>`,
    `<desc id="${chart.id}-desc">${escapeHtml(chart.description)}</desc>`,
    band(chart, axes),
    grid(chart, axes),
    ...chart.limits.map(({ y }) => horizontal(y, axes, 'limit')),
    ...chart.series.map((series) => line(series, axes)),
    ...chart.marks.map((mark, row) => verticalMark(mark, row, axes)),
    ...sideLabels(chart, axes),
    '</svg>',
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function axesOf({ series, limits, marks }: LineChart): Axes {
  const measured = series.filter(({ kind }) => kind !== 'model').flatMap(({ points }) => points);
  const xs = [...measured.map(([x]) => x), ...marks.map(({ x }) => x)];
  const top = Math.max(0, ...measured.map(([, y]) => y), ...limits.map(({ y }) => y));
  const across = [PLOT.left, PLOT.right] as const;
  const loads = measured.map(([x]) => x);
  return {
    x: isGeometric(loads) ? logScale(loads, across) : linearScale(Math.max(0, ...xs), across, 8),
    y: linearScale(top * 1.04, [PLOT.bottom, PLOT.top]),
  };
}

const at = (coordinate: number): string => coordinate.toFixed(1);

const text = (x: number, y: number, content: string, className: string, anchor = 'start'): string =>
  `<text x="${at(x)}" y="${at(y)}" class="${className}" text-anchor="${anchor}">${escapeHtml(content)}</text>`;

const stroke = (from: ChartPoint, to: ChartPoint, className: string): string =>
  `<line x1="${at(from[0])}" y1="${at(from[1])}" x2="${at(to[0])}" y2="${at(to[1])}" class="${className}"/>`;

function horizontal(y: number, axes: Axes, className: string): string {
  return stroke([PLOT.left, axes.y.at(y)], [PLOT.right, axes.y.at(y)], className);
}

function grid(chart: LineChart, axes: Axes): string {
  const yTicks = axes.y.ticks.filter((value) => axes.y.at(value) >= PLOT.top - 1);
  return [
    ...yTicks.map((value) => horizontal(value, axes, value === 0 ? 'axis' : 'grid')),
    ...yTicks.map((value) => text(PLOT.left - 8, axes.y.at(value) + 4, chart.yTick(value), 'tick', 'end')),
    ...axes.x.ticks.map((value) => text(axes.x.at(value), PLOT.bottom + 18, String(value), 'tick', 'middle')),
    text(PLOT.right, PLOT.bottom + 36, chart.xLabel, 'label', 'end'),
    text(PLOT.left, 14, chart.yLabel, 'label'),
  ].join('\n');
}

function band({ band }: LineChart, axes: Axes): string {
  if (band === undefined) return '';
  const [left, right] = [axes.x.at(band.from), axes.x.at(band.to)];
  const box = `x="${at(left)}" y="${PLOT.top}" width="${at(right - left)}" height="${PLOT.bottom - PLOT.top}"`;
  return `<rect ${box} class="band"/>\n${text((left + right) / 2, PLOT.top - 6, band.label, 'tick', 'middle')}`;
}

/** Marks lie close together where methods agree; each label has a row of its own. */
function verticalMark(mark: LineChart['marks'][number], row: number, axes: Axes): string {
  const x = axes.x.at(mark.x);
  const y = PLOT.bottom - 8 - row * 16;
  return `${stroke([x, PLOT.top], [x, PLOT.bottom], 'mark')}\n${text(x + 5, y, mark.label, 'tick')}`;
}

/** A model line leaves the plot where it leaves the measured range; it is cut at the top. */
function clipped(points: readonly ChartPoint[], axes: Axes): readonly ChartPoint[] {
  const top = axes.y.ticks.at(-1)!;
  const outside = points.findIndex(([, y]) => y > top);
  const [before, after] = [points[outside - 1], points[outside]];
  if (before === undefined || after === undefined) return points;
  const share = (top - before[1]) / (after[1] - before[1]);
  return [...points.slice(0, outside), [before[0] + share * (after[0] - before[0]), top]];
}

function line({ kind, color, points }: ChartSeries, axes: Axes): string {
  const shown = kind === 'model' ? clipped(points, axes) : points;
  const coordinates = shown.map(([x, y]) => `${at(axes.x.at(x))},${at(axes.y.at(y))}`);
  const path = `<polyline points="${coordinates.join(' ')}" class="line ${kind} c${color}"/>`;
  if (kind === 'model' || kind === 'trace') return path;
  const dots = points.map(
    ([x, y]) =>
      `<circle cx="${at(axes.x.at(x))}" cy="${at(axes.y.at(y))}" r="3" class="dot ${kind} c${color}"/>`,
  );
  return [path, ...dots].join('\n');
}

/** Names at the right end of what they name, pushed apart where they would touch. */
function sideLabels({ series, limits }: LineChart, axes: Axes): readonly string[] {
  const wanted = [
    ...series.flatMap(({ name, points, kind, color }) => {
      const last = (kind === 'model' ? clipped(points, axes) : points).at(-1);
      return last === undefined ? [] : [{ y: axes.y.at(last[1]), name, className: `name ${kind} c${color}` }];
    }),
    ...limits.map(({ y, label }) => ({ y: axes.y.at(y), name: label, className: 'name limit-name' })),
  ].sort((a, b) => a.y - b.y);
  const lowest = PLOT.bottom - LABEL_GAP * (wanted.length - 1);
  let free = PLOT.top;
  return wanted.map(({ y, name, className }, i) => {
    const placed = Math.max(free, Math.min(y, lowest + LABEL_GAP * i));
    free = placed + LABEL_GAP;
    return text(PLOT.right + 10, placed + 4, shortened(name), className);
  });
}

const LONGEST_NAME = 26;
const shortened = (name: string): string => {
  const characters = Array.from(name);
  return characters.length <= LONGEST_NAME ? name : `${characters.slice(0, LONGEST_NAME - 1).join('')}…`;
};
