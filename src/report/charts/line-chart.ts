import { escapeHtml } from '../escape.ts';
import type { ChartPoint, ChartSeries, LineChart } from './chart.ts';
import {
  type Axes,
  axesOf,
  CHARACTER_WIDTH,
  drawnPoints,
  narrowArea,
  type PlotArea,
  wideArea,
  withRoomForTicks,
  yOf,
} from './plot-area.ts';
import { sideLabels } from './side-labels.ts';
import { at, stroke, text } from './svg.ts';

const ROOM_FOR_LABEL = 110;

/** The chart as SVG: no script, no external font, colours by class, title and description for a screen reader. */
export function renderLineChart(chart: LineChart, size: 'wide' | 'narrow' = 'wide'): string {
  const area = withRoomForTicks(chart, size === 'wide' ? wideArea(chart) : narrowArea(chart));
  const axes = axesOf(chart, area);
  const id = `${chart.id}-${size}`;
  const parts = [
    `<svg class="${size}" viewBox="0 0 ${area.width} ${area.height}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-desc">`,
    `<title id="${id}-title">${escapeHtml(chart.title)}</title>`,
    `<desc id="${id}-desc">${escapeHtml(chart.description)}</desc>`,
    band(chart, axes, area),
    ...chart.marks.map((mark) => markInterval(mark, axes, area)),
    grid(chart, axes, area),
    ...chart.limits.map((limit) => horizontal(yOf(axes, limit).at(limit.y), area, 'limit')),
    ...chart.series.map((series) => line(series, axes)),
    ...verticalMarks(chart, axes, area),
    ...sideLabels(chart, axes, area),
    '</svg>',
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function horizontal(y: number, { left, right }: PlotArea, className: string): string {
  return stroke([left, y], [right, y], className);
}

function grid(chart: LineChart, axes: Axes, area: PlotArea): string {
  const { left, right, top, bottom } = area;
  const inside = (y: number): boolean => y >= top - 1;
  const yTicks = axes.left.ticks.filter((value) => inside(axes.left.at(value)));
  const xTick = chart.xTick ?? String;
  return [
    ...yTicks.map((value) => horizontal(axes.left.at(value), area, value === 0 ? 'axis' : 'grid')),
    ...yTicks.map((value) => text(left - 8, axes.left.at(value) + 4, chart.yTick(value), 'tick', 'end')),
    ...spacedTicks(axes.x, 26).map((value) => {
      const words = xTick(value);
      const rightmost = area.width - (words.length * CHARACTER_WIDTH) / 2;
      return text(Math.min(axes.x.at(value), rightmost), bottom + 18, words, 'tick', 'middle');
    }),
    ...rightTicks(chart, axes, area),
    text(right, bottom + 36, chart.xLabel, 'label', 'end'),
    text(area.namesFrom === undefined ? 2 : left, 14, chart.yLabel, 'label'),
  ].join('\n');
}

function rightTicks({ right: axis }: LineChart, { right: scale }: Axes, area: PlotArea): readonly string[] {
  if (axis === undefined) return [];
  const ticks = scale.ticks.filter((value) => scale.at(value) >= area.top - 1);
  const end = area.namesFrom ?? area.width - 2;
  return [
    ...ticks.map((value) => text(area.right + 6, scale.at(value) + 4, axis.tick(value), 'tick')),
    text(end, 14, axis.label, 'label', 'end'),
  ];
}

/** Ticks at the values of a ladder can touch at its dense end. */
function spacedTicks({ at, ticks }: Axes['x'], gap: number): readonly number[] {
  let free = -Infinity;
  return ticks.filter((value) => {
    if (at(value) < free) return false;
    free = at(value) + gap;
    return true;
  });
}

function rectangle(from: number, to: number, { top, bottom }: PlotArea, className: string): string {
  return `<rect x="${at(from)}" y="${top}" width="${at(Math.max(0, to - from))}" height="${bottom - top}" class="${className}"/>`;
}

function band({ band }: LineChart, axes: Axes, area: PlotArea): string {
  if (band === undefined) return '';
  const [left, right] = [axes.x.at(band.from), axes.x.at(band.to)];
  return `${rectangle(left, right, area, 'band')}\n${text((left + right) / 2, area.top + 12, band.label, 'tick', 'middle')}`;
}

function markInterval({ interval }: LineChart['marks'][number], axes: Axes, area: PlotArea): string {
  if (interval === undefined) return '';
  const inside = (x: number): number => Math.min(area.right, Math.max(area.left, axes.x.at(x)));
  return rectangle(inside(interval[0]), inside(interval[1]), area, 'interval');
}

/**
 * Marks lie close together where methods agree: each label has a row of its own, on the side with room. Borders of
 * steps are named at the top, as far as the names do not touch.
 */
function verticalMarks({ marks }: LineChart, axes: Axes, area: PlotArea): readonly string[] {
  let free = area.left;
  return marks.flatMap(({ x: value, label, isBorder }, row) => {
    const x = axes.x.at(value);
    const line = stroke([x, area.top], [x, area.bottom], 'mark');
    if (isBorder !== true) {
      const y = area.bottom - 8 - row * 16;
      const isRoomy = area.right - x > ROOM_FOR_LABEL;
      return [line, isRoomy ? text(x + 5, y, label, 'tick') : text(x - 5, y, label, 'tick', 'end')];
    }
    const end = x + 8 + label.length * CHARACTER_WIDTH;
    if (x < free || end > area.right) return [line];
    free = end;
    return [line, text(x + 4, area.top + 10, label, 'tick')];
  });
}

function line(series: ChartSeries, axes: Axes): string {
  const { kind, color } = series;
  const points = drawnPoints(series, axes);
  const y = yOf(axes, series);
  const place = ([px, py]: ChartPoint): string => `${at(axes.x.at(px))},${at(y.at(py))}`;
  const paths = piecesOf(points, series.breaks ?? []).map(
    (piece) => `<polyline points="${piece.map(place).join(' ')}" class="line ${kind} c${color}"/>`,
  );
  if (kind === 'model' || kind === 'trace') return paths.join('\n');
  const top = y.ticks.at(-1)!;
  const bars = (series.intervals ?? []).map(([x, low, high]) =>
    stroke(
      [axes.x.at(x), y.at(Math.min(top, low))],
      [axes.x.at(x), y.at(Math.min(top, high))],
      `bar c${color}`,
    ),
  );
  const dots = points.map(([px, py], i) => {
    const step = series.stepIndexes?.[i];
    const refused = step !== undefined && series.refused?.has(step) === true ? ' refused' : '';
    const of = step === undefined ? '' : `${refused} step-${step}`;
    return `<circle cx="${at(axes.x.at(px))}" cy="${at(y.at(py))}" r="3" class="dot ${kind} c${color}${of}"/>`;
  });
  return [...paths, ...bars, ...dots].join('\n');
}

function piecesOf(points: readonly ChartPoint[], breaks: readonly number[]): readonly ChartPoint[][] {
  const pieces: ChartPoint[][] = [];
  let next = 0;
  for (const point of points) {
    const isBroken = next < breaks.length && point[0] >= breaks[next]!;
    while (next < breaks.length && point[0] >= breaks[next]!) next += 1;
    if (isBroken || pieces.length === 0) pieces.push([]);
    pieces.at(-1)!.push(point);
  }
  return pieces;
}
