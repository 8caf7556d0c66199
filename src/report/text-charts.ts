import type { ChartPoint } from './charts/chart.ts';
import { alignLeft, alignRight, displayWidth, duration, givenDuration, load } from './quantities.ts';

const LEVELS = '▁▂▃▄▅▆▇█';

/** One character a value, from 0 to the largest: the shape of a series in a line. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = values.length <= width ? values : condensed(values, width);
  const top = Math.max(...shown, 0);
  return shown
    .map((value) => LEVELS[top > 0 ? Math.round((value / top) * (LEVELS.length - 1)) : 0]!)
    .join('');
}

/** Neighbours averaged, so that `width` values are left. */
function condensed(values: readonly number[], width: number): readonly number[] {
  return Array.from({ length: width }, (_, i) => {
    const part = values.slice(
      Math.floor((i * values.length) / width),
      Math.floor(((i + 1) * values.length) / width),
    );
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}

/** Horizontal bars with their labels before and their shares behind. */
export function bars(
  rows: readonly { readonly label: string; readonly ratio: number; readonly figure: string }[],
  width: number,
): readonly string[] {
  const top = Math.max(...rows.map(({ ratio }) => ratio), 0);
  const labelWidth = Math.max(0, ...rows.map(({ label }) => displayWidth(label)));
  const figureWidth = Math.max(0, ...rows.map(({ figure }) => displayWidth(figure)));
  const room = Math.max(8, Math.min(40, width - labelWidth - figureWidth - 6));
  return rows.map(({ label, ratio, figure }) => {
    const bar = '█'.repeat(top > 0 ? Math.round((ratio / top) * room) : 0);
    return `  ${alignRight(label, labelWidth)}  ${alignRight(figure, figureWidth)}  ${bar}`.trimEnd();
  });
}

/** One set of points of a character chart and the character that draws it. */
export interface Plot {
  readonly mark: string;
  readonly points: readonly ChartPoint[];
}

const CHART_HEIGHT = 12;
const OVERLAP = '*';

/**
 * Durations over load in characters, with a line of dashes at each limit. The vertical axis is logarithmic,
 * since before and after a fix are often a hundred times apart; where two runs meet stands `*`.
 */
export function characterChart(
  plots: readonly Plot[],
  limits: readonly number[],
  width: number,
): readonly string[] {
  const points = plots.flatMap((plot) => plot.points).filter(([, y]) => y > 0);
  if (points.length === 0) return [];
  const axis = axisOf(points, limits);
  const columns = Math.max(20, Math.min(72, width - 12));
  const furthest = Math.max(...points.map(([x]) => x));
  const column = (x: number): number => Math.round((x / (furthest || 1)) * (columns - 1));
  const canvas = Array.from({ length: CHART_HEIGHT }, () => Array.from({ length: columns }, () => ' '));
  for (const limit of limits) canvas[axis.row(limit)]?.fill('-');
  for (const { mark, points } of plots)
    for (const [x, y] of points) if (y > 0) put(canvas[axis.row(y)]!, column(x), mark);
  return [...withScale(canvas, axis, limits), loadAxis(points, column, columns)];
}

function put(row: string[], column: number, mark: string): void {
  const there = row[column];
  row[column] = there === ' ' || there === '-' || there === mark ? mark : OVERLAP;
}

interface DurationAxis {
  readonly row: (seconds: number) => number;
  readonly secondsAt: (row: number) => number;
}

function axisOf(points: readonly ChartPoint[], limits: readonly number[]): DurationAxis {
  const values = [...points.map(([, y]) => y), ...limits.filter((limit) => limit > 0)].map(Math.log);
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const last = CHART_HEIGHT - 1;
  return {
    row: (seconds) => last - Math.round(((Math.log(seconds) - low) / span) * last),
    secondsAt: (row) => Math.exp(low + ((last - row) / last) * span),
  };
}

function withScale(
  canvas: readonly (readonly string[])[],
  axis: DurationAxis,
  limits: readonly number[],
): readonly string[] {
  const limitAt = new Map(limits.map((limit) => [axis.row(limit), limit]));
  return canvas.map((cells, row) => {
    const limit = limitAt.get(row);
    const isLabelled = row % 4 === 0 || row === canvas.length - 1;
    const label =
      limit === undefined ? (isLabelled ? duration(axis.secondsAt(row)) : '') : `≤ ${givenDuration(limit)}`;
    return `${alignRight(label, 10)} ${`|${cells.join('')}`.trimEnd()}`;
  });
}

/** The loads under their columns, as many as there is room for. */
function loadAxis(points: readonly ChartPoint[], column: (x: number) => number, columns: number): string {
  const loads = [...new Set(points.map(([x]) => x))].sort((a, b) => a - b);
  let line = '';
  for (const x of loads) {
    const label = load(x);
    const start = Math.min(column(x), columns - displayWidth(label));
    if (start > displayWidth(line) || line === '') line = alignLeft(line, start) + label;
  }
  return `${' '.repeat(12)}${line}`;
}

/** A wider range than this is told in bins that grow: in equal ones nearly all would be in the first. */
const WIDE_RANGE = 10;
const ROUND_STEPS = [1, 2, 5];

/**
 * Shares of the quantiles' range in up to `binCount` bins, from an inverse CDF with equal steps of order: equal
 * bins, or such with the bounds 1, 2, 5, 10, … where the range is wide.
 */
export function quantileBins(
  quantiles: readonly number[],
  binCount: number,
): readonly { readonly from: number; readonly to: number; readonly ratio: number }[] {
  const low = quantiles[0] ?? 0;
  const high = quantiles.at(-1) ?? 0;
  if (low === high) return [{ from: low, to: high, ratio: 1 }];
  const inner =
    high > WIDE_RANGE * low
      ? roundBounds(low, high).slice(1 - binCount)
      : Array.from({ length: binCount - 1 }, (_, i) => low + ((i + 1) * (high - low)) / binCount);
  const edges = [low, ...inner, high];
  const orders = [0, ...inner.map((edge) => orderOf(quantiles, edge)), 1];
  return edges.slice(1).map((to, i) => ({ from: edges[i]!, to, ratio: orders[i + 1]! - orders[i]! }));
}

/** 1, 2, 5, 10, … times a power of ten, between two values and down to a thousandth of the higher. */
function roundBounds(low: number, high: number): number[] {
  const lowest = Math.max(low, high / 1000);
  const decades = Array.from({ length: 5 }, (_, i) => Math.floor(Math.log10(lowest)) + i);
  return decades
    .flatMap((decade) => ROUND_STEPS.map((step) => Number(`${step}e${decade}`)))
    .filter((bound) => bound > lowest && bound < high);
}

/** The order 0–1 of a value within the quantiles, linear between them. */
function orderOf(quantiles: readonly number[], value: number): number {
  const above = quantiles.findIndex((quantile) => quantile > value);
  if (above <= 0) return above < 0 ? 1 : 0;
  const [from, to] = [quantiles[above - 1]!, quantiles[above]!];
  return (above - 1 + (value - from) / (to - from)) / (quantiles.length - 1);
}
