import type { ChartPoint, ChartSeries, LineChart } from './chart.ts';
import type { Scale } from './scale.ts';
import { isGeometric, linearScale, logScale } from './scale.ts';

/** Where a drawing has its plot; the units are those of the SVG. */
export interface PlotArea {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Names stand beside the lines; without it a legend below the drawing has them. */
  readonly namesFrom?: number;
  readonly mostTicks: { readonly x: number; readonly y: number };
}

/** For a page: names at the right end of what they name. */
export function wideArea({ right }: LineChart): PlotArea {
  const edge = right === undefined ? 580 : 540;
  const size = { width: 760, height: 288, left: 52, top: 30, bottom: 244 };
  return {
    ...size,
    right: edge,
    namesFrom: right === undefined ? edge + 10 : edge + 58,
    mostTicks: { x: 8, y: 6 },
  };
}

/** For a telephone: as wide as its screen, so that the text keeps its size. */
export function narrowArea({ right }: LineChart): PlotArea {
  const edge = right === undefined ? 338 : 292;
  const size = { width: 344, height: 260, left: 54, top: 30, bottom: 216 };
  return { ...size, right: edge, mostTicks: { x: 5, y: 5 } };
}

/** Width of a character in the font of the page, about. */
export const CHARACTER_WIDTH = 6.6;
/** Between the plot and the words of its ticks, and between those and the edge. */
const TICK_GAP = 8;
const EDGE_GAP = 2;

/** The area with room for what the ticks say: the plot gives way to long words, no word is cut. */
export function withRoomForTicks(chart: LineChart, area: PlotArea): PlotArea {
  const axes = axesOf(chart, area);
  const widthOf = (scale: Scale, tick: (value: number) => string): number =>
    Math.max(0, ...scale.ticks.map((value) => tick(value).length)) * CHARACTER_WIDTH + TICK_GAP + EDGE_GAP;
  const left = Math.max(area.left, widthOf(axes.left, chart.yTick));
  if (chart.right === undefined) return { ...area, left };
  const end = area.namesFrom ?? area.width;
  return { ...area, left, right: Math.min(area.right, end - widthOf(axes.right, chart.right.tick)) };
}

export interface Axes {
  readonly x: Scale;
  readonly left: Scale;
  readonly right: Scale;
}

/** Scales that hold everything measured and every limit; a model line may leave them. */
export function axesOf(chart: LineChart, area: PlotArea): Axes {
  const { series, limits, marks } = chart;
  const measured = series.filter(({ kind }) => kind !== 'model');
  const loads = measured.flatMap(({ points }) => points.map(([x]) => x));
  const xs = [...loads, ...marks.map(({ x }) => x)];
  const across = [area.left, area.right] as const;
  const upright = (onRight: boolean): Scale => {
    const here = (one: { readonly onRight?: true }): boolean => (one.onRight === true) === onRight;
    const values = [
      ...measured.filter(here).flatMap(({ points }) => points.map(([, y]) => y)),
      ...limits.filter(here).map(({ y }) => y),
    ];
    // An interval may be many times what was measured: it is drawn whole up to half as much again.
    const most = largest(values);
    const ends = measured.filter(here).flatMap(({ intervals = [] }) => intervals.map(([, , high]) => high));
    const reach = Math.max(most, Math.min(1.5 * most, largest(ends)));
    return linearScale(reach * 1.04, [area.bottom, area.top], area.mostTicks.y);
  };
  return {
    x: isGeometric(loads) ? logScale(loads, across) : linearScale(largest(xs), across, area.mostTicks.x),
    left: upright(false),
    right: upright(true),
  };
}

/** A run of a thousand steps has more values than a call takes arguments. */
const largest = (values: readonly number[]): number => values.reduce((max, value) => Math.max(max, value), 0);

export const yOf = (axes: Axes, { onRight }: { readonly onRight?: true }): Scale =>
  onRight === true ? axes.right : axes.left;

/** A model line leaves the plot where it leaves the measured range; it is cut at the top. */
export function drawnPoints({ kind, points, ...side }: ChartSeries, axes: Axes): readonly ChartPoint[] {
  if (kind !== 'model') return points;
  const top = yOf(axes, side).ticks.at(-1)!;
  const outside = points.findIndex(([, y]) => y > top);
  const [before, after] = [points[outside - 1], points[outside]];
  if (before === undefined || after === undefined) return points;
  const share = (top - before[1]) / (after[1] - before[1]);
  return [...points.slice(0, outside), [before[0] + share * (after[0] - before[0]), top]];
}
