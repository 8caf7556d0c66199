import { escapeHtml } from '../escape.ts';
import type { ChartPoint } from './chart.ts';

/** A coordinate, to a tenth of a unit. */
export const at = (coordinate: number): string => coordinate.toFixed(1);

/** A text whose end or middle, as `anchor` says, is at the place. */
export const text = (
  x: number,
  y: number,
  content: string,
  className: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
): string =>
  `<text x="${at(x)}" y="${at(y)}" class="${className}" text-anchor="${anchor}">${escapeHtml(content)}</text>`;

/** A straight line. */
export const stroke = (from: ChartPoint, to: ChartPoint, className: string): string =>
  `<line x1="${at(from[0])}" y1="${at(from[1])}" x2="${at(to[0])}" y2="${at(to[1])}" class="${className}"/>`;
