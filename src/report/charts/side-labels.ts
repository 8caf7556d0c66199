import { cutTo } from '../quantities.ts';
import type { LineChart } from './chart.ts';
import { type Axes, CHARACTER_WIDTH, drawnPoints, type PlotArea, yOf } from './plot-area.ts';
import { text } from './svg.ts';

const LABEL_GAP = 15;
/** Names of lines are bold, which is wider. */
const BOLD_WIDTH = 7.4;
const EDGE_GAP = 2;

/** Names at the right end of what they name, pushed apart where they would touch; none where a legend has them. */
export function sideLabels(chart: LineChart, axes: Axes, area: PlotArea): readonly string[] {
  const { series, limits } = chart;
  const { namesFrom } = area;
  if (namesFrom === undefined) return [];
  const room = area.width - EDGE_GAP - namesFrom;
  const wanted = [
    ...series.flatMap((one) => {
      const last = drawnPoints(one, axes).at(-1);
      if (last === undefined) return [];
      const { name, kind, color } = one;
      const isBold = kind === 'measured' || kind === 'trace';
      const fitting = cutTo(name, Math.floor(room / (isBold ? BOLD_WIDTH : CHARACTER_WIDTH)));
      return [{ y: yOf(axes, one).at(last[1]), name: fitting, className: `name ${kind} c${color}` }];
    }),
    ...limits.map((limit) => ({
      y: yOf(axes, limit).at(limit.y),
      name: cutTo(limit.label, Math.floor(room / CHARACTER_WIDTH)),
      className: 'name limit-name',
    })),
  ].sort((a, b) => a.y - b.y);
  const lowest = area.bottom - LABEL_GAP * (wanted.length - 1);
  let free: number = area.top;
  return wanted.map(({ y, name, className }, i) => {
    const placed = Math.max(free, Math.min(y, lowest + LABEL_GAP * i));
    free = placed + LABEL_GAP;
    return text(namesFrom, placed + 4, name, className);
  });
}
