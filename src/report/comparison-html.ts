import type { Comparison, RunRecord } from '../model/record.ts';
import { chartFigure } from './charts/chart-figure.ts';
import { chartsOfComparison } from './charts/compared-charts.ts';
import { comparedNotes, comparedSteps } from './compared-steps.ts';
import {
  headlineMetrics,
  isRepeated,
  mediansText,
  METRIC_HEADINGS,
  metricsHeading,
  metricRows,
  outcomeText,
  PREDICTION_HEADINGS,
  predictionRows,
} from './comparison-text.ts';
import { escapeHtml, printableData } from './escape.ts';
import { noticeText } from './facts.ts';
import { badge, banner, htmlPage, htmlSection } from './html-layout.ts';
import { htmlTable } from './html-table.ts';
import { htmlChecks } from './html.ts';
import { toReportDocument } from './json.ts';
import { counted } from './quantities.ts';
import type { TextColumn } from './text-layout.ts';
import { DECISION_WORDS, SEVERITY_WORDS } from './words.ts';

/** Two runs on one page: what the change did to the decision, the curves, the metrics and the predictions. */
export function renderComparisonHtml(comparison: Comparison, before: RunRecord, after: RunRecord): string {
  const compared = printableData(comparison);
  const [first, second] = [before, after].map((record) => printableData(toReportDocument(record)));
  const { word, tone } = DECISION_WORDS[compared.after.decision];
  const names = `${compared.before.label} and ${compared.after.label}`;
  return htmlPage(`Load tests compared: ${names}`, [
    header(compared),
    banner(
      compared.regression ? 'bad' : tone,
      compared.regression ? `REGRESSION, ${word}` : word,
      outcomeText(compared),
    ),
    htmlSection(
      metricsHeading(compared.metrics, first!),
      wordTable(
        METRIC_HEADINGS,
        metricRows(headlineMetrics(compared.metrics, first!)),
        ['metric', 'verdict'],
        'Ratio is after / before.',
      ),
    ),
    htmlSection('Did the knee move?', kneeText(compared)),
    htmlSection(
      'Predictions, scored',
      wordTable(
        PREDICTION_HEADINGS,
        predictionRows(compared.predictions),
        ['option', 'quantity', 'outcome'],
        'Predicted before the change, measured after it.',
      ),
    ),
    htmlSection(
      'Load and response',
      `${medians(compared)}${chartsOfComparison(first!, second!).map(chartFigure).join('\n')}`,
    ),
    htmlSection('Steps', stepsTable(comparedSteps(first!, second!), comparedNotes(first!, second!))),
    htmlSection(targetsTitle(compared), htmlChecks(second!.verdict.checks)),
    htmlSection('What is doubtful', notices(compared)),
  ]);
}

/** Of several runs the one is shown that decides. */
const targetsTitle = ({ after }: Comparison): string =>
  after.runCount === 1
    ? `Targets, ${after.label}`
    : `Targets, ${after.label}: the worst of ${counted(after.runCount, 'run')}`;

const medians = (comparison: Comparison): string =>
  isRepeated(comparison) ? `<p>${escapeHtml(mediansText(comparison))}</p>` : '';

const kneeText = ({ kneeShift }: Comparison): string =>
  kneeShift === undefined ? '' : `<p>${escapeHtml(kneeShift.text)}</p>`;

function header({ before, after }: Comparison): string {
  const side = ({ label, runCount }: Comparison['before']): string =>
    `${label} (${counted(runCount, 'run')})`;
  const title = `${before.label} → ${after.label}`;
  return `<header><h1>${escapeHtml(title)}</h1><p>${escapeHtml(`${side(before)} compared with ${side(after)}`)}</p></header>`;
}

function wordTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  left: readonly string[],
  caption: string,
): string {
  const columns = headings.map((heading) => ({ heading, left: left.includes(heading) }));
  return htmlTable(
    columns,
    rows.map((row) => row.map(escapeHtml)),
    caption,
  );
}

function stepsTable(columns: readonly TextColumn[], notes: readonly string[]): string {
  const rowCount = columns[0]?.cells.length ?? 0;
  const rows = Array.from({ length: rowCount }, (_, row) =>
    columns.map(({ cells }) => escapeHtml(cells[row]!)),
  );
  const headings = columns.map(({ heading, group }) => ({
    heading,
    ...(group === undefined ? {} : { group }),
  }));
  const caption = ['Joined by load; a dash where a run has no such step.', ...notes.map((one) => `${one}.`)];
  return htmlTable(headings, rows, caption.join(' '), { isSortable: true });
}

function notices({ notices }: Comparison): string {
  const items = notices.map(
    (one) => `<li>${badge(SEVERITY_WORDS[one.severity])} ${escapeHtml(noticeText(one))}</li>`,
  );
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
}
