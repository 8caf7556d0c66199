import type { ReportDocument } from '../../model/documents.ts';
import type { RunRecord } from '../../model/record.ts';
import { printableData } from '../escape.ts';
import { toReportDocument } from '../json.ts';
import type { LineChart } from './chart.ts';
import { renderLineChart } from './line-chart.ts';
import { overviewChart, percentileChart, responseTimeChart } from './load-charts.ts';
import { timeCharts } from './time-charts.ts';

/** The rules of the page's style that a chart needs, with the colours of its light form. */
const FILE_STYLE = `
svg { background: #ffffff; color: #1d2329; font: 12px system-ui, "DejaVu Sans", sans-serif; }
text { fill: #5c6670; } .name { font-weight: 600; fill: currentColor; } .limit-name { font-weight: 400; fill: #1d2329; }
.title { font-size: 14px; font-weight: 600; fill: #1d2329; }
.grid { stroke: #eef0f2; } .axis { stroke: #5c6670; } .band { fill: #8a5a00; opacity: 0.1; } .interval { fill: #0b64a8; opacity: 0.08; }
.limit { stroke: #1d2329; stroke-dasharray: 6 4; opacity: 0.55; } .mark { stroke: #5c6670; stroke-dasharray: 2 3; }
.line { fill: none; stroke: currentColor; stroke-width: 2.25; } .line.trace { stroke-width: 1.5; }
.line.model { stroke-width: 1.25; stroke-dasharray: 1 4; stroke-linecap: round; } .name.model { font-weight: 400; } .bar { stroke: currentColor; opacity: 0.7; }
.dot { fill: currentColor; } .dot.refused { fill: #ffffff; stroke: currentColor; stroke-width: 1.5; } .c0 { color: #0b64a8; } .c1 { color: #c2500a; } .c2 { color: #14805e; } .c3 { color: #8a3f94; }
.c4 { color: #7a6a00; } .c5 { color: #b02a5b; }
`;

/** Every chart of a run that has something to show, in the order of the report. */
export function chartsOfRun(record: RunRecord): readonly LineChart[] {
  const document: ReportDocument = printableData(toReportDocument(record));
  return [
    overviewChart(document),
    responseTimeChart(document),
    percentileChart(document),
    ...timeCharts(record.measurements),
  ].filter(({ series }) => series.some(({ points }) => points.length > 0));
}

/** A chart as a file of its own: the drawing of the report with its title and its style inside. */
export function svgFile(chart: LineChart): string {
  const drawing = renderLineChart(chart);
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(drawing)!;
  const title = drawing.match(/<title[^>]*>([^<]*)<\/title>/)![1]!;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${Number(height) + 26}"`;
  return `${drawing
    .replace('<svg', () => head)
    .replace(/viewBox="[^"]*"/, () => `viewBox="0 -26 ${width} ${Number(height) + 26}"`)
    .replace(
      '<title',
      () => `<style>${FILE_STYLE}</style>\n<text x="52" y="-8" class="title">${title}</text>\n<title`,
    )}\n`;
}
