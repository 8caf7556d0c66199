import { cutTo } from '../quantities.ts';
import type { LineChart } from './chart.ts';
import { type Axes, drawnPoints, type PlotArea, yOf } from './plot-area.ts';
import { text } from './svg.ts';

const LABEL_GAP = 15;
const LONGEST_NAME = 26;

/** Names at the right end of what they name, pushed apart where they would touch; none where a legend has them. */
export function sideLabels(chart: LineChart, axes: Axes, area: PlotArea): readonly string[] {
  const { series, limits, right } = chart;
  const { namesFrom } = area;
  if (namesFrom === undefined) return [];
  const longest = right === undefined ? LONGEST_NAME : LONGEST_NAME - 2;
  const wanted = [
    ...series.flatMap((one) => {
      const last = drawnPoints(one, axes).at(-1);
      if (last === undefined) return [];
      const { name, kind, color } = one;
      return [{ y: yOf(axes, one).at(last[1]), name, className: `name ${kind} c${color}` }];
    }),
    ...limits.map((limit) => ({
      y: yOf(axes, limit).at(limit.y),
      name: limit.label,
      className: 'name limit-name',
    })),
  ].sort((a, b) => a.y - b.y);
  const lowest = area.bottom - LABEL_GAP * (wanted.length - 1);
  let free: number = area.top;
  return wanted.map(({ y, name, className }, i) => {
    const placed = Math.max(free, Math.min(y, lowest + LABEL_GAP * i));
    free = placed + LABEL_GAP;
    return text(namesFrom, placed + 4, cutTo(name, longest), className);
  });
}
