import type { ChartPoint } from './chart.ts';

/** What a chart can show, and a page can hold. */
const MOST_POINTS = 240;

/** At most 240 points: the means of equal numbers of neighbours, so that the area under the line stays. */
export function thinned(points: readonly ChartPoint[]): readonly ChartPoint[] {
  const size = Math.ceil(points.length / MOST_POINTS);
  if (size <= 1) return points;
  const groups = Math.ceil(points.length / size);
  return Array.from({ length: groups }, (_, group) => {
    const part = points.slice(group * size, (group + 1) * size);
    const sum = part.reduce((total, [, y]) => total + y, 0);
    return [part[0]![0], sum / part.length];
  });
}
