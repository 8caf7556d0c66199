import { escapeHtml } from '../escape.ts';
import { htmlTable } from '../html-table.ts';
import type { LineChart } from './chart.ts';
import { renderLineChart } from './line-chart.ts';

/** A chart in a figure, and its data as a table. */
export function chartFigure(chart: LineChart): string {
  return figure(chart, chartData(chart));
}

/** The drawing alone, for a chart that is drawn anew every second. */
export function bareFigure(chart: LineChart): string {
  return figure(chart, '');
}

/** A drawing for a page and one for a telephone, with its legend. */
function figure(chart: LineChart, data: string): string {
  return [
    '<figure>',
    `<figcaption>${escapeHtml(chart.title)}</figcaption>`,
    renderLineChart(chart, 'wide'),
    renderLineChart(chart, 'narrow'),
    legend(chart),
    chart.note === undefined ? '' : `<p class="note">${escapeHtml(chart.note)}</p>`,
    data,
    '</figure>',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** What the lines are, where no names stand beside them. */
function legend({ series, limits }: LineChart): string {
  const items = [
    ...series.map(({ name, kind, color }) => `<li class="${kind} c${color}">${escapeHtml(name)}</li>`),
    ...limits.map(({ label }) => `<li class="limit-name">${escapeHtml(label)}</li>`),
  ];
  return `<ul class="legend" aria-hidden="true">${items.join('')}</ul>`;
}

/** The values behind the lines that were measured, one row for each x. */
function chartData(chart: LineChart): string {
  const shown = chart.series.filter(({ kind, points }) => kind !== 'model' && points.length > 0);
  const values = shown.map(({ points }) => new Map(points));
  const xs = [...new Set(values.flatMap((points) => [...points.keys()]))].sort((a, b) => a - b);
  const xTick = chart.xTick ?? ((value: number) => String(Number(value.toPrecision(6))));
  const rows = xs.map((x) => [
    escapeHtml(xTick(x)),
    ...shown.map(({ onRight }, i) => {
      const tick = onRight === true && chart.right !== undefined ? chart.right.tick : chart.yTick;
      const value = values[i]!.get(x);
      return value === undefined ? '' : escapeHtml(tick(Number(value.toPrecision(4))));
    }),
  ]);
  const columns = [chart.xLabel, ...shown.map(({ name }) => name)].map((heading) => ({ heading }));
  const table = htmlTable(columns, rows, `The values of “${chart.title}”.`);
  return table === '' ? '' : `<details><summary>The values as a table</summary>\n${table}\n</details>`;
}
